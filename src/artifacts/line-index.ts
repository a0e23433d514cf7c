import { cryptoModule } from "../builtin-modules.ts";
import { countNewlines } from "../bytes/count-newlines.ts";

/** Bytes between two checkpoints of the index. */
export const INDEX_STRIDE = 256 * 1024;

const MAGIC = 0x53504958;
const VERSION = 2;
const HEADER_BYTES = 40;
const CHECKSUM_BYTES = 8;

/** A sparse line index: `newlinesBefore[i]` newlines occur in the first `i × INDEX_STRIDE` bytes. */
export interface LineIndex {
  readonly newlinesBefore: Float64Array;
  readonly newlines: number;
  readonly bytes: number;
  /** Lines; a final newline does not open another one. */
  readonly lines: number;
}

/** Builds a line index from bytes in order, in any chunks. */
export class LineIndexBuilder {
  #checkpoints: number[] = [0];
  #newlines = 0;
  #bytes = 0;
  #lastByte = 10;

  add(chunk: Uint8Array): void {
    let start = 0;
    while (start < chunk.length) {
      const room = INDEX_STRIDE - (this.#bytes % INDEX_STRIDE);
      const end = Math.min(chunk.length, start + room);
      this.#newlines += countNewlines(chunk.subarray(start, end));
      this.#bytes += end - start;
      if (end - start === room) this.#checkpoints.push(this.#newlines);
      start = end;
    }
    if (chunk.length > 0) this.#lastByte = chunk[chunk.length - 1] as number;
  }

  finish(): LineIndex {
    return {
      newlinesBefore: Float64Array.from(this.#checkpoints),
      newlines: this.#newlines,
      bytes: this.#bytes,
      lines: this.#newlines + (this.#lastByte === 10 ? 0 : 1),
    };
  }
}

/** The index file: "SPIX", version, stride, bytes, newlines, lines, one number per checkpoint, little endian; a checksum. */
export function encodeLineIndex(index: LineIndex): Uint8Array {
  const body = HEADER_BYTES + index.newlinesBefore.length * 8;
  const bytes = new Uint8Array(body + CHECKSUM_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(4, VERSION, true);
  view.setUint32(8, INDEX_STRIDE, true);
  view.setUint32(12, index.newlinesBefore.length, true);
  view.setFloat64(16, index.bytes, true);
  view.setFloat64(24, index.newlines, true);
  view.setFloat64(32, index.lines, true);
  index.newlinesBefore.forEach((count, at) => {
    view.setFloat64(HEADER_BYTES + at * 8, count, true);
  });
  bytes.set(checksum(bytes.subarray(0, body)), body);
  return bytes;
}

/** Reads an index file; undefined when it is not a whole index of this version, as it was written. */
export function decodeLineIndex(bytes: Uint8Array): LineIndex | undefined {
  const body = HEADER_BYTES;
  if (bytes.length < body + 8 + CHECKSUM_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) !== MAGIC || view.getUint32(4, true) !== VERSION) return undefined;
  const count = view.getUint32(12, true);
  if (view.getUint32(8, true) !== INDEX_STRIDE || bytes.length !== body + count * 8 + CHECKSUM_BYTES) return undefined;
  if (!checksum(bytes.subarray(0, -CHECKSUM_BYTES)).equals(bytes.subarray(-CHECKSUM_BYTES))) return undefined;
  const newlinesBefore = new Float64Array(count);
  for (let at = 0; at < count; at++) newlinesBefore[at] = view.getFloat64(body + at * 8, true);
  return {
    newlinesBefore,
    newlines: view.getFloat64(24, true),
    bytes: view.getFloat64(16, true),
    lines: view.getFloat64(32, true),
  };
}

function checksum(bytes: Uint8Array): Buffer {
  return cryptoModule().createHash("sha256").update(bytes).digest().subarray(0, CHECKSUM_BYTES);
}
