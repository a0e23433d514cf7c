import { readConfigLine } from "./config-line.ts";

/** What loggers and tools put before a colon. */
const SAID =
  /^\s*(?:(?:npm|yarn|pip|make|warning|warn|error|fatal|info|debug|note|notice|hint|trace|stderr|stdout|usage|fail(?:ed|ure)?)\b.{0,20}|\S+ \S+ \S+ .*):(?:\s|$)/i;
const TIMED = /^\[?\d{4}-\d\d-\d\d[T ]\d\d:|^\[?\d\d:\d\d:\d\d|^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:/;
const CODE =
  /;\s*$|^\s*(?:import |from |const |let |var |def |class |function |fn |pub |func |return\b|if |for |while |else\b|elif |fi$|done$|then$|#include)|\)\s*\{?\s*$|=>|\(\)/;

/** What a debugger tells of threads and processes: `[New Thread 0x7f31 (LWP 12)]`. */
const TOLD = /^\s*\[[^\]]* \(/;

/** Of the lines, those that may be anything else. */
const MOST_OTHERS = 0.12;

/** True for a file of settings: YAML, TOML, ini, HCL, properties. `lines` without blank ones. */
export function looksLikeConfig(lines: readonly string[]): boolean {
  /** Keys of the outermost level of one document. */
  const bare = new Set<string>();
  let distinctTops = 0;
  let keys = 0;
  let sections = 0;
  let others = 0;
  let spaced = 0;
  let nested = 0;
  let tops = 0;
  let opening = 0;
  let scalar: number | undefined;
  for (const line of lines) {
    const read = readConfigLine(line);
    const indent = line.length - line.trimStart().length;
    // What stands under `key: |` is text.
    if (scalar !== undefined && indent > scalar) continue;
    scalar = /:\s*[|>][+-]?\d?\s*$/.test(line) ? indent : undefined;
    if (read.kind === "boundary" && line.startsWith("---")) bare.clear();
    if (read.kind === "section" && TOLD.test(line)) others++;
    else if (read.kind === "section") sections++;
    else if (read.kind === "key") {
      keys++;
      if (read.opens) opening++;
      if (read.yaml && / {2}\S/.test(line.slice(line.indexOf(":")))) spaced++;
      if (read.indent > 0) nested++;
      else {
        tops++;
        const name = line.split(/[:=]/, 1)[0] ?? "";
        if (!bare.has(name)) distinctTops++;
        bare.add(name);
      }
      if (TIMED.test(line) || SAID.test(line) || CODE.test(line)) others++;
    } else if (read.kind === "other") others++;
    if (others > MOST_OTHERS * lines.length) return false;
  }
  if (keys < 4 || spaced > 0.3 * keys) return false;
  if (sections >= 2 || (sections === 1 && /^\s*\[/.test(lines[0] ?? "")))
    return keys > 0.3 * lines.length || sections > 4;
  const distinct = distinctTops >= 0.9 * tops;
  if (nested > 0.2 * keys && opening >= 2) return distinct || tops === 0 || distinctTops >= 0.5 * tops;
  return (
    distinct &&
    keys > 0.6 * lines.length &&
    lines.filter((line) => /^[\w.-]{1,80}\s?=|^[\w.-]{1,60}: \S/.test(line)).length > 0.6 * lines.length
  );
}
