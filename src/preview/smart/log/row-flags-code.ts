import {
  addToEachByte,
  advance,
  and,
  andBytes,
  areBelow,
  areBelowSigned,
  areByte,
  areNotByte,
  type Code,
  choose,
  constant,
  get,
  highestBits,
  isEqual,
  isLess,
  load8,
  load16Bytes,
  or,
  orBytes,
  repeatWhile,
  select,
  set,
  shiftLeftBy,
  subtract,
  tee,
  when,
} from "../../../bytes/webassembly.ts";
import { CONTINUES, CONTROL, RETURN, WIDE } from "./row-finder.ts";
import type { RowLocals } from "./row-locals.ts";

const CARRIAGE_RETURN = 13;
const BLANK = 32;
const TAB = 9;
const DELETE = 127;
const STEP = 16;

/** Tells what kinds of bytes a row shows. Most have only plain ones, which a few instructions tell for 16 of them. */
export function addFlags(locals: RowLocals): Code {
  const { row, rowEnd, content, terminated, flags, place, seen, bytes } = locals;
  const here = load16Bytes(get(place));
  // Of signed bytes one higher, those of other characters, control characters and DELETE are the lowest.
  const areOdd = areBelowSigned(addToEachByte(here, 1), 33);
  const left = subtract(get(content), get(place));
  const within = subtract(
    shiftLeftBy(constant(1), select(isLess(left, constant(STEP)), left, constant(STEP))),
    constant(1),
  );
  const control = orBytes(
    andBytes(areBelow(get(bytes), BLANK), areNotByte(get(bytes), TAB)),
    areByte(get(bytes), DELETE),
  );
  const flag = (bits: Code, value: number): Code =>
    when(and(bits, within), set(flags, or(get(flags), constant(value))));
  return [
    ...choose(get(terminated), set(content, subtract(get(rowEnd), constant(1))), [
      ...set(content, get(rowEnd)),
      ...set(flags, or(get(flags), constant(CONTINUES))),
    ]),
    ...when(
      and(
        and(get(terminated), isLess(get(row), get(content))),
        isEqual(load8(subtract(get(content), constant(1))), constant(CARRIAGE_RETURN)),
      ),
      [...set(content, subtract(get(content), constant(1))), ...set(flags, or(get(flags), constant(RETURN)))],
    ),
    ...set(place, get(row)),
    ...set(seen, constant(0)),
    ...repeatWhile(isLess(get(place), get(content)), [
      ...set(seen, or(get(seen), and(highestBits(areOdd), within))),
      ...advance(place, constant(STEP)),
    ]),
    ...when(get(seen), [
      ...set(place, get(row)),
      ...repeatWhile(isLess(get(place), get(content)), [
        ...flag(highestBits(tee(bytes, here)), WIDE),
        ...flag(highestBits(control), CONTROL),
        ...advance(place, constant(STEP)),
      ]),
    ]),
  ];
}
