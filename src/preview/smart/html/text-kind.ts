/** What the bytes of a text are, as flags of all of them together. */
export const PLAIN = 1;
export const BLANK = 2;
/** White space other than a blank. */
export const SPACE = 4;
/** A control character, or the sign of a character reference, which may stand for one. */
export const ODD = 8;
export const REFERENCE = 16;
/** A byte of a character that is not ASCII. */
export const WIDE = 32;
/** Two blanks in a row. */
export const UNEVEN = 64;
/** Not of a text: where a tag may begin, and where CDATA may end. */
export const ENDING = 128;

/** The flag of every byte; `CDATA_KIND` is for text in CDATA. */
export const KIND = new Uint8Array(256).fill(PLAIN);
KIND.fill(ODD, 0, 32);
KIND.fill(SPACE, 9, 14);
KIND[32] = BLANK;
KIND[38] = REFERENCE;
KIND[60] = ENDING;
KIND[127] = ODD;
KIND.fill(WIDE, 128);

export const CDATA_KIND = KIND.slice();
CDATA_KIND[62] = ENDING;
