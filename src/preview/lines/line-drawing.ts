import { makeSelection, type Piece, type Selection } from "../pieces.ts";
import { type HeldLine, showLine } from "./held-line.ts";

interface LineDrawingOptions {
  /** Characters of a line that are shown at most. */
  readonly lineChars: number;
  /** What stands where lines are left out between two that are shown. @default nothing */
  readonly marker?: (fromLine: number, toLine: number) => string;
}

/** One line of the drawing; a note stands where the line shown before it does. */
interface Drawn {
  readonly line: number;
  readonly text: string;
  readonly note: boolean;
  /** Of a note, the first line left out below it, where that is marked. */
  readonly from?: number | undefined;
}

/**
 * Draws lines of the output, and notes of our own between them. Whatever the order in which lines are shown, the text
 * has each once and in the order of the output, and the pieces say the same as the text.
 */
export class LineDrawing {
  readonly #options: LineDrawingOptions;
  readonly #drawn: Drawn[] = [];
  readonly #pieces: Piece[] = [];
  readonly #shown = new Set<number>();
  #last = 0;

  constructor(options: LineDrawingOptions) {
    this.#options = options;
  }

  /** The line shown last; 0 when a note came after it. */
  get last(): number {
    return this.#drawn.at(-1)?.note === false ? this.#last : 0;
  }

  /** Adds a line that is none of the output; `from` has the lines left out below it marked as those between lines are. */
  note(text: string, from?: number): void {
    this.#drawn.push({ line: this.#last, text, note: true, from });
  }

  /** Shows a line of the output, unless it is shown already. */
  show(held: HeldLine, reason: string, score: number): void {
    if (this.#shown.has(held.line)) return;
    this.#shown.add(held.line);
    this.#last = held.line;
    const { text, regions } = showLine(held, this.#options.lineChars);
    this.#drawn.push({ line: held.line, text, note: false });
    for (const { start, end } of regions) {
      const { line, byte, char, inLine } = start;
      this.#pieces.push({ start: { line, byte, char, inLine }, end, reason, score });
    }
  }

  /** With `last`, the last line of the output, what is left out at the end is marked too. */
  finish(last = 0): Selection {
    const { marker } = this.#options;
    const text: string[] = [];
    let before: Drawn | undefined;
    for (const drawn of [...this.#drawn].sort((a, b) => a.line - b.line)) {
      const next = drawn.note ? drawn.line : (lineBelow(before) ?? drawn.line);
      if (drawn.line > next && marker !== undefined) text.push(marker(next, drawn.line - 1));
      text.push(drawn.text);
      before = drawn;
    }
    const next = before === undefined ? 1 : (lineBelow(before) ?? last + 1);
    if (last >= next && marker !== undefined) text.push(marker(next, last));
    return makeSelection(text.join("\n"), this.#pieces);
  }
}

/** The first line below what was drawn that is shown or marked; undefined below a note without such marks. */
function lineBelow(drawn: Drawn | undefined): number | undefined {
  return drawn?.note === false ? drawn.line + 1 : drawn?.from;
}
