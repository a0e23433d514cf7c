import { latePattern } from "../../query/late-pattern.ts";

/** What the tokenizer's pieces tell apart. `EITHER` are letters without case, and marks. */
export const OTHER = 1;
export const UPPER = 2;
export const LOWER = 3;
export const EITHER = 4;
export const DIGIT = 5;
export const BLANK = 6;
export const NEWLINE = 7;
/** Half of a character outside the basic plane. */
export const SURROGATE = 8;

const KINDS: readonly (readonly [kind: () => RegExp, number])[] = [
  [() => /[\r\n]/, NEWLINE],
  [() => /\s/, BLANK],
  [latePattern(String.raw`[\p{Lu}\p{Lt}]`, "u"), UPPER],
  [latePattern(String.raw`\p{Ll}`, "u"), LOWER],
  [latePattern(String.raw`[\p{Lm}\p{Lo}\p{M}]`, "u"), EITHER],
  [latePattern(String.raw`\p{N}`, "u"), DIGIT],
  [latePattern(String.raw`\p{Cs}`, "u"), SURROGATE],
];

const classes = new Uint8Array(0x10000);

/** The class of a UTF-16 unit. */
export function classOf(unit: number): number {
  return classes[unit] || learn(unit);
}

function learn(unit: number): number {
  const char = String.fromCharCode(unit);
  const found = KINDS.find(([kind]) => kind().test(char))?.[1] ?? OTHER;
  classes[unit] = found;
  return found;
}
