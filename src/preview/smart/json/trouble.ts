/** What all words for trouble in `gravity.ts` have one of. Pairs would do, but one of them stands in most checksums. */
const TRIPLES = "rro fai fat xce nic cra cri ceb oke vul eni eje nhe meo d_o nva rni";
const BITS = 5;
const MASK = (1 << (3 * BITS)) - 1;

/** The letters by their place in the alphabet, whatever their case; 27 for an underscore. */
const CLASS = new Uint8Array(256);
for (let letter = 1; letter <= 26; letter++) {
  CLASS[64 + letter] = letter;
  CLASS[96 + letter] = letter;
}
CLASS[95] = 27;

const TELLING = new Uint8Array(MASK + 1);
for (const triple of TRIPLES.split(" ")) {
  let code = 0;
  for (const char of triple) code = (code << BITS) | (CLASS[char.charCodeAt(0)] as number);
  TELLING[code] = 1;
}

/** False when no word for trouble can stand in these bytes. */
export function mayTellTrouble(bytes: Uint8Array, from: number, to: number): boolean {
  let last = 0;
  for (let at = from; at < to; at++) {
    last = ((last << BITS) | (CLASS[bytes[at] as number] as number)) & MASK;
    if (TELLING[last] === 1) return true;
  }
  return false;
}
