import type { Beginning } from "../bytes/line-scanner.ts";

/** Of the letters that are ASCII, those that others become in lower case: the Kelvin sign and the I with a dot. */
const BECOMES: Readonly<Record<string, readonly number[]>> = { k: [0xe2, 0x84, 0xaa], i: [0xc4, 0xb0] };
const NO_ASCII: readonly number[] = Array.from({ length: 128 }, (_, byte) => 128 + byte);
const MOST_CHARS = 4;
const encoder = new TextEncoder();

/** What the UTF-8 of a text may begin with that is, in lower case, this text or goes on after it. */
export function termBeginnings(term: string): Beginning[] {
  const beginnings: Beginning[] = [];
  const bytes: (readonly number[])[] = [];
  for (const character of [...term].slice(0, MOST_CHARS)) {
    const lower = character.toLowerCase();
    const upper = character.toUpperCase();
    const others = BECOMES[character];
    if (others !== undefined) beginnings.push([...bytes, ...others.map((byte) => [byte])]);
    if (character < "\x80") bytes.push(lower === upper ? [codeOf(lower)] : [codeOf(lower), codeOf(upper)]);
    else if (lower === upper && character.isWellFormed())
      bytes.push(...[...encoder.encode(character)].map((byte) => [byte]));
    else {
      // In upper case it may have another length.
      bytes.push(NO_ASCII);
      break;
    }
  }
  return [...beginnings, bytes];
}

function codeOf(character: string): number {
  return character.charCodeAt(0);
}
