const NUMBERED = /^\s{0,8}(?:Line )?(\d{1,8})(?:\t|→|: ?|\| ?|\s?│ ?)/;
/** Numbers begin within so many lines that say something, or not at all. */
const FIRST_LINES = 5;

/** Takes away the numbers that a reader's tool puts before the lines of a file: `cat -n`, `12→`, `12: `, `00012| `. */
export class LineNumbers {
  #last = 0;
  #seen = 0;

  /** True when lines are known to have no numbers. */
  get none(): boolean {
    return this.#last === 0 && this.#seen >= FIRST_LINES;
  }

  /** How many characters of the line are its number. */
  width(text: string): number {
    if (this.none) return 0;
    if (text.trim() === "") return 0;
    this.#seen++;
    const match = NUMBERED.exec(text);
    const number = Number(match?.[1] ?? 0);
    if (match === null || number <= this.#last || (this.#last > 0 && number > this.#last + 1000)) return 0;
    this.#last = number;
    return match[0].length;
  }

  /** A further file begins. */
  restart(): void {
    this.#last = 0;
    this.#seen = 0;
  }
}
