import { Relevance } from "../../../query/relevance.ts";
import { formatCount, formatPlural } from "../../omission.ts";
import type { Analyzer, AnalyzerOptions, Room, Selection } from "../analyzer.ts";
import { fillRoom, roomChars } from "../lines/fill-room.ts";
import { type HeldLine, holdLine, lineAt } from "../lines/held-line.ts";
import { LineAnalyzer } from "../lines/line-analyzer.ts";
import { LineDrawing } from "../lines/line-drawing.ts";
import { copySpan, type LineSpan, newSpan } from "../lines/line-reader.ts";
import { Reservoir } from "../lines/reservoir.ts";
import { scatter } from "../lines/scatter.ts";
import { type Delimiter, findDelimiter, isRule, splitRow, TableColumns } from "./table-columns.ts";

interface Row {
  readonly held: HeldLine;
  readonly number: number;
  reason: string;
  score: number;
}

const MAX_HELD = 3000;
const MAX_RANGES = 12;
const TROUBLE =
  /\b(?:error|fail(?:ed|ure)?|fatal|critical|exception|crash(?:ed)?|timeout|denied|high|severe|rejected)\b/i;

/** Reads CSV, TSV and drawn tables: header, a sample of the whole range, extremes, and rows that say error. */
export function createCsvAnalyzer(options: AnalyzerOptions): Analyzer {
  return new CsvAnalyzer(options);
}

class CsvAnalyzer extends LineAnalyzer {
  readonly #relevance: Relevance;
  readonly #held: Reservoir<Row>;
  #header: HeldLine[] = [];
  #columns: TableColumns<Row> | undefined;
  #delimiter: Delimiter = ",";
  #rows = 0;
  #odd = 0;
  /** The last row, made only at the end unless it is held anyway. */
  #last: Row | undefined;
  #lastText = "";
  readonly #lastSpan: LineSpan = newSpan();

  constructor({ room, query }: AnalyzerOptions) {
    super();
    this.#relevance = new Relevance(query);
    this.#held = new Reservoir({
      maxChars: Math.max(400_000, 8 * roomChars(room)),
      maxItems: MAX_HELD,
      worth: (row) => row.score,
      place: (row) => row.number,
      chars: (row) => row.held.text.length + 120,
    });
  }

  get wrongShape(): boolean {
    return this.#rows === 0 || (this.#odd > 10 && this.#odd > this.#rows / 3);
  }

  protected get weighed(): number {
    return this.#held.weighed;
  }

  protected select(room: Room): Selection {
    const columns = this.#columns;
    const ranges = columns?.numeric().slice(0, MAX_RANGES) ?? [];
    const extremes = ranges.flatMap((range) => {
      const rows = [range.lowRow, range.highRow].filter((row) => row !== undefined);
      rows.forEach((row, index) => {
        row.score = Math.max(row.score, 3);
        if (row.reason === "sample") row.reason = `${index === 0 ? "lowest" : "highest"} ${range.name}`;
      });
      return rows;
    });
    const ranked = [...new Set([...this.#held.items, ...extremes, ...this.#lastRow()])].sort(compareRows);
    const lineChars = Math.max(120, Math.floor(roomChars(room) / 10));
    const widths = ranges.map(({ name, low, high }) => `${name} ${low}…${high}`).join(", ");
    const size = `${formatPlural(this.#rows, "row")} × ${formatPlural(columns?.names.length ?? 0, "column")}`;
    const about = [`[table: ${size}]`, ...(widths === "" ? [] : [`[ranges: ${widths}]`])];
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
    if (this.#columns === undefined) {
      if (this.#header.length < 4) this.#header.push(holdLine(text, span));
      if (text.trim() === "" || isRule(text)) return;
      this.#delimiter = findDelimiter(text);
      this.#columns = new TableColumns(splitRow(text.slice(0, 8000), this.#delimiter));
      return;
    }
    if (isRule(text)) {
      if (this.#rows === 0 && this.#header.length < 4) this.#header.push(holdLine(text, span));
      return;
    }
    if (text === "" || (text.charCodeAt(0) <= 32 && text.trim() === "")) return;
    const number = ++this.#rows;
    const tally = this.#relevance.tally(text);
    this.#relevance.observe(tally);
    const extreme = this.#columns.take(text, this.#delimiter);
    if (Math.abs(this.#columns.cells - this.#columns.names.length) > 1) this.#odd++;
    const asked = tally === undefined ? 0 : 2 * this.#relevance.score(tally);
    const trouble = TROUBLE.test(text) ? 1.5 : 0;
    const score = asked + trouble + (number <= 3 ? 5 : 0);
    const admitted = this.#held.admits(score, number);
    this.#lastText = text;
    copySpan(span, this.#lastSpan);
    if (!admitted && !extreme) {
      this.#last = undefined;
      return;
    }
    const reason = asked > 0.5 ? "question" : trouble > 0 ? "trouble" : "sample";
    const row = { held: holdLine(text, span), number, reason, score };
    this.#last = row;
    if (extreme) this.#columns.hold(row);
    if (admitted) this.#held.add(row);
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
  const drawing = new LineDrawing({ lineChars, markers: true });
  for (const line of about) drawing.note(line);
  for (const held of header) drawing.show(held, "header", 100);
  for (const row of [...chosen].sort((a, b) => a.number - b.number)) drawing.show(row.held, row.reason, row.score);
  const left = total - chosen.length;
  if (left > 0) drawing.note(`[${formatCount(left)} of ${formatPlural(total, "row")} not shown]`);
  return drawing.finish();
}
