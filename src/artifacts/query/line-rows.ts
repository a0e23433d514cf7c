import { isObject } from "../../bytes/json/is-object.ts";
import { findAlignedColumns, isRule, splitAligned } from "../../preview/smart/csv/aligned-columns.ts";
import { type Delimiter, findDelimiter, splitRow } from "../../preview/smart/csv/table-columns.ts";
import { HitParser } from "../../preview/smart/grep/create-grep-analyzer.ts";
import { CellTypes, readNumber, splitCells } from "./cells.ts";
import { findingReader } from "./findings.ts";
import { emitItem } from "./json-rows.ts";
import type { SqlValue, TableSink } from "./table-writer.ts";
import { goTestReader, testReader } from "./test-results.ts";

/** Reads rows from the lines of an output. */
export interface LineReader {
  /** What the rows are, in words. */
  readonly kind: string;
  line(text: string): void;
  end?(): void;
}

/** Makes a reader if the first lines of an output are of its form. */
type ReaderMaker = (sample: readonly string[], sink: TableSink, shape: string) => LineReader | undefined;

const LEAST_ROWS = 3;
/** The name of a column, as a program writes it. */
const COLUMN_NAME = /^[A-Za-z_][\w .%()/-]{0,40}$/;
const MOST_ROW_CHARS = 1_000_000;
const LOGFMT = /(?:^|\s)([A-Za-z_][\w.@/-]*)=(?:"((?:[^"\\]|\\.)*)"|(\S*))/g;
/** Common and combined log format of web servers; more fields may follow. */
const ACCESS =
  /^(\S+) (\S+) (\S+) \[([^\]]{10,40})\] "(?:([A-Z]{3,10}) )?([^"\s]*)(?: (HTTP\/[\d.]+))?[^"]*" (\d{3}) (\d+|-)(?: "([^"]*)" "([^"]*)")?(.*)$/;

const MAKERS: readonly ReaderMaker[] = [
  jsonLines,
  (sample, sink) => testReader(sample, sink),
  accessLog,
  logfmt,
  (sample, sink) => findingReader(sample, sink),
  searchResults,
  delimited,
  aligned,
];

/** The reader for an output that begins with these lines; undefined if it has no rows. `shape` is the preview's name for it. */
export function findLineReader(sample: readonly string[], sink: TableSink, shape: string): LineReader | undefined {
  for (const make of MAKERS) {
    const reader = make(sample, sink, shape);
    if (reader !== undefined) return reader;
  }
  return undefined;
}

/** True if at least `share` of the non-empty lines pass. */
function mostly(sample: readonly string[], share: number, test: (line: string) => boolean): boolean {
  const filled = sample.filter((line) => line.trim() !== "");
  const passed = filled.filter(test).length;
  return passed >= LEAST_ROWS && passed >= share * filled.length;
}

function jsonLines(sample: readonly string[], sink: TableSink): LineReader | undefined {
  const parse = (line: string): unknown => {
    if (!/^\s*[[{]/.test(line)) return undefined;
    try {
      return JSON.parse(line);
    } catch {
      return undefined;
    }
  };
  // The last line of the sample may be cut.
  if (!mostly(sample, 0.6, (line) => isObject(parse(line)))) return undefined;
  const goTest = goTestReader(sample.map(parse), sink);
  if (goTest !== undefined) return { kind: "tests", line: (text) => goTest(parse(text)) };
  return {
    kind: "JSON lines",
    line(text) {
      const value = parse(text);
      if (value !== undefined) emitItem(value, "rows", sink);
    },
  };
}

function accessLog(sample: readonly string[], sink: TableSink): LineReader | undefined {
  if (!mostly(sample, 0.6, (line) => ACCESS.test(line))) return undefined;
  const names = ["ip", "ident", "user", "time", "method", "path", "protocol", "status", "bytes", "referer", "agent"];
  return {
    kind: "access log",
    line(text) {
      const match = ACCESS.exec(text);
      if (match === null) return;
      const fields = new Map<string, SqlValue>();
      names.forEach((name, at) => {
        const cell = match[at + 1];
        fields.set(
          name,
          cell === undefined || cell === "-" ? null : name === "status" || name === "bytes" ? Number(cell) : cell,
        );
      });
      const rest = (match[12] ?? "").trim();
      if (rest !== "") {
        const own = new Map(pairs(rest));
        if (own.size > 0) for (const [name, value] of own) fields.set(name, value);
        else
          for (const [at, cell] of rest.split(/\s+/).entries())
            fields.set(`extra_${at + 1}`, readNumber(cell) ?? cell.replace(/^"|"$/g, ""));
      }
      sink.table("rows").add(fields);
    },
  };
}

function* pairs(text: string): Iterable<[string, SqlValue]> {
  for (const [, name = "", quoted, bare = ""] of text.matchAll(LOGFMT)) {
    if (quoted === undefined) yield [name, readNumber(bare) ?? bare];
    else yield [name, quoted.replace(/\\(["\\])/g, "$1")];
  }
}

/** Lines of `key=value`; words before the first pair are `message` (or `prefix` if a pair has that name). */
function logfmt(sample: readonly string[], sink: TableSink): LineReader | undefined {
  if (!mostly(sample, 0.7, (line) => [...line.slice(0, 4000).matchAll(LOGFMT)].length >= 2)) return undefined;
  return {
    kind: "key=value lines",
    line(text) {
      const fields = new Map<string, SqlValue>(pairs(text));
      if (fields.size === 0) return;
      const before = text.slice(0, text.search(/(?:^|\s)[A-Za-z_][\w.@/-]*=/)).trim();
      if (before !== "") fields.set(fields.has("message") ? "prefix" : "message", before);
      sink.table("rows").add(fields);
    },
  };
}

function searchResults(_sample: readonly string[], sink: TableSink, shape: string): LineReader | undefined {
  if (shape !== "grep") return undefined;
  const hits = new HitParser();
  return {
    kind: "search results",
    line(text) {
      const { kind, path, number, textAt } = hits.next(text);
      if (kind !== "match") return;
      const line = number === 0 ? null : number;
      sink.table("rows").add(
        new Map<string, SqlValue>([
          ["file", path],
          ["line", line],
          ["text", text.slice(textAt)],
        ]),
      );
    },
  };
}

/** CSV and its kin, Markdown and drawn tables. */
function delimited(sample: readonly string[], sink: TableSink, shape: string): LineReader | undefined {
  const at = sample.findIndex((line) => line.trim() !== "" && !isRule(line));
  const header = sample[at] ?? "";
  const delimiter = findDelimiter(header);
  if (delimiter === "  ") return undefined;
  const isDrawn = delimiter === "|" || delimiter === "│";
  const split = (text: string): string[] =>
    isDrawn ? splitRow(text, delimiter as Delimiter) : splitCells(text, delimiter);
  const names = split(header);
  const opening: string[][] = [];
  const probe = rowJoiner(isDrawn, (row) => opening.push(split(row)));
  for (const line of sample.slice(at + 1)) probe(line);
  const even = opening.filter((cells) => cells.length === names.length).length;
  // Few rows, or cells with newlines, hide a table from the preview; then all rows must be alike below plain names.
  const named =
    names.length > 1 && names.every((name) => (names.length > 2 ? COLUMN_NAME : /^[A-Za-z_]\w*$/).test(name));
  if (shape !== "csv" && (isDrawn || !named || even < LEAST_ROWS || even < opening.length - 1)) return undefined;
  // Sums and remarks below a table have fewer cells.
  const types = new CellTypes(
    names.length,
    opening.filter((cells) => cells.length >= names.length),
  );
  let seenHeader = false;
  const take = rowJoiner(isDrawn, (row) => {
    if (!seenHeader && row.trim() === header.trim()) seenHeader = true;
    else {
      const cells = split(row);
      // Sums and remarks below a drawn table have no cells.
      if (cells.length >= Math.min(2, names.length)) sink.table("rows").add(types.fields(names, cells));
    }
  });
  return { kind: "table", line: take };
}

/** Joins lines to rows, since a quoted cell may hold newlines; skips empty lines and rules of a drawn table. */
function rowJoiner(isDrawn: boolean, take: (row: string) => void): (line: string) => void {
  let pending: string | undefined;
  return (line) => {
    const row = pending === undefined ? line : `${pending}\n${line}`;
    const isOpen = !isDrawn && row.split('"').length % 2 === 0 && row.length < MOST_ROW_CHARS;
    pending = isOpen ? row : undefined;
    if (!isOpen && row.trim() !== "" && !(isDrawn && isRule(row))) take(row);
  };
}

/** Columns that stand under each other, as of `ps`, `df` or `kubectl get`. */
function aligned(sample: readonly string[], sink: TableSink, shape: string): LineReader | undefined {
  const found = shape === "csv" || shape === "log" ? findAlignedColumns(sample) : undefined;
  if (found === undefined) return undefined;
  const { header, names, starts } = found;
  const rows = sample.slice(header + 1).filter((line) => line.trim() !== "" && !isRule(line));
  const types = new CellTypes(
    names.length,
    rows.map((line) => splitAligned(line, starts)),
  );
  let at = 0;
  return {
    kind: "table",
    line(text) {
      if (at++ <= header || text.trim() === "" || isRule(text)) return;
      sink.table("rows").add(types.fields(names, splitAligned(text, starts)));
    },
  };
}
