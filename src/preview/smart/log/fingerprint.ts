const SIGNATURE_BYTES = 32;

/** Identifies how a row begins, numbers aside, without decoding it. */
export function signatureOf(bytes: Uint8Array, start: number, end: number): number {
  const to = Math.min(end, start + SIGNATURE_BYTES);
  let hash = 0x811c9dc5;
  let previous = 0;
  for (let index = start; index < to; index++) {
    let byte = bytes[index] as number;
    if (byte >= 48 && byte <= 57) byte = 48;
    if (byte === 48 && previous === 48) continue;
    previous = byte;
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash;
}

/** Identifies a row and `mask` without decoding the row; of a number it tells only whether it is zero. */
export function fingerprintOf(bytes: Uint8Array, start: number, end: number, mask: number): number {
  let high = 0x811c9dc5 ^ mask;
  let low = 0x1b873593;
  let number = 0;
  for (let index = start; index < end; index++) {
    const byte = bytes[index] as number;
    if (byte >= 48 && byte <= 57) {
      if (byte > 48) number = 49;
      else if (number === 0) number = 48;
      continue;
    }
    if (number !== 0) {
      high = Math.imul(high ^ number, 0x01000193);
      low = Math.imul(low + number, 0x85ebca6b) ^ (low >>> 13);
      number = 0;
    }
    high = Math.imul(high ^ byte, 0x01000193);
    low = Math.imul(low + byte, 0x85ebca6b) ^ (low >>> 13);
  }
  return (high >>> 0) * 0x20_0000 + (low >>> 11);
}
