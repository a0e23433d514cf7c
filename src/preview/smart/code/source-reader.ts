import { decode } from "../../../bytes/utf8.ts";
import { cleanLine, needsCleaning } from "../../clean.ts";
import { lineAt } from "../lines/held-line.ts";
import { LineReader, type LineSpan, MAX_LINE_BYTES, type Mentions, shownText } from "../lines/line-reader.ts";
import { isFileHeading } from "./file-heading.ts";
import { LineNumbers } from "./line-numbers.ts";
import { linesOfOneText } from "./lines-of-one-text.ts";
import { PlacedPage } from "./placed-page.ts";

const NEWLINE = 10;
const RETURN = 13;

/** Reads bytes into a page, many lines at once; `onLine` is called after each line and may drop lines of the page. */
export class SourceReader {
  readonly page: PlacedPage;
  readonly #lines: LineReader;
  readonly #numbers = new LineNumbers();
  readonly #question: Mentions | undefined;
  readonly #onLine: () => void;

  constructor(capacity: number, question: Mentions | undefined, onLine: () => void) {
    this.page = new PlacedPage(capacity);
    this.#question = question;
    this.#onLine = onLine;
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
    const text = shownText(raw, span);
    this.page.add(text, this.#numberWidth(text, 0, text.length), text.length);
    this.page.placeHeld(lineAt(raw, span), span.asked);
    this.#onLine();
  }

  /** Takes lines as ranges of one text; gives where it ended, or met a line that is too long for that. */
  #takeLines(bytes: Uint8Array, span: LineSpan): number {
    const { page } = this;
    const question = this.#question;
    const lines = bytes.subarray(0, linesOfOneText(bytes, this.work));
    const text = decode(lines);
    // Equal lengths mean one unit per byte: the two indices run together.
    const together = text.length === lines.length;
    const clean = !needsCleaning(text);
    const lower = question === undefined ? "" : text.toLowerCase();
    const searched = question !== undefined && lower.length === text.length;
    let mention = -1;
    let byte = 0;
    for (let start = 0; start < text.length; ) {
      const rawEnd = text.indexOf("\n", start);
      const end = clean ? rawEnd : shownEnd(text, start, rawEnd);
      const length = (together ? rawEnd : lines.indexOf(NEWLINE, byte)) + 1 - byte;
      const chars = rawEnd + 1 - start;
      if (length > MAX_LINE_BYTES + 1) break;
      if (searched && mention < start) mention = question.nextMention(lower, start);
      if (end === undefined) {
        const raw = text.slice(start, rawEnd);
        this.#takeLine(raw, { ...span, bytes: length, chars, terminated: true, cut: false, clean: false, asked: true });
      } else {
        page.add(text, start + this.#numberWidth(text, start, end), end);
        page.place(start, rawEnd, span.byte, span.char, length, !searched || mention < rawEnd);
        this.#onLine();
      }
      span.line++;
      span.byte += length;
      span.char += chars;
      byte += length;
      start = rawEnd + 1;
    }
    return byte;
  }

  #numberWidth(text: string, start: number, end: number): number {
    if (isFileHeading(text, start, end)) this.#numbers.restart();
    return this.#numbers.none ? 0 : this.#numbers.width(text.slice(start, end));
  }
}

/** Where a line ends that is shown as it came, but for what ends it; undefined when it is shown otherwise. */
function shownEnd(text: string, start: number, end: number): number | undefined {
  const shown = cleanLine(text.slice(start, end));
  const bare = end > start && text.charCodeAt(end - 1) === RETURN ? end - 1 : end;
  return shown.length === bare - start && text.startsWith(shown, start) ? bare : undefined;
}
