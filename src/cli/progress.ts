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

/** 3211264 as "3.1 MB". */
export function formatBytes(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
