const NEWLINE = 0x0a;
const ESCAPE = 0x1b;
/** Longest escape sequence that a cut steps out of. */
const ESCAPE_REACH = 24;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes as text; what is not valid UTF-8 becomes replacement characters. */
export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** All parts in one; `bytes` is their length together. */
export function concat(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Offsets at which the lines of `bytes` start; a final newline opens no line. */
export function lineStarts(bytes: Uint8Array): number[] {
  const starts: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    starts.push(at);
    const newline = bytes.indexOf(NEWLINE, at);
    if (newline === -1) break;
    at = newline + 1;
  }
  return starts;
}

/** The largest offset <= `at` that splits neither a code point nor an escape sequence. */
export function safeCut(bytes: Uint8Array, at: number): number {
  let cut = Math.max(0, Math.min(at, bytes.length));
  const lowest = Math.max(0, cut - ESCAPE_REACH);
  for (let index = cut - 1; index >= lowest; index--) {
    if (bytes[index] !== ESCAPE) continue;
    if (!isWholeEscape(bytes.subarray(index, cut))) cut = index;
    break;
  }
  for (let back = 0; back < 3 && cut > 0 && isContinuation(bytes[cut]); back++) cut--;
  return cut;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function isWholeEscape(sequence: Uint8Array): boolean {
  if (sequence.length < 2) return false;
  if (sequence[1] !== 0x5b) return true;
  for (let index = 2; index < sequence.length; index++) {
    const byte = sequence[index]!;
    if (byte >= 0x40 && byte <= 0x7e) return true;
  }
  return false;
}
