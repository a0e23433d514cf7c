import { Relevance, type Tally } from "../../../query/relevance.ts";
import type { Analyzer, AnalyzerOptions, Position, Room, Selection } from "../analyzer.ts";
import { roomChars } from "../lines/fill-room.ts";
import { copyHeld, type HeldLine, lineAt } from "../lines/held-line.ts";
import { LineAnalyzer } from "../lines/line-analyzer.ts";
import { type LineSpan, shownText } from "../lines/line-reader.ts";
import { Reservoir } from "../lines/reservoir.ts";
import { LineNumbers } from "./line-numbers.ts";
import { selectSource } from "./select-source.ts";
import type { SourceBlock, SourceLine } from "./source-line.ts";
import { type Declaration, SourceParser } from "./source-parser.ts";

/** So many lines are read together, and so many behind them looked at. */
const PAGE_LINES = 1000;
const LOOKAHEAD_LINES = 60;
const BLOCK_LINES = 24;
/** What a held line takes besides its text. */
const LINE_CHARS = 120;
const HELD_CHARS = 2_000_000;
const MAX_DECLARATIONS = 8000;
const MAX_IMPORTS = 20_000;
/** Source declares something now and then; what never does is something else. */
const UNDECLARED_LINES = 1500;

const HEADING_WORTH = 100;

interface Page {
  readonly bare: string[];
  /** Whether words of the question may stand in a line. */
  readonly asked: boolean[];
  readonly lines: HeldLine[];
}

/** Reads source code: declarations as an outline, and the lines that the question asks for under their signatures. */
export function createCodeAnalyzer(options: AnalyzerOptions): Analyzer {
  return new CodeAnalyzer(options);
}

class CodeAnalyzer extends LineAnalyzer {
  readonly #parser = new SourceParser();
  readonly #numbers = new LineNumbers();
  readonly #relevance: Relevance;
  readonly #query: string;
  readonly #held: Reservoir<SourceBlock>;
  readonly #outline: Reservoir<SourceLine>;
  readonly #head: SourceLine[] = [];
  #page: Page = { bare: [], asked: [], lines: [] };
  #block: SourceBlock | undefined;
  #classes = 0;
  #functions = 0;
  readonly #imports: number[] = [];

  constructor({ room, query }: AnalyzerOptions) {
    const relevance = new Relevance(query, { shortened: true });
    super(relevance);
    this.#query = query;
    this.#relevance = relevance;
    this.#held = new Reservoir({
      maxChars: Math.max(HELD_CHARS, 8 * roomChars(room)),
      worth: (block) => this.#worth(block),
      place: (block) => block.lines[0]?.held.line ?? 0,
      chars: (block) => block.chars,
    });
    this.#outline = new Reservoir({
      maxChars: Math.max(HELD_CHARS, 8 * roomChars(room)),
      maxItems: MAX_DECLARATIONS,
      worth: ({ scope }) => this.#declarationWorth(scope),
      place: ({ held }) => held.line,
      chars: ({ held }) => held.text.length + LINE_CHARS,
    });
  }

  get wrongShape(): boolean {
    const { coded, declared, language } = this.#parser;
    // A dump of a database is rows for the most part.
    return language !== "sql" && coded > UNDECLARED_LINES && declared < coded / UNDECLARED_LINES;
  }

  protected get weighed(): number {
    return this.#held.weighed + this.#outline.weighed;
  }

  protected take(raw: string, span: Readonly<LineSpan>): void {
    const text = shownText(raw, span);
    if (SourceParser.isHeading(text)) this.#numbers.restart();
    this.#page.bare.push(text.slice(this.#numbers.width(text)));
    this.#page.asked.push(span.asked);
    this.#page.lines.push(lineAt(raw, span));
    if (this.#page.lines.length >= PAGE_LINES + LOOKAHEAD_LINES) this.#read(PAGE_LINES);
  }

  protected select(room: Room, total: Position): Selection {
    this.#read(this.#page.lines.length);
    this.#close();
    const blocks = this.#held.items;
    return selectSource({
      lines: blocks.flatMap((block) => block.lines),
      outline: this.#outline.items,
      head: this.#head,
      classes: this.#classes,
      functions: this.#functions,
      imports: this.#imports,
      query: this.#query,
      relevance: this.#relevance,
      room,
      total,
    });
  }

  #read(count: number): void {
    const { bare, asked, lines } = this.#page;
    for (let index = 0; index < count; index++) {
      const held = lines[index];
      if (held === undefined) break;
      const { kind, scope, indent } = this.#parser.read(bare, index, held.line);
      const text = bare[index] ?? "";
      const tally = kind === "blank" || asked[index] !== true ? undefined : this.#relevance.tally(text.slice(0, 2000));
      if (kind !== "blank") this.#relevance.observe(tally);
      const line: SourceLine = { held, kind, scope, indent, tally };
      this.#count(line);
      this.#add(line);
    }
    this.#page = { bare: bare.slice(count), asked: asked.slice(count), lines: lines.slice(count) };
  }

  #count(line: SourceLine): void {
    const { kind, scope, tally, held } = line;
    if (this.#head.length < 40) this.#head.push(ownLine(line));
    if (kind === "blank") return;
    if (kind === "import" && this.#imports.length < MAX_IMPORTS) this.#imports.push(held.line);
    if (kind === "head" && scope?.startLine === held.line) {
      scope.headTally = tally;
      if (scope.kind === "class") this.#classes++;
      else if (scope.kind === "function") this.#functions++;
      if (this.#outline.admits(this.#declarationWorth(scope), held.line)) this.#outline.add(ownLine(line));
    } else if (kind === "heading" && this.#outline.admits(HEADING_WORTH, held.line)) {
      this.#outline.add(ownLine(line));
    }
    for (let at = scope; at !== undefined; at = at.parent) {
      at.lines++;
      at.tally = addedTo(at.tally, tally);
    }
  }

  #add(line: SourceLine): void {
    const block = this.#block;
    if (block === undefined || block.scope !== line.scope || block.lines.length >= BLOCK_LINES) {
      this.#close();
      this.#block = { lines: [], scope: line.scope, tally: undefined, chars: 0 };
    }
    const open = this.#block as SourceBlock;
    open.lines.push(line);
    open.chars += line.held.text.length + LINE_CHARS;
    open.tally = addedTo(open.tally, line.tally);
  }

  #close(): void {
    const block = this.#block;
    this.#block = undefined;
    if (block === undefined) return;
    if (!this.#held.admits(this.#worth(block), block.lines[0]?.held.line ?? 0)) return;
    block.lines.forEach(ownLine);
    this.#held.add(block);
  }

  #worth(block: SourceBlock): number {
    return this.#relevance.score(block.tally) + 0.5 * this.#relevance.score(block.scope?.headTally);
  }

  #declarationWorth(declaration: Declaration | undefined): number {
    if (declaration === undefined) return HEADING_WORTH;
    const { kind, depth, headTally } = declaration;
    return this.#relevance.score(headTally) * 4 + (kind === "class" ? 2 : kind === "function" ? 1 : 0) - depth;
  }
}

/** Gives a line that is kept a text of its own, so that nothing else of the output stays alive. */
function ownLine(line: SourceLine): SourceLine {
  line.held = copyHeld(line.held);
  return line;
}

/** Adds in place, since every line is added to all that it stands in; only the first is copied. */
function addedTo(sum: Tally | undefined, tally: Tally | undefined): Tally | undefined {
  if (tally === undefined) return sum;
  if (sum === undefined) return tally.slice();
  for (let index = 0; index < sum.length; index++) {
    const count = (sum[index] ?? 0) + (tally[index] ?? 0);
    sum[index] = Math.min(255, count);
  }
  return sum;
}
