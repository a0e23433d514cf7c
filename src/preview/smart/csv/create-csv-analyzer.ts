import { Relevance } from "../../../query/relevance.ts";
import { cleanLine } from "../../clean.ts";
import { fillRoom, roomChars } from "../../lines/fill-room.ts";
import { gapMarker, type HeldLine, holdLine, LineDrawing, lineAt } from "../../lines/line-drawing.ts";
import { copySpan, LineAnalyzer, type LineSpan, type Mentions, newSpan, shownText } from "../../lines/line-reader.ts";
import { Reservoir, scatter } from "../../lines/reservoir.ts";
import { HEADING } from "../../mark.ts";
import { formatCount, formatPlural } from "../../omission.ts";
import type { Analyzer, AnalyzerOptions, Room, Selection } from "../analyzer.ts";
import { ALIGNED_SAMPLE, breaksColumns, findAlignedColumns, isRule, splitAligned } from "./aligned-columns.ts";
import {
  beginningOf,
  type Delimiter,
  endsOf,
  findDelimiter,
  highOf,
  lowOf,
  RareValues,
  splitRow,
  TableColumns,
} from "./table-columns.ts";

interface Row {
  readonly held: HeldLine;
  readonly number: number;
  reason: string;
  score: number;
}

const MAX_HELD = 3000;
const MAX_RANGES = 12;
/** What a row with a rare value is worth: one of each value comes before a second. */
const RARE_SCORES = [4.5, 2.8, 2.6];
const MOST_RARE = 60;
/** What a line is worth that is no row of the table, such as a sum below it or the rest of a cell, and how many are. */
const BESIDE_SCORE = 2.5;
const MOST_BESIDE = 40;
const SUMMARY_CHARS = 600;
/** Of what is drawn or aligned all cells are read, for values that are rare. */
const CUT_WHOLE: ReadonlySet<Delimiter> = new Set<Delimiter>(["  ", "|", "│"]);
/** Lines between columns; the cells of such a table are not told by blanks alone. */
const DRAWN: ReadonlySet<Delimiter> = new Set<Delimiter>(["|", "│"]);
/** As are the few of a list such as `git diff --name-status`. */
const FEW_CELLS = 4;

/** Reads CSV, TSV, drawn and aligned tables: header, a sample of the whole range, extremes, rare states, trouble. */
export function createCsvAnalyzer(options: AnalyzerOptions): Analyzer {
  return new CsvAnalyzer(options);
}

class CsvAnalyzer extends LineAnalyzer {
  readonly #relevance: Relevance;
  readonly #held: Reservoir<Row>;
  #header: HeldLine[] = [];
  #columns: TableColumns<Row> | undefined;
  #delimiter: Delimiter = ",";
  /** Where the columns begin, when only blanks part them. */
  #starts: readonly number[] | undefined;
  readonly #rare = new RareValues<Row>();
  /** The first lines, until the columns are known. */
  #opening: HeldLine[] | undefined = [];
  #rows = 0;
  #odd = 0;
  /** The last row, made only at the end unless it is held anyway. */
  #last: Row | undefined;
  #lastText = "";
  readonly #lastSpan: LineSpan = newSpan();

  constructor({ room, query }: AnalyzerOptions) {
    const relevance = new Relevance(query);
    super(new RowMentions(relevance));
    this.#relevance = relevance;
    this.#held = new Reservoir({
      maxChars: Math.max(400_000, 8 * roomChars(room)),
      maxItems: MAX_HELD,
      worth: (row) => row.score,
      place: (row) => row.number,
      chars: (row) => row.held.text.length + 120,
    });
  }

  get wrongShape(): boolean {
    if (this.#opening !== undefined) return false;
    return this.#rows === 0 || (this.#odd > 10 && this.#odd > this.#rows / 3);
  }

  protected get weighed(): number {
    return this.#held.weighed;
  }

  protected select(room: Room): Selection {
    this.#open();
    const columns = this.#columns;
    const rare = this.#rare.rare().slice(0, MOST_RARE);
    for (const { column, rows } of rare) {
      rows.forEach((row, index) => {
        row.score = Math.max(row.score, RARE_SCORES[index] ?? 0);
        if (row.reason === "sample") row.reason = `rare ${columns?.names[column] ?? "value"}`;
      });
    }
    const ranges = columns?.numeric().slice(0, MAX_RANGES) ?? [];
    const extremes = ranges.flatMap((range) =>
      endsOf(range).flatMap(({ row, end, score }) => {
        if (row === undefined) return [];
        row.score = Math.max(row.score, score);
        if (row.reason === "sample") row.reason = `${end} ${range.name}`;
        return [row];
      }),
    );
    const ranked = [
      ...new Set([...this.#held.items, ...extremes, ...rare.flatMap(({ rows }) => rows), ...this.#lastRow()]),
    ].sort(compareRows);
    const lineChars = Math.max(120, Math.floor(roomChars(room) / 10));
    const widths = ranges.map((range) => `${range.name} ${lowOf(range)} to ${highOf(range)}`).join(", ");
    const size = `${formatPlural(this.#rows, "row")} × ${formatPlural(columns?.names.length ?? 0, "column")}`;
    const about = [`${HEADING}table: ${size}]`, ...(widths === "" ? [] : [`[ranges: ${widths}]`])];
    const values = this.#rare.summary(columns?.names ?? []);
    if (values !== "" && values.length <= Math.min(SUMMARY_CHARS, roomChars(room) / 8))
      about.push(`[values: ${values}]`);
    return fillRoom(
      ranked,
      (row) => ({ chars: Math.min(row.held.chars, lineChars) + 18, lines: 2 }),
      (chosen) => render(about, this.#header, chosen, this.#rows, lineChars),
      room,
    );
  }

  #lastRow(): readonly Row[] {
    if (this.#rows === 0) return [];
    const held = this.#last?.held ?? lineAt(this.#lastText, this.#lastSpan);
    const last = this.#last ?? { held, number: this.#rows, reason: "sample", score: 0 };
    last.score = Math.max(last.score, 4);
    return [last];
  }

  protected take(text: string, span: Readonly<LineSpan>): void {
    if (this.#opening === undefined) {
      this.#takeLine(text, span);
      return;
    }
    this.#opening.push(holdLine(text, span));
    if (this.#opening.length >= ALIGNED_SAMPLE) this.#open();
  }

  /** Reads the columns from the first lines, then these lines. */
  #open(): void {
    const opening = this.#opening;
    if (opening === undefined) return;
    this.#opening = undefined;
    const aligned = findAlignedColumns(opening.map(({ text }) => cleanLine(text)));
    const drawn = DRAWN.has(findDelimiter(opening[aligned?.header ?? 0]?.text ?? ""));
    if (aligned !== undefined && !drawn) {
      this.#starts = aligned.starts;
      this.#columns = new TableColumns(aligned.names);
      this.#delimiter = "  ";
      this.#header = opening.slice(0, aligned.header + 1);
    }
    for (const held of opening.slice(this.#header.length))
      this.#takeLine(held.text, { ...held, clean: false, asked: true });
  }

  #takeLine(raw: string, span: Readonly<LineSpan>): void {
    const text = shownText(raw, span);
    if (this.#columns === undefined) {
      if (this.#header.length < 4) this.#header.push(holdLine(raw, span));
      if (text.trim() === "" || isRule(text)) return;
      this.#delimiter = findDelimiter(text);
      this.#columns = new TableColumns(splitRow(text.slice(0, 8000), this.#delimiter).map(beginningOf));
      return;
    }
    if (isRule(text)) {
      if (this.#rows === 0 && this.#header.length < 12) this.#header.push(holdLine(raw, span));
      return;
    }
    if (text === "" || (text.charCodeAt(0) <= 32 && text.trim() === "")) return;
    const number = ++this.#rows;
    const tally = span.asked ? this.#relevance.tally(text) : undefined;
    this.#relevance.observe(tally);
    const cells = this.#cellsOf(text);
    const extreme = cells === undefined ? this.#columns.take(text, this.#delimiter) : this.#columns.takeCells(cells);
    const unusual = cells !== undefined && this.#rare.take(cells);
    const odd = this.#isOdd(text, this.#columns);
    if (odd) this.#odd++;
    const asked = tally === undefined ? 0 : 2 * this.#relevance.score(tally);
    const trouble = troubleOf(text, span.asked);
    const beside = odd && this.#odd <= MOST_BESIDE ? BESIDE_SCORE : 0;
    const score = asked + trouble + beside + (number <= 3 ? 5 : 0);
    const admitted = this.#held.admits(score, number);
    this.#lastText = raw;
    copySpan(span, this.#lastSpan);
    if (!admitted && !extreme && !unusual) {
      this.#last = undefined;
      return;
    }
    const reason = asked > 0.5 ? "question" : trouble > 0 ? "trouble" : odd ? "beside the table" : "sample";
    const row = { held: holdLine(raw, span), number, reason, score };
    this.#last = row;
    if (extreme) this.#columns.hold(row);
    if (unusual) this.#rare.hold(row);
    if (admitted) this.#held.add(row);
  }

  #isOdd(text: string, columns: TableColumns<Row>): boolean {
    if (this.#starts !== undefined) return breaksColumns(text, this.#starts);
    return Math.abs(columns.cells - columns.names.length) > 1;
  }

  /** Undefined for CSV and the like, whose cells are cut out only where a number may be. */
  #cellsOf(text: string): readonly string[] | undefined {
    if (this.#starts !== undefined) return splitAligned(text, this.#starts);
    const few = this.#delimiter === "\t" && (this.#columns?.names.length ?? 0) <= FEW_CELLS;
    return few || CUT_WHOLE.has(this.#delimiter) ? splitRow(text, this.#delimiter) : undefined;
  }
}

/** Better rows first; of equals those first that lie scattered over the range. */
function compareRows(a: Pick<Row, "number" | "score">, b: Pick<Row, "number" | "score">): number {
  return b.score - a.score || scatter(a.number) - scatter(b.number);
}

function render(
  about: readonly string[],
  header: readonly HeldLine[],
  chosen: readonly Row[],
  total: number,
  lineChars: number,
): Selection {
  const drawing = new LineDrawing({ lineChars, marker: gapMarker });
  for (const line of about) drawing.note(line);
  for (const held of header) drawing.show(held, "header", 100);
  for (const row of [...chosen].sort((a, b) => a.number - b.number)) drawing.show(row.held, row.reason, row.score);
  const left = total - chosen.length;
  if (left > 0) drawing.note(`[${formatCount(left)} of ${formatPlural(total, "row")} not shown]`);
  return drawing.finish();
}

const TROUBLE =
  /\b(?:error|fail(?:ed|ure)?|fatal|critical|exception|crash(?:ed)?|timeout|denied|high|severe|rejected)\b/i;
/** What only the state of a process, a container or a machine is called. */
const BAD_STATE =
  /<defunct>|\b(?:CrashLoopBackOff|ImagePullBackOff|ErrImagePull|OOMKilled|Evicted|NotReady)\b|\((?:unhealthy|dead)\)/;
/** A share that is used up, or nearly. */
const NEARLY_FULL = /(?:^|[\s,;|])(?:9\d|100)(?:\.\d+)?%/;

/** Four letters of each word of trouble, in any case, and of each bad state, in this. */
const IN_TROUBLE = "rror fail fata riti xcep cras meou enie high seve ejec".split(" ");
const IN_STATES = "func ageP OMKi icte tRea heal dead".split(" ");

/** What a row tells of trouble; `told` is false when it is known to hold no word for it. */
export function troubleOf(text: string, told: boolean): number {
  if (told && BAD_STATE.test(text)) return 4;
  if (told && TROUBLE.test(text)) return 1.5;
  return text.includes("%") && NEARLY_FULL.test(text) ? 1.2 : 0;
}

/** What rows are searched for, many at once: the words of the question, and those of trouble. */
export class RowMentions implements Mentions {
  readonly empty = false;
  readonly #relevance: Relevance;
  readonly #trouble = new RegExp([...IN_TROUBLE, ...IN_STATES].join("|").toLowerCase(), "g");
  /** The text that was searched last, and where what is looked for stands in it next. */
  #lower = "";
  #from = 0;
  #nextTrouble = -1;
  #nextWord = -1;

  constructor(relevance: Relevance) {
    this.#relevance = relevance;
  }

  nextMention(lower: string, from: number): number {
    // A text may come twice in a row: then it is read from its beginning again.
    if (lower !== this.#lower || from < this.#from) {
      this.#lower = lower;
      this.#nextTrouble = -1;
      this.#nextWord = -1;
    }
    this.#from = from;
    if (this.#nextTrouble < from) {
      this.#trouble.lastIndex = from;
      this.#nextTrouble = this.#trouble.exec(lower)?.index ?? Number.POSITIVE_INFINITY;
    }
    if (this.#nextWord < from) this.#nextWord = this.#relevance.nextMention(lower, from);
    return Math.min(this.#nextTrouble, this.#nextWord);
  }
}
