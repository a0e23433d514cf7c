import { Socket } from "node:net";

/** As much as a pipe of Linux holds. */
const BUFFER_BYTES = 64 * 1024;

/**
 * Reads a pipe into one buffer again and again: a chunk is gone once its listeners have returned, unless they paused the
 * reader. A stream would allocate a buffer per chunk, and keep 30 MB of them before freeing any.
 */
export function openPipeReader(fd: number): Socket {
  const callback = (length: number, bytes: Uint8Array): boolean => {
    reader.emit("data", bytes.subarray(0, length));
    return !reader.isPaused();
  };
  const onread = { buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES), callback };
  const options = { fd, readable: true, writable: false, onread };
  const reader = new Socket(options);
  return reader;
}
