import { SCAN_BYTES, STEP } from "./scan-steps.ts";
import {
  advance,
  and,
  andEachByte,
  areByte,
  constant,
  get,
  highestBits,
  isEqual,
  isLess,
  isZero,
  load16Bytes,
  orBytes,
  PAGE_BYTES,
  type RunModule,
  type Running,
  repeatWhile,
  start,
  tee,
  V128,
} from "./webassembly.ts";

const TAB = 0x09;
const NEWLINE = 0x0a;
const DELETE = 0x7f;
/** The bits of which every byte that is no control character has one. */
const NO_CONTROL = 0xe0;
/** What the eight-bit control characters begin with, and what characters of two UTF-16 units do. */
const BEFORE_CONTROLS = 0xc2;
const FOUR_BYTES = 0xf0;
/** A scanner is worth its making only for an output that is large. */
const COMPILE_FROM_BYTES = 1024 * 1024;

const AT = 0;
const END = 1;
const BYTES = 2;

/** Called with two addresses, it passes from the one towards the other as long as it is sure and gives where it stopped. */
function scannerModule(): RunModule {
  const bytes = get(BYTES);
  const doubtful = orBytes(
    orBytes(areByte(tee(BYTES, load16Bytes(get(AT))), DELETE), areByte(bytes, BEFORE_CONTROLS)),
    areByte(andEachByte(bytes, FOUR_BYTES), FOUR_BYTES),
  );
  const controls = highestBits(areByte(andEachByte(bytes, NO_CONTROL), 0));
  const allowed = highestBits(orBytes(areByte(bytes, TAB), areByte(bytes, NEWLINE)));
  return {
    parameters: 2,
    locals: [V128],
    body: [
      ...repeatWhile(and(isLess(get(AT), get(END)), and(isZero(highestBits(doubtful)), isEqual(controls, allowed))), [
        ...advance(AT, constant(STEP)),
      ]),
      ...get(AT),
    ],
    pages: Math.ceil((SCAN_BYTES + STEP) / PAGE_BYTES),
  };
}

let scanner: { readonly module: Running; readonly data: Uint8Array } | undefined;
let tried = false;

/**
 * True when the text of these bytes has surely no control characters but tabs and newlines, and none of two UTF-16 units.
 * `seenBytes` of the output have passed; while they are few nothing is sure, since looking costs more than it gives.
 */
export function lacksControls(bytes: Uint8Array, seenBytes: number): boolean {
  if (!tried && seenBytes >= COMPILE_FROM_BYTES) {
    tried = true;
    const made = start(scannerModule());
    if (made !== undefined) scanner = { module: made, data: new Uint8Array(made.memory.buffer) };
  }
  if (scanner === undefined) return false;
  const { module, data } = scanner;
  for (let at = 0; at < bytes.length; at += SCAN_BYTES) {
    const part = bytes.subarray(at, at + SCAN_BYTES);
    data.set(part);
    // Rounds up to whole steps.
    data.fill(NEWLINE, part.length, part.length + STEP);
    if (module.run(0, part.length) < part.length) return false;
  }
  return true;
}
