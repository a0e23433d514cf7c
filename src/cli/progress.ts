import { formatBytes } from "../bytes/format-bytes.ts";
import type { Size } from "../preview/types.ts";

const EVERY_MS = 250;
const QUIET_MS = 1000;

/** Shows the progress of a long command on a terminal, on one line of standard error. */
export function startProgress(describe: () => string): { stop(): void } {
  if (!process.stderr.isTTY) return { stop: () => undefined };
  const started = Date.now();
  let shown = false;
  const timer = setInterval(() => {
    const elapsed = Date.now() - started;
    if (elapsed < QUIET_MS) return;
    shown = true;
    process.stderr.write(`\r\u001b[K${(elapsed / 1000).toFixed(1)} s · ${describe()}`);
  }, EVERY_MS);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      if (shown) process.stderr.write("\r\u001b[K");
    },
  };
}

/** "12,000 lines · 1.2 MB" */
export function describeSize({ lines, bytes }: Size): string {
  return `${lines.toLocaleString("en-US")} lines · ${formatBytes(bytes)}`;
}
