const CDATA = "[CDATA[";
const DASH = 45;
const GT = 62;
const EXCLAMATION = 33;

/** Follows what begins with `<!` or `<?` to its end: a comment, `<!DOCTYPE …>`, `<? … >`, or the beginning of CDATA. */
export class Comment {
  /** True once it was found to be CDATA. */
  cdata = false;
  #taken = 0;
  /** How much of the beginning of CDATA has been matched. */
  #opened = 0;
  /** Dashes of `<!--` and, above two, of `-->`; -1 when it has none. */
  #dashes = 0;

  /** `byte` is the one behind the bracket. */
  begin(byte: number): void {
    this.cdata = false;
    this.#taken = 0;
    this.#opened = 0;
    this.#dashes = byte === EXCLAMATION ? 0 : -1;
  }

  /** Takes the next byte; true when it is the last. */
  take(byte: number): boolean {
    if (byte === CDATA.charCodeAt(this.#opened) && this.#opened === this.#taken) {
      this.cdata = ++this.#opened === CDATA.length;
      if (this.cdata) return true;
    }
    this.#taken++;
    if (this.#dashes >= 0) {
      if (this.#taken <= 2 && byte === DASH) this.#dashes++;
      if (this.#taken === 2 && this.#dashes < 2) this.#dashes = -1;
    }
    if (this.#dashes < 2) return byte === GT;
    if (byte === GT && this.#dashes >= 4 && this.#taken > 3) return true;
    this.#dashes = byte === DASH ? Math.min(this.#dashes + 1, 4) : 2;
    return false;
  }
}
