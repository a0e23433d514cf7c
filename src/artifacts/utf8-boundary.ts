/**
 * The largest position not after `end` at which no code point is split, given the bytes around it. Looks back at most
 * three bytes; bytes that are no valid UTF-8 are never moved.
 */
export function floorCodePoint(bytes: Uint8Array, end: number): number {
  if (end <= 0 || end >= bytes.length) return Math.max(0, Math.min(end, bytes.length));
  for (let back = 1; back <= 3 && end - back >= 0; back++) {
    const byte = bytes[end - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const length = sequenceLength(byte);
    if (length <= back) return end;
    for (let at = end - back + 1; at < end - back + length; at++) {
      // Bytes beyond the end of what we have might complete the sequence, so they count as if they did.
      if (at < bytes.length && ((bytes[at] as number) & 0xc0) !== 0x80) return end;
    }
    return end - back;
  }
  return end;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  return 1;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Text of the bytes; what is not valid UTF-8 becomes U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
