import { DOUBTFUL, END_SHIFT, MENTIONS, PARENTHESIS, SIGNS } from "../../../bytes/line-scan-code.ts";
import { OutputScanner } from "../../../bytes/line-scanner.ts";
import { SCAN_BYTES } from "../../../bytes/scan-steps.ts";
import { decode } from "../../../bytes/utf8.ts";
import { cleanLine, needsCleaning } from "../../clean.ts";
import { lineAt } from "../lines/held-line.ts";
import { LineReader, type LineSpan, MAX_LINE_BYTES, type Mentions, shownText } from "../lines/line-reader.ts";
import { isFileHeading, mayHead } from "./file-heading.ts";
import { LineNumbers } from "./line-numbers.ts";
import { linesOfOneText } from "./lines-of-one-text.ts";
import { PlacedPage } from "./placed-page.ts";
import { SourceText } from "./source-text.ts";

const NEWLINE = 10;
const RETURN = 13;

/** Reads bytes into a page, many lines at once; `onFull` may drop lines of the page, and says how many may then be added. */
export class SourceReader {
  readonly page: PlacedPage;
  readonly #lines: LineReader;
  readonly #numbers = new LineNumbers();
  readonly #question: Mentions | undefined;
  readonly #scanner: OutputScanner;
  readonly #onFull: () => number;
  /** How many lines may still be added. */
  #left: number;

  constructor(
    { capacity, lines }: { readonly capacity: number; readonly lines: number },
    question: Mentions | undefined,
    onFull: () => number,
  ) {
    this.page = new PlacedPage(capacity);
    this.#question = question;
    this.#scanner = new OutputScanner(question, { signs: true });
    this.#onFull = onFull;
    this.#left = lines;
    this.#lines = new LineReader(
      (text, span) => this.#takeLine(text, span),
      (lines, span) => this.#takeLines(lines, span),
    );
    this.#lines.question = question;
  }

  get work(): number {
    return this.#lines.work;
  }

  write(chunk: Uint8Array): void {
    this.#lines.write(chunk);
  }

  end(): void {
    this.#lines.end();
  }

  #takeLine(raw: string, span: Readonly<LineSpan>): void {
    const text = new SourceText(shownText(raw, span));
    const end = text.text.length;
    this.page.add(text, this.#numberWidth(text, 0, end), end);
    this.page.placeHeld(lineAt(raw, span), span.asked);
    this.#added();
  }

  #added(): void {
    if (--this.#left === 0) this.#left = this.#onFull();
  }

  /** Takes lines as ranges of one text; gives where it ended, or met a line that is too long for that. */
  #takeLines(bytes: Uint8Array, span: LineSpan): number {
    const { page } = this;
    const lines = bytes.subarray(0, linesOfOneText(bytes, this.work));
    const text = decode(lines);
    // Equal lengths mean one unit per byte: the two indices run together.
    const together = text.length === lines.length;
    const scanner = lines.length <= SCAN_BYTES ? this.#scanner.after(this.work) : undefined;
    const ends = scanner?.ends;
    scanner?.scan(lines, 0, false);
    const source = new SourceText(text, lines);
    const flagged = ends === undefined ? this.#flagsOf(text) : 0;
    let byte = 0;
    for (let start = 0, index = 0; start < text.length; index++) {
      const scanned = ends?.[index];
      const byteEnd = scanned === undefined ? lines.indexOf(NEWLINE, byte) + 1 : scanned >>> END_SHIFT;
      const rawEnd = together ? byteEnd - 1 : text.indexOf("\n", start);
      const flags = scanned ?? flagged;
      const end = (flags & DOUBTFUL) === 0 ? rawEnd : shownEnd(text, start, rawEnd);
      const length = byteEnd - byte;
      const chars = rawEnd + 1 - start;
      if (length > MAX_LINE_BYTES + 1) break;
      if (end === undefined) {
        const raw = text.slice(start, rawEnd);
        this.#takeLine(raw, { ...span, bytes: length, chars, terminated: true, cut: false, clean: false, asked: true });
      } else {
        page.add(source, start + this.#numberWidth(source, start, end), end, flags & (PARENTHESIS | SIGNS));
        page.place(start, rawEnd, span.byte, span.char, length, (flags & (MENTIONS | DOUBTFUL)) !== 0);
        this.#added();
      }
      span.line++;
      span.byte += length;
      span.char += chars;
      byte += length;
      start = rawEnd + 1;
    }
    return byte;
  }

  /** What may be said of lines that no scanner has seen. */
  #flagsOf(text: string): number {
    return PARENTHESIS | SIGNS | (needsCleaning(text) ? DOUBTFUL : 0) | (this.#question === undefined ? 0 : MENTIONS);
  }

  #numberWidth({ text, units }: SourceText, start: number, end: number): number {
    if (mayHead(units, start) && isFileHeading(text.slice(start, end))) this.#numbers.restart();
    return this.#numbers.none ? 0 : this.#numbers.width(text.slice(start, end));
  }
}

/** Where a line ends that is shown as it came, but for what ends it; undefined when it is shown otherwise. */
function shownEnd(text: string, start: number, end: number): number | undefined {
  const shown = cleanLine(text.slice(start, end));
  const bare = end > start && text.charCodeAt(end - 1) === RETURN ? end - 1 : end;
  return shown.length === bare - start && text.startsWith(shown, start) ? bare : undefined;
}
