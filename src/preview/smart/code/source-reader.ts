import { cleanLine } from "../../clean.ts";
import { lineAt } from "../lines/held-line.ts";
import { LineReader, type LineSpan, MAX_LINE_BYTES, type Mentions, shownText } from "../lines/line-reader.ts";
import { isFileHeading } from "./file-heading.ts";
import { LineNumbers } from "./line-numbers.ts";
import { PlacedPage } from "./placed-page.ts";

const NEWLINE = 10;
const RETURN = 13;

/** Reads bytes into a page, many lines at once; `onLine` is called after each line and may drop lines of the page. */
export class SourceReader {
  readonly page: PlacedPage;
  readonly #lines: LineReader;
  readonly #numbers = new LineNumbers();
  readonly #onLine: () => void;

  constructor(capacity: number, question: Mentions | undefined, onLine: () => void) {
    this.page = new PlacedPage(capacity);
    this.#onLine = onLine;
    this.#lines = new LineReader(
      (text, span) => this.#takeLine(text, span),
      (text, block, span, mentions) => this.#takeBlock(text, block, span, mentions),
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
    this.page.placeChanged(lineAt(raw, span), span.asked);
    this.#onLine();
  }

  #takeBlock(
    text: string,
    block: Uint8Array,
    span: LineSpan,
    mentions: ((from: number) => number) | undefined,
  ): number {
    const { page } = this;
    // Equal lengths mean one unit per byte: the two indices run together.
    const together = text.length === block.length;
    let char = 0;
    let byte = 0;
    span.terminated = true;
    span.cut = false;
    while (char < text.length) {
      const charEnd = text.indexOf("\n", char);
      const byteEnd = together ? charEnd : block.indexOf(NEWLINE, byte);
      const bytes = byteEnd + 1 - byte;
      if (bytes > MAX_LINE_BYTES + 1) break;
      span.bytes = bytes;
      span.chars = charEnd + 1 - char;
      span.asked = mentions === undefined || mentions(char) < charEnd;
      const end = span.clean ? charEnd : shownEnd(text, char, charEnd);
      if (end === undefined) {
        this.#takeLine(text.slice(char, charEnd), span);
      } else {
        page.add(text, char + this.#numberWidth(text, char, end), end);
        page.place(char, charEnd, span.byte, span.char, bytes, span.asked);
        this.#onLine();
      }
      span.line++;
      span.byte += bytes;
      span.char += span.chars;
      char = charEnd + 1;
      byte = byteEnd + 1;
    }
    return char;
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
