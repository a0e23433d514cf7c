/** What all words for trouble in `gravity.ts` have one of. */
const PAIRS = "rr fa xc ni cr eb ok vu ej hy eo d_ nv";
const CLASSES = 28;

/** The letters by their place in the alphabet, whatever their case; 27 for an underscore. */
const CLASS = new Uint8Array(256);
for (let letter = 1; letter <= 26; letter++) {
  CLASS[64 + letter] = letter;
  CLASS[96 + letter] = letter;
}
CLASS[95] = 27;

const TELLING = new Uint8Array(CLASSES * CLASSES);
for (const pair of PAIRS.split(" ")) {
  TELLING[(CLASS[pair.charCodeAt(0)] as number) * CLASSES + (CLASS[pair.charCodeAt(1)] as number)] = 1;
}

/** False when no word for trouble can stand in these bytes. */
export function mayTellTrouble(bytes: Uint8Array, from: number, to: number): boolean {
  let before = 0;
  for (let at = from; at < to; at++) {
    const next = CLASS[bytes[at] as number] as number;
    if (TELLING[before * CLASSES + next] === 1) return true;
    before = next;
  }
  return false;
}
