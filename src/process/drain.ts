import type { Readable } from "node:stream";

/** Receives bytes whose memory may be reused afterwards; a returned promise pauses the source until it settles. */
export type TakeChunk = (chunk: Uint8Array) => Promise<void> | undefined;

/** More than any pipe holds, so that all output written before the child's end is read. */
const PIPE_BYTES = 1 << 20;

/** Hands every chunk on with backpressure, and can stop reading from pipes that others keep open. */
export function drain(readers: readonly Readable[], onChunk: TakeChunk) {
  let open = readers.length;
  let busy = 0;
  let bytes = 0;
  let lastActive = performance.now();
  let onEnd: (() => void) | undefined;
  for (const reader of readers) {
    reader.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length;
      lastActive = performance.now();
      const wait = onChunk(chunk);
      if (wait === undefined) return;
      busy++;
      reader.pause();
      const resume = () => {
        busy--;
        lastActive = performance.now();
        reader.resume();
        if (open + busy === 0) onEnd?.();
      };
      wait.then(resume, resume);
    });
    reader.on("error", () => reader.destroy());
    reader.once("close", () => {
      open--;
      if (open + busy === 0) onEnd?.();
    });
  }
  const close = () => {
    for (const reader of readers) reader.destroy();
  };
  /** Waits for the end of the streams; true when it had to close them itself. */
  const finish = (drainMs: number) =>
    new Promise<boolean>((resolve) => {
      if (open + busy === 0) return resolve(false);
      const exitedAt = performance.now();
      const bytesAtExit = bytes;
      lastActive = exitedAt;
      const timer = setInterval(
        () => {
          if (busy > 0 || open === 0) return;
          const now = performance.now();
          const flooded = now - exitedAt > drainMs && bytes - bytesAtExit > PIPE_BYTES;
          if (now - lastActive <= drainMs && !flooded) return;
          clearInterval(timer);
          onEnd = undefined;
          close();
          resolve(true);
        },
        Math.max(5, Math.min(50, drainMs / 4)),
      );
      onEnd = () => {
        clearInterval(timer);
        resolve(false);
      };
    });
  return { close, finish };
}
