const BLANK = 32;
const TAB = 9;
const LAST_CONTROL_BLANK = 13;
export const ASCII = 128;

function isBlank(unit: number): boolean {
  return unit === BLANK || (unit >= TAB && unit <= LAST_CONTROL_BLANK);
}

/** Where the first character stands, from a place on, that is no blank of ASCII. */
export function firstShown(text: string, from = 0): number {
  const { length } = text;
  let at = from;
  while (at < length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** Where the last character stands that is no blank of ASCII; -1 when there is none. */
export function lastShown(text: string): number {
  let at = text.length - 1;
  while (at >= 0 && isBlank(text.charCodeAt(at))) at--;
  return at;
}

/**
 * Tells in no time that a pattern cannot match, by the character with which it would have to begin or end: true for those
 * given and all that are not ASCII.
 */
export class FewUnits {
  readonly #units = new Uint8Array(ASCII);

  constructor(characters: string) {
    for (const character of characters) {
      const unit = character.charCodeAt(0);
      if (unit < ASCII) this.#units[unit] = 1;
    }
  }

  has(unit: number): boolean {
    return unit >= ASCII || this.#units[unit] === 1;
  }
}
