import { SCAN_BYTES, STEP } from "./scan-steps.ts";
import {
  advance,
  and,
  assemble,
  constant,
  countByte,
  get,
  highestBits,
  I32,
  isLess,
  isZero,
  load16Bytes,
  PAGE_BYTES,
  repeatWhile,
  store,
  tee,
  V128,
} from "./webassembly.ts";

// Needed by most processes, so that `build/prebuilt-plans.ts` puts their bytes in the place of these functions.

const NEWLINE = 0x0a;
const AT = 0;
const END = 1;
const COUNT = 2;
const BYTES = 3;

/**
 * Called with two addresses, it passes over ASCII from the one towards the other, 16 bytes at a time, several times as
 * fast as JavaScript can, and gives where it stopped. The newlines it passed stand at the start of the memory.
 */
export function assembleAsciiScanner(): Uint8Array<ArrayBuffer> {
  const isAscii = isZero(highestBits(tee(BYTES, load16Bytes(get(AT)))));
  return assemble({
    parameters: 2,
    locals: [I32, V128],
    body: [
      ...repeatWhile(and(isLess(get(AT), get(END)), isAscii), [
        ...advance(COUNT, countByte(get(BYTES), NEWLINE)),
        ...advance(AT, constant(STEP)),
      ]),
      ...store(constant(0), get(COUNT)),
      ...get(AT),
    ],
    // The first step holds the count, and the last may reach beyond the bytes.
    pages: Math.ceil((STEP + SCAN_BYTES + STEP) / PAGE_BYTES),
  });
}

/** Counts the newlines between two addresses that are whole steps apart. */
export function assembleNewlineCounter(): Uint8Array<ArrayBuffer> {
  return assemble({
    parameters: 2,
    locals: [I32],
    body: [
      ...repeatWhile(isLess(get(AT), get(END)), [
        ...advance(COUNT, countByte(load16Bytes(get(AT)), NEWLINE)),
        ...advance(AT, constant(STEP)),
      ]),
      ...get(COUNT),
    ],
    pages: SCAN_BYTES / PAGE_BYTES,
  });
}
