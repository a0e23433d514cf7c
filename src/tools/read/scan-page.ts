import { countNewlines } from "../../bytes/count-newlines.ts";

export interface ScanOptions {
  /** First line, from 1. */
  readonly offsetLine: number;
  readonly maxLines: number;
  /** Most bytes to collect. */
  readonly maxBytes: number;
  /** Reads on to the end to count the lines; otherwise stops once the page is full. */
  readonly countToEnd: boolean;
}

/** Bytes of a page as they were found, and what is known of the whole. */
export interface ScannedPage {
  /** From the beginning of line `offsetLine`; its last line may be incomplete. */
  readonly bytes: Buffer;
  readonly startByte: number;
  /** True when `bytes` reaches the end of the file. */
  readonly reachesEnd: boolean;
  /** Undefined when the lines were not counted to the end. */
  readonly totalLines: number | undefined;
}

/** Reads a page and counts lines in one pass, in memory bounded by the page; stops early on a large file. */
export async function scanPage(chunks: AsyncIterable<Uint8Array>, options: ScanOptions): Promise<ScannedPage> {
  const { offsetLine, maxLines, maxBytes, countToEnd } = options;
  const collected: Uint8Array[] = [];
  let collectedBytes = 0;
  let linesLeft = maxLines;
  let seen = 0;
  let newlines = 0;
  let lastByte = 10;
  let startByte: number | undefined = offsetLine === 1 ? 0 : undefined;
  let full = false;
  let exhausted = true;
  for await (const chunk of chunks) {
    if (full && !countToEnd) {
      exhausted = false;
      break;
    }
    let from = startByte === undefined ? -1 : 0;
    if (startByte === undefined && newlines + countNewlines(chunk) >= offsetLine - 1) {
      from = positionAfter(chunk, offsetLine - 1 - newlines);
      startByte = seen + from;
    }
    newlines += countNewlines(chunk);
    seen += chunk.length;
    lastByte = chunk.at(-1) ?? lastByte;
    if (from === -1 || full) continue;
    const part = chunk.subarray(from, Math.min(chunk.length, from + maxBytes + 8 - collectedBytes));
    collected.push(part);
    collectedBytes += part.length;
    linesLeft -= countNewlines(part);
    full = linesLeft <= 0 || collectedBytes > maxBytes;
  }
  const bytes = Buffer.concat(collected);
  const start = startByte ?? seen;
  const reachesEnd = exhausted && start + bytes.length >= seen;
  return {
    bytes,
    startByte: start,
    reachesEnd,
    totalLines: exhausted ? newlines + (lastByte === 10 ? 0 : 1) : undefined,
  };
}

function positionAfter(chunk: Uint8Array, newlines: number): number {
  let at = 0;
  for (let count = 0; count < newlines; count++) at = chunk.indexOf(10, at) + 1;
  return at;
}
