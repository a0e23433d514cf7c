import { asciiScanner } from "../../../bytes/ascii-scan.ts";
import { SCAN_BYTES, STEP } from "../../../bytes/scan-steps.ts";

const NEWLINE = 10;
const FIRST_BEYOND = 0x80;
/** Fewer bytes of ASCII are not worth a text of their own; as many are looked at first. */
const LEAST_BYTES = 2048;

/**
 * How many bytes at the beginning are best made one text: whole lines of ASCII while there are many, since of these bytes
 * and characters are one, else a few lines of any kind. `seenBytes` of the output have passed.
 */
export function linesOfOneText(bytes: Uint8Array, seenBytes: number): number {
  let end = 0;
  for (let look = LEAST_BYTES; end < bytes.length && end < SCAN_BYTES; look *= 8) {
    const to = Math.min(end + look, SCAN_BYTES, bytes.length);
    const from = end;
    end += asciiBytes(bytes.subarray(from, to), seenBytes);
    if (end < to) break;
  }
  const ascii = end === 0 ? 0 : bytes.lastIndexOf(NEWLINE, end - 1) + 1;
  if (ascii >= LEAST_BYTES || ascii === bytes.length) return ascii;
  const mixed = bytes.length <= LEAST_BYTES ? bytes.length : bytes.lastIndexOf(NEWLINE, LEAST_BYTES - 1) + 1;
  return mixed > 0 ? mixed : bytes.indexOf(NEWLINE) + 1;
}

function asciiBytes(bytes: Uint8Array, seenBytes: number): number {
  const scanner = asciiScanner(seenBytes);
  scanner.start(bytes);
  let at = 0;
  while (at < bytes.length) {
    at = scanner.skip(bytes, at);
    // It may stop some bytes early.
    for (const early = at + STEP; at < early && at < bytes.length; at++)
      if ((bytes[at] as number) >= FIRST_BEYOND) return at;
  }
  return at;
}
