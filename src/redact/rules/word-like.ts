import { isOf, LETTER, LOWER, UPPER } from "../byte-class.ts";

/** Which letters commonly follow one another in words and names, for a to z: 97 of 100 pairs in them are such. */
const FOLLOWERS =
  "bcdefghijklmnprstuvwyz aeilorstuy acehijklortuyz adeilnoprsuyz abcdefghijklmnopqrstuvwxyz aefilorstu aeghilnorsu aehilnortu abcdefgklmnopqrstuvxyz aeios aceilorstu acdegilmnostuvy abeilmopsu acdefgiklmnostuvyz abcdfgijklmnoprstuvwz aehiloprstu u abcdefgiklmnoprstuvwyz acdefghiklmnopstuyz acehiklmnorstuwyz abcdefgijklmnprstyz aeiouy aeinorsy ceipt acegiklmnopstw aeinouwyz";
const FIRST_LETTER = 0x61;
const COMMON = FOLLOWERS.split(" ").map((letters) =>
  [...letters].reduce((set, letter) => set | (1 << (letter.charCodeAt(0) - FIRST_LETTER)), 0),
);

const LEAST_RARE_PAIRS = 3;
/** Of pairs drawn at random every other is rare. */
const RARE_SHARE = 0.3;

/** True when letters follow one another as they do in no word; where a new word begins in a name does not count. */
export function isNoWord(bytes: Uint8Array, start: number, end: number): boolean {
  let pairs = 0;
  let rare = 0;
  for (let at = start + 1; at < end; at++) {
    const [before, now] = [bytes[at - 1]!, bytes[at]!];
    if (!isOf(before, LETTER) || !isOf(now, LETTER) || (isOf(before, LOWER) && isOf(now, UPPER))) continue;
    pairs++;
    if ((COMMON[(before | 0x20) - FIRST_LETTER]! & (1 << ((now | 0x20) - FIRST_LETTER))) === 0) rare++;
  }
  return rare >= LEAST_RARE_PAIRS && rare >= pairs * RARE_SHARE;
}
