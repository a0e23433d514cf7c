import { Relevance, type Tally } from "../../../query/relevance.ts";
import type { Analyzer, AnalyzerOptions, Position, Room, Selection } from "../analyzer.ts";
import { roomChars } from "../lines/fill-room.ts";
import { Reservoir } from "../lines/reservoir.ts";
import { addedTo, countLine, type Declaration } from "./declaration.ts";
import { selectSource } from "./select-source.ts";
import { keepBlock, type SourceBlock } from "./source-block.ts";
import { keepLine, type SourceLine } from "./source-line.ts";
import { type LineKind, SourceParser } from "./source-parser.ts";
import { SourceReader } from "./source-reader.ts";

/** So many lines are read together, and so many behind them looked at. */
const PAGE_LINES = 1000;
const LOOKAHEAD_LINES = 60;
const BLOCK_LINES = 24;
/** What a held line takes besides its text. */
const LINE_CHARS = 120;
const HELD_CHARS = 2_000_000;
const HEAD_LINES = 40;
const MAX_DECLARATIONS = 8000;
const MAX_IMPORTS = 20_000;
/** Characters of a line in which words of the question are looked for. */
const TALLIED_CHARS = 2000;
/** Source declares something now and then; what never does is something else. */
const UNDECLARED_LINES = 1500;

const HEADING_WORTH = 100;

/** Reads source code: declarations as an outline, and the lines that the question asks for under their signatures. */
export function createCodeAnalyzer(options: AnalyzerOptions): Analyzer {
  return new CodeAnalyzer(options);
}

class CodeAnalyzer implements Analyzer {
  readonly #parser = new SourceParser();
  readonly #reader: SourceReader;
  readonly #relevance: Relevance;
  readonly #query: string;
  readonly #held: Reservoir<SourceBlock>;
  readonly #outline: Reservoir<SourceLine>;
  readonly #head: SourceLine[] = [];
  readonly #imports: number[] = [];
  #classes = 0;
  #functions = 0;
  /** Lines of the page that were read; the last of them are the open block. */
  #read = 0;
  #blockStart = 0;
  #blockScope: Declaration | undefined;
  #blockTally: Tally | undefined;
  #blockChars = 0;

  constructor({ room, query }: AnalyzerOptions) {
    const relevance = new Relevance(query, { shortened: true });
    this.#query = query;
    this.#relevance = relevance;
    this.#reader = new SourceReader(
      { capacity: BLOCK_LINES + PAGE_LINES + LOOKAHEAD_LINES, lines: PAGE_LINES + LOOKAHEAD_LINES },
      relevance.empty ? undefined : relevance,
      () => this.#readPage(),
    );
    this.#held = new Reservoir({
      maxChars: Math.max(HELD_CHARS, 8 * roomChars(room)),
      worth: ({ tally, scope }) => this.#worth(tally, scope),
      place: ({ line }) => line,
      chars: ({ chars }) => chars,
    });
    this.#outline = new Reservoir({
      maxChars: Math.max(HELD_CHARS, 8 * roomChars(room)),
      maxItems: MAX_DECLARATIONS,
      worth: ({ scope }) => this.#declarationWorth(scope),
      place: ({ line }) => line,
      chars: ({ held }) => held.text.length + LINE_CHARS,
    });
  }

  get wrongShape(): boolean {
    const { coded, declared, language } = this.#parser;
    // A dump of a database is rows for the most part.
    return language !== "sql" && coded > UNDECLARED_LINES && declared < coded / UNDECLARED_LINES;
  }

  get work(): number {
    return this.#reader.work + this.#held.weighed + this.#outline.weighed;
  }

  write(chunk: Uint8Array): void {
    this.#reader.write(chunk);
  }

  finish(room: Room, total: Position): Selection {
    this.#reader.end();
    this.#readUntil(this.#reader.page.count);
    this.#closeBlock();
    this.#parser.end();
    const lines: SourceLine[] = [];
    for (const block of this.#held.items) block.giveLines(lines);
    return selectSource({
      lines,
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

  /** Reads what has enough lines behind it, and makes room for as many. */
  #readPage(): number {
    const { page } = this.#reader;
    this.#readUntil(this.#read + PAGE_LINES);
    const done = this.#blockStart;
    page.drop(done);
    this.#read -= done;
    this.#blockStart = 0;
    return PAGE_LINES;
  }

  #readUntil(end: number): void {
    const { page } = this.#reader;
    const parser = this.#parser;
    const asks = !this.#relevance.empty;
    for (; this.#read < end; this.#read++) {
      const index = this.#read;
      const kind = parser.read(page, index, page.line + index);
      page.kinds[index] = kind;
      const { scope } = parser;
      const tally = asks && kind !== "blank" ? this.#tally(index) : undefined;
      page.tallies[index] = tally;
      if (kind !== "code" || this.#head.length < HEAD_LINES) this.#note(index, kind, scope);
      if (kind !== "blank") countLine(scope, tally);
      if (scope !== this.#blockScope || index - this.#blockStart >= BLOCK_LINES) this.#closeBlock();
      this.#blockScope = scope;
      this.#blockTally = addedTo(this.#blockTally, tally);
      this.#blockChars += page.rawLength(index) + LINE_CHARS;
    }
  }

  /** Counts the words of the question in a line. */
  #tally(index: number): Tally | undefined {
    const { page } = this.#reader;
    const text = page.asked[index] === 0 ? undefined : page.text(index);
    const tally = text === undefined ? undefined : this.#relevance.tally(text.slice(0, TALLIED_CHARS));
    this.#relevance.observe(tally);
    return tally;
  }

  /** Keeps what belongs to the beginning and to the outline. */
  #note(index: number, kind: LineKind, scope: Declaration | undefined): void {
    const { page } = this.#reader;
    const line = page.line + index;
    if (this.#head.length < HEAD_LINES) this.#head.push(keepLine(page, index, scope));
    if (kind === "import" && this.#imports.length < MAX_IMPORTS) this.#imports.push(line);
    if (kind === "head" && scope?.startLine === line) {
      scope.headTally = page.tallies[index];
      if (scope.kind === "class") this.#classes++;
      else if (scope.kind === "function") this.#functions++;
      if (this.#outline.admits(this.#declarationWorth(scope), line)) this.#outline.add(keepLine(page, index, scope));
    } else if (kind === "heading" && this.#outline.admits(HEADING_WORTH, line)) {
      this.#outline.add(keepLine(page, index, scope));
    }
  }

  #closeBlock(): void {
    const { page } = this.#reader;
    const from = this.#blockStart;
    const to = this.#read;
    const tally = this.#blockTally;
    const scope = this.#blockScope;
    if (from < to && this.#held.admits(this.#worth(tally, scope), page.line + from))
      this.#held.add(keepBlock(page, from, to, { scope, tally, chars: this.#blockChars }));
    this.#blockStart = to;
    this.#blockTally = undefined;
    this.#blockChars = 0;
  }

  #worth(tally: Tally | undefined, scope: Declaration | undefined): number {
    return this.#relevance.score(tally) + 0.5 * this.#relevance.score(scope?.headTally);
  }

  #declarationWorth(declaration: Declaration | undefined): number {
    if (declaration === undefined) return HEADING_WORTH;
    const { kind, depth, headTally } = declaration;
    return this.#relevance.score(headTally) * 4 + (kind === "class" ? 2 : kind === "function" ? 1 : 0) - depth;
  }
}
