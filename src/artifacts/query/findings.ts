import { readNumber } from "./cells.ts";
import type { LineReader } from "./line-rows.ts";
import type { SqlValue, TableSink } from "./table-writer.ts";

interface Finding {
  readonly file: string | undefined;
  readonly line: string | undefined;
  readonly column?: string | undefined;
  readonly severity?: string | undefined;
  readonly rule?: string | undefined;
  readonly message: string;
}

const LEVEL = "fatal error|error|warning|note|info|hint|style|convention|refactor";
/** `src/a.c:3:1: error: …` of compilers and most linters, and `src/a.ts(3,1): error TS2339: …`. */
const IN_LINE = new RegExp(
  `^(?<file>(?:[A-Za-z]:[\\\\/])?[^\\s:()][^:()]{0,300})(?::(?<line>\\d+)(?::(?<column>\\d+))?|\\((?<line2>\\d+)(?:,(?<column2>\\d+))?\\)):?\\s+(?:-\\s+)?(?:(?<severity>${LEVEL})\\b:?\\s*)?(?<message>.*)$`,
  "i",
);
/** ` 3:1  error  …  rule` below the name of the file, as ESLint prints it. */
const BELOW_FILE = new RegExp(
  `^\\s+(?<line>\\d+):(?<column>\\d+)\\s+(?<severity>${LEVEL})\\s+(?<message>.*?)(?:\\s{2,}(?<rule>\\S+))?\\s*$`,
);
const FILE_ALONE = /^(?:[A-Za-z]:[\\/])?[^\s:][^:|]{0,300}\.\w{1,10}$/;
/** rustc and others print the message above ` --> src/a.rs:3:1`. */
const ABOVE_PLACE =
  /^(?<severity>error|warning)(?:\[(?<rule>[\w:-]+)\])?: (?<message>.*)$|^(?<code>[A-Z]{1,6}\d{2,6}) (?:\[\*\] )?(?<text>.*)$/;
const PLACE = /^\s*(?:-->|╭─\[)\s?(?<file>[^\s:][^:]{0,300}):(?<line>\d+):(?<column>\d+)/;
const CODE_FIRST = /^\[?(?<rule>[A-Z]{1,6}\d{2,6})\]?:?\s+(?<message>.*)$/;
const RULE_LAST = /^(?<message>.*?)\s+[[(](?<rule>-?[A-Za-z@][\w@/.=:+-]{2,80})[\])]$/;
const LEAST_FINDINGS = 3;
const LEAST_SHARE = 0.3;
/** So many are a compiler's, whatever else it prints. */
const MANY_FINDINGS = 15;

/** Reads findings of compilers and linters: `file, line, column, severity, rule, message`. */
export function findingReader(sample: readonly string[], sink: TableSink): LineReader | undefined {
  const probe = new FindingParser();
  const found = sample.map((line) => probe.next(line)).filter((finding) => finding !== undefined);
  const certain = found.filter(({ severity, rule }) => severity !== undefined || rule !== undefined);
  const filled = sample.filter((line) => line.trim() !== "").length;
  if (certain.length < LEAST_FINDINGS || certain.length < 0.7 * found.length) return undefined;
  // Excerpts of code stand between findings.
  if (!probe.sawPlaces && certain.length < MANY_FINDINGS && found.length < LEAST_SHARE * filled) return undefined;
  const parser = new FindingParser();
  return {
    kind: "findings",
    line(text) {
      const finding = parser.next(text);
      if (finding === undefined) return;
      const { file, line, column, severity, rule, message } = finding;
      const fields: [string, SqlValue][] = [
        ["file", file ?? null],
        ["line", readNumber(line ?? "") ?? null],
        ["column", readNumber(column ?? "") ?? null],
        ["severity", severity?.toLowerCase() ?? null],
        ["rule", rule ?? null],
        ["message", message],
      ];
      sink.table("rows").add(new Map(fields));
    },
  };
}

class FindingParser {
  sawPlaces = false;
  #file: string | undefined;
  #above:
    | { readonly severity?: string | undefined; readonly rule?: string | undefined; readonly message: string }
    | undefined;

  next(line: string): Finding | undefined {
    const text = line.length > 2000 ? line.slice(0, 2000) : line;
    const place = PLACE.exec(text)?.groups;
    if (place !== undefined) {
      this.sawPlaces = true;
      const above = this.#above;
      this.#above = undefined;
      return above === undefined ? undefined : { ...above, file: place.file, line: place.line, column: place.column };
    }
    const below = BELOW_FILE.exec(text)?.groups;
    if (below !== undefined && this.#file !== undefined) {
      const { line: number, column, severity, rule, message = "" } = below;
      return { file: this.#file, line: number, column, severity, rule, message };
    }
    if (FILE_ALONE.test(text)) this.#file = text;
    const inLine = IN_LINE.exec(text)?.groups;
    if (inLine !== undefined) {
      const { file, severity } = inLine;
      const { rule, message } = splitRule(inLine.message ?? "");
      return {
        file,
        line: inLine.line ?? inLine.line2,
        column: inLine.column ?? inLine.column2,
        severity,
        rule,
        message,
      };
    }
    const above = ABOVE_PLACE.exec(text)?.groups;
    if (above !== undefined)
      this.#above = {
        severity: above.severity,
        rule: above.rule ?? above.code,
        message: above.message ?? above.text ?? "",
      };
    return undefined;
  }
}

function splitRule(text: string): { readonly rule?: string | undefined; readonly message: string } {
  const groups = (CODE_FIRST.exec(text) ?? RULE_LAST.exec(text))?.groups;
  return groups === undefined ? { message: text } : { rule: groups.rule, message: groups.message ?? "" };
}
