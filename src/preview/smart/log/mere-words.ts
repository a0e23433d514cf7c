import type { Candidate, Row } from "./row.ts";

/** Up to this value a row was found by its words alone, not by a form that some tool prints. */
const MERE = 60;
/** What such rows may take of the room where nothing else looks like a log. */
const SHARE = 0.25;
const DEMOTED = 0.1;
const MARKER_CHARS = 40;
/** So many of the rows at either end must look like a log for the output to be one. */
const SIGNS = 0.04;
const BY_WORDS: ReadonlySet<string> = new Set([
  "error",
  "failure",
  "exception",
  "fatal error",
  "something missing or refused",
  "warning",
]);
const BY_PLACE: ReadonlySet<string> = new Set(["head", "tail"]);
/** How lines of a log begin. */
export const LOGGED =
  /^\s{0,8}(?:\[?\d{4}[-/]\d\d[-/]\d\d|\[?\d\d:\d\d:\d\d|<\d+>|\[?(?:INFO|DEBUG|NOTICE|WARN|WARNING|ERROR|TRACE|FATAL|info|debug|warn|warning|error)\b|[A-Z][a-z]{2} [ \d]\d \d\d:|\[\s{0,6}\d|\$ |\+ |> |##\[|ok\b|not ok\b|PASS|FAIL|[✓✔✗✖●]|[\w./\\-]+\.\w+:\d+|(?:Compiling|Building|Downloading|Downloaded|Installing|Collecting|Fetching|Linking|Running|Checking|Get:\d|make\[|Step \d|#\d+ ))/;
/** What else may stand in them. */
const TIMED = /\.\.\.(?:\s|$)|\blevel=|\b\d+(?:\.\d+)? ?(?:ms|s|sec|seconds)\b|\b\d{1,3}%/;

/** True for a row that has a form which some tool prints, and does not merely speak of trouble. */
function hasForm({ value, reason }: Candidate): boolean {
  return value > MERE && !BY_PLACE.has(reason);
}

/** A line that may report something, by its form or by its words alone. */
export interface Report {
  readonly text: string;
  readonly formed: boolean;
  readonly score: number;
  /** Where its line begins. */
  readonly byte: number;
}

/** The rows that report something, or speak of trouble. */
export function reportsOf(candidates: readonly Candidate[]): Report[] {
  return candidates
    .filter((candidate) => hasForm(candidate) || BY_WORDS.has(candidate.reason))
    .map((candidate) => ({
      text: candidate.row.text,
      formed: hasForm(candidate),
      score: candidate.value,
      byte: candidate.row.byte,
    }));
}

/**
 * Bounds the room that goes to rows which merely speak of trouble, when nothing in the output looks like a log: neither
 * its ends nor any form that a compiler, a test runner or an exception prints.
 */
export function boundMereWords(candidates: Candidate[], ends: readonly Row[], roomChars: number): Candidate[] {
  if (candidates.some(hasForm)) return candidates;
  const signs = ends.filter(({ text }) => LOGGED.test(text) || TIMED.test(text)).length;
  if (signs >= SIGNS * ends.length) return candidates;
  const mere = candidates.filter(({ reason }) => BY_WORDS.has(reason)).sort((a, b) => b.value - a.value);
  const demoted = new Set<Candidate>();
  let left = SHARE * roomChars;
  mere.forEach((candidate, rank) => {
    left -= candidate.row.text.length + MARKER_CHARS;
    if (left < 0 && rank > 0) demoted.add(candidate);
  });
  if (demoted.size === 0) return candidates;
  return candidates.map((candidate) =>
    demoted.has(candidate) ? { ...candidate, value: DEMOTED * candidate.value } : candidate,
  );
}
