import type { Piece } from "../../pieces.ts";

const TEST_REASONS: ReadonlySet<string> = new Set([
  "failed test",
  "test section",
  "list of failures",
  "assertion",
  "summary",
  "result",
]);
const TRACE_REASONS: ReadonlySet<string> = new Set([
  "kernel report",
  "virtual machine crash",
  "sanitizer",
  "panic",
  "crash",
  "traceback",
]);

/** What a log is above all, judged by why its pieces were kept. */
export function kindOfLog(pieces: readonly Piece[]): "log" | "test run" | "trace" {
  let tests = 0;
  let traces = 0;
  let rest = 0;
  for (const { reason, score } of pieces) {
    if (TEST_REASONS.has(reason)) tests += score;
    else if (TRACE_REASONS.has(reason)) traces += score;
    else if (reason !== "head" && reason !== "tail") rest += score;
  }
  if (tests > traces + rest) return "test run";
  return traces > tests + rest ? "trace" : "log";
}
