import { formatBytes } from "../bytes/format-bytes.ts";
import type { Size } from "../preview/types.ts";

const EVERY_MS = 250;
const QUIET_MS = 1000;

/** Shows on a terminal how far a long command is, on one line of standard error. */
export function startProgress(size: () => Size): { stop(): void } {
  if (!process.stderr.isTTY) return { stop: () => undefined };
  const started = Date.now();
  let shown = false;
  const timer = setInterval(() => {
    const elapsed = Date.now() - started;
    if (elapsed < QUIET_MS) return;
    const { lines, bytes } = size();
    shown = true;
    process.stderr.write(
      `\r\u001b[K${(elapsed / 1000).toFixed(1)} s · ${lines.toLocaleString("en-US")} lines · ${formatBytes(bytes)}`,
    );
  }, EVERY_MS);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      if (shown) process.stderr.write("\r\u001b[K");
    },
  };
}
