import { addTallies, type Relevance, type Tally } from "../../query/relevance.ts";
import { roomChars } from "../lines/fill-room.ts";
import { type HeldLine, holdLine } from "../lines/line-drawing.ts";
import { type LineSpan, shownText } from "../lines/line-reader.ts";
import { Reservoir } from "../lines/reservoir.ts";
import type { Room } from "../pieces.ts";
import {
  declarationOf,
  FORM_CHARS,
  isFileHeading,
  kindOf,
  type LineKind,
  LineNumbers,
  opensBlock,
} from "./line-kind.ts";

/** What a declaration and the lines indented below it have in common. */
export interface Scope {
  /** A file stands for all of its lines, where several follow each other. */
  readonly kind: "file" | "type" | "function";
  readonly head: TextLine;
  readonly parent: Scope | undefined;
  /** Lines directly in it that are not blank, and the words of the question in them. */
  lines: number;
  tally: Tally | undefined;
}

/** A line of the output that may be shown. */
export interface TextLine {
  readonly held: HeldLine;
  /** As it is shown, without the number that a tool put before it and the white space around it. */
  readonly text: string;
  /** Columns that it is indented by; -1 for a blank line. */
  readonly indent: number;
  kind: LineKind;
  scope: Scope | undefined;
  /** How often each word of the question stands in it. */
  readonly tally: Tally | undefined;
}

const BLOCK_LINES = 24;
/** What a held line takes besides its text. */
const LINE_CHARS = 120;
const HELD_CHARS = 2_000_000;
/** Characters of a line in which words of the question are looked for. */
const TALLIED_CHARS = 2000;
const TAB_COLUMNS = 4;
/** One line of so many is asked what it declares. Source declares something now and then; what never does is something else. */
const SAMPLE_STEP = 8;
const UNDECLARED_LINES = 1500;
const DATA = /^(?:insert|create|alter|copy|drop|select)\b|^\(/i;

interface Block {
  readonly lines: readonly TextLine[];
  readonly tally: Tally | undefined;
  readonly chars: number;
}

/**
 * Lines of an output in bounded memory: all of them while they are few; then the first, the last, and of those between
 * the blocks that say most of what is asked.
 */
export class HeldText {
  readonly #relevance: Relevance;
  readonly #numbers = new LineNumbers();
  readonly #endChars: number;
  readonly #first: Block[] = [];
  #firstChars = 0;
  readonly #between: Reservoir<Block>;
  #last: Block[] = [];
  #lastChars = 0;
  #lines: TextLine[] = [];
  #tally: Tally | undefined;
  #chars = 0;
  #sampled = 0;
  #declared = 0;

  constructor(room: Room, relevance: Relevance) {
    const held = Math.max(HELD_CHARS, 8 * roomChars(room));
    this.#relevance = relevance;
    this.#endChars = held / 4;
    this.#between = new Reservoir({
      maxChars: held / 2,
      worth: ({ tally }) => relevance.score(tally),
      place: placeOf,
      chars: ({ chars }) => chars,
    });
  }

  /** True when what came so far declares too little to be source. A dump of a database is rows for the most part. */
  get undeclared(): boolean {
    return this.#sampled > UNDECLARED_LINES && this.#declared < this.#sampled / UNDECLARED_LINES;
  }

  /** Blocks weighed so far because memory ran short. */
  get weighed(): number {
    return this.#between.weighed;
  }

  add(raw: string, span: Readonly<LineSpan>): void {
    const held = holdLine(raw, span);
    const shown = shownText(held.text, span);
    if (isFileHeading(shown)) this.#numbers.restart();
    const numbered = this.#numbers.none ? 0 : this.#numbers.width(shown);
    const text = shown.slice(numbered).trim();
    if (span.line % SAMPLE_STEP === 0 && kindOf(text.slice(0, FORM_CHARS)) === "code") {
      this.#sampled++;
      if (DATA.test(text) || declarationOf(text.slice(0, FORM_CHARS), () => false) !== undefined) this.#declared++;
    }
    const tally = text === "" || !span.asked ? undefined : this.#relevance.tally(text.slice(0, TALLIED_CHARS));
    this.#relevance.observe(tally);
    const indent = text === "" ? -1 : columnsOf(shown, numbered);
    this.#lines.push({ held, text, indent, kind: "code", scope: undefined, tally });
    this.#tally = addTallies(this.#tally, tally);
    this.#chars += raw.length + LINE_CHARS;
    if (this.#lines.length === BLOCK_LINES) this.#endBlock();
  }

  /** All that is held, in order. */
  finish(): TextLine[] {
    if (this.#lines.length > 0) this.#endBlock();
    const between = [...this.#between.items].sort((a, b) => placeOf(a) - placeOf(b));
    return [this.#first, between, this.#last].flatMap((blocks) => blocks.flatMap(({ lines }) => lines));
  }

  #endBlock(): void {
    const block = { lines: this.#lines, tally: this.#tally, chars: this.#chars };
    this.#lines = [];
    this.#tally = undefined;
    this.#chars = 0;
    if (this.#firstChars < this.#endChars) {
      this.#first.push(block);
      this.#firstChars += block.chars;
      return;
    }
    this.#last.push(block);
    this.#lastChars += block.chars;
    if (this.#lastChars > 2 * this.#endChars) this.#moveOn();
  }

  /** The older half of the last blocks is no longer the end. */
  #moveOn(): void {
    const kept: Block[] = [];
    let chars = 0;
    for (const block of this.#last.toReversed()) {
      chars += block.chars;
      if (chars <= this.#endChars) kept.push(block);
      else if (!this.#relevance.empty && this.#between.admits(this.#relevance.score(block.tally), placeOf(block)))
        this.#between.add(block);
    }
    this.#last = kept.reverse();
    this.#lastChars = kept.reduce((sum, block) => sum + block.chars, 0);
  }
}

function placeOf({ lines }: Block): number {
  return lines[0]?.held.line ?? 0;
}

function columnsOf(text: string, from: number): number {
  let columns = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 9) columns += TAB_COLUMNS;
    else if (unit === 32) columns++;
    else break;
  }
  return columns;
}

/** Lines that end what opened at their indentation and still belong to it. */
const CLOSES = /^(?:[{})\]]|end\b)/;
/** Lines that stand at the left wherever they belong. */
const APART =
  /^#\s*(?:if|ifdef|ifndef|else|elif|endif|define|undef|pragma)|^(?!else|try|finally|default)\w+:(?:$|\s*\/\/)/;
const DOC_QUOTE = /"""|'''/g;
const BEGINS_DOC = /^[rRuUbB]{0,2}(?:"""|''')/;

/** Finds the kind of each line and the declaration that it belongs to, by indentation, whatever the language. */
export function readScopes(lines: readonly TextLine[]): void {
  const texts = lines.map(({ text }) => text.slice(0, FORM_CHARS));
  const open: Scope[] = [];
  let inDoc = false;
  let inImport = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as TextLine;
    const text = texts[index] as string;
    const previous = lines[index - 1];
    // What stands between was not held: nobody knows what it opened or closed.
    if (previous !== undefined && previous.held.line + 1 < line.held.line) {
      inDoc = false;
      inImport = false;
    }
    line.kind = kindOf(text);
    if (line.indent === 0 && isFileHeading(text)) {
      open.length = 0;
      open.push(scopeOf("file", line, undefined));
      line.kind = "heading";
      inDoc = false;
      inImport = false;
    } else if (line.kind !== "blank") {
      const quotes = text.match(DOC_QUOTE)?.length ?? 0;
      if (inDoc || BEGINS_DOC.test(text)) {
        line.kind = "comment";
        inDoc = inDoc !== (quotes % 2 === 1);
      } else if (inImport) {
        line.kind = "import";
        inImport = !/[)}]|;$/.test(text);
      } else if (line.kind === "import") inImport = /[({]$/.test(text);
      if (line.kind !== "comment" && !APART.test(text)) leave(open, line, text);
      if (line.kind === "code") {
        const declared = declarationOf(text, () => opensBlock(texts, index));
        if (declared !== undefined) {
          line.kind = "declaration";
          open.push(scopeOf(declared, line, open.at(-1)));
        }
      }
    }
    line.scope = open.at(-1);
  }
  giveCommentsToNext(lines);
  for (const { kind, scope, tally } of lines) {
    if (kind === "blank" || scope === undefined) continue;
    scope.lines++;
    scope.tally = addTallies(scope.tally, tally);
  }
}

function scopeOf(kind: Scope["kind"], head: TextLine, parent: Scope | undefined): Scope {
  return { kind, head, parent, lines: 0, tally: undefined };
}

/** Ends what a line no longer belongs to. */
function leave(open: Scope[], { indent }: TextLine, text: string): void {
  for (let last = open.at(-1); last !== undefined && last.kind !== "file"; last = open.at(-1)) {
    const { indent: outer } = last.head;
    if (indent > outer || (indent === outer && CLOSES.test(text))) return;
    open.pop();
  }
}

/** A comment belongs to what follows it at the same indentation. */
function giveCommentsToNext(lines: readonly TextLine[]): void {
  let next: TextLine | undefined;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] as TextLine;
    if (line.kind === "blank") continue;
    const comment = line.kind === "comment" && !BEGINS_DOC.test(line.text) && !line.text.endsWith('"""');
    if (comment && next?.indent === line.indent && next.kind !== "closer") line.scope = next.scope;
    next = line;
  }
}
