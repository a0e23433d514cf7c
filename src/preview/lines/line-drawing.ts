import { byteLength } from "../../bytes/utf8.ts";
import { cleanLine } from "../clean.ts";
import { OPEN, OPEN_SHORT } from "../mark.ts";
import { formatPlural } from "../omission.ts";
import { makeSelection, type Piece, type Position, type Selection } from "../pieces.ts";
import type { LineSpan } from "./line-reader.ts";

/** One line kept in memory with its place in the raw output. */
export interface HeldLine {
  readonly text: string;
  readonly line: number;
  readonly byte: number;
  readonly char: number;
  readonly bytes: number;
  readonly chars: number;
  readonly terminated: boolean;
  readonly cut: boolean;
}

/** What stands in for lines that were left out: how many, and where, so that they can be read back. */
export function gapMarker(fromLine: number, toLine: number): string {
  return fromLine === toLine
    ? `${OPEN} line ${fromLine} …`
    : `${OPEN} ${formatPlural(toLine - fromLine + 1, "line")}: ${fromLine}-${toLine} …`;
}

/** The same where a heading tells what a range stands for. */
export function shortGapMarker(fromLine: number, toLine: number): string {
  return fromLine === toLine ? `${OPEN_SHORT} ${fromLine} …` : `${OPEN_SHORT} ${fromLine}-${toLine} …`;
}

/** What is shown of one line, and which raw regions that text stands for. */
interface ShownLine {
  readonly text: string;
  readonly regions: readonly { readonly start: Position; readonly end: Position }[];
}

/**
 * A copy that does not keep the text it was sliced from alive: joining and cutting again leaves a parent of only one
 * more character.
 */
export function copyText(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}

/** Copies a line out of the block it was read from, so that the block can be freed. */
export function holdLine(text: string, span: Readonly<LineSpan>): HeldLine {
  return lineAt(copyText(text), span);
}

/** A line that still shares its text with the block it was read from; only for as long as that is read. */
export function lineAt(text: string, span: Readonly<Omit<LineSpan, "clean" | "asked">>): HeldLine {
  const { line, byte, char, bytes, chars, terminated, cut } = span;
  return { text, line, byte, char, bytes, chars, terminated, cut };
}

/** The line with a text of its own. */
export function copyHeld(held: HeldLine): HeldLine {
  return lineAt(copyText(held.text), held);
}

/** The whole line, cleaned; or, when it is longer than `maxChars`, a window around `focus` with exact counts beside. */
export function showLine(held: HeldLine, maxChars: number, focus = 0): ShownLine {
  const newline = held.terminated ? 1 : 0;
  const length = held.chars - newline;
  if (!held.cut && length <= maxChars) {
    const bare = held.text.endsWith("\r") ? held.text.slice(0, -1) : held.text;
    return { text: cleanLine(bare), regions: [{ start: held, end: endOfLine(held) }] };
  }
  const from = boundary(held.text, focus < maxChars * 0.75 ? 0 : focus - Math.floor(maxChars / 3));
  const to = boundary(held.text, Math.min(held.text.length, from + maxChars));
  const before = from > 0 ? `${OPEN_SHORT} ${formatPlural(from, "character")} … ` : "";
  const after = ` ${OPEN_SHORT} ${formatPlural(length - to, "character")} …`;
  const slice = held.text.slice(from, to);
  const text = before + cleanLine(slice) + (length > to ? after : "");
  // Bytes that are no text decode to a replacement of another length: then no region inside the line is exact.
  if (held.text.includes("\ufffd")) return { text, regions: [] };
  const startByte = held.byte + byteLength(held.text.slice(0, from));
  const start = { line: held.line, byte: startByte, char: held.char + from, inLine: from > 0 };
  const end = { line: held.line, byte: startByte + byteLength(slice), char: held.char + to, inLine: true };
  return { text, regions: [{ start, end }] };
}

/** The position just after the line and its newline. */
function endOfLine(held: HeldLine): Position {
  const byte = held.byte + held.bytes;
  const char = held.char + held.chars;
  return held.terminated ? { line: held.line + 1, byte, char } : { line: held.line, byte, char, inLine: true };
}

function boundary(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff && index > 0 ? index - 1 : index;
}

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
