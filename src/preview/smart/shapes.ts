import type { Analyzer, AnalyzerOptions } from "./analyzer.ts";

/** What an output looks like. */
export type Shape =
  | "log"
  | "test run"
  | "trace"
  | "diff"
  | "grep"
  | "listing"
  | "json"
  | "html"
  | "csv"
  | "code"
  | "prose";

/** Guesses the shape from the beginning of an output. */
export function detectShape(_beginning: Uint8Array): Shape {
  return "log";
}

/** The analyzer of a shape that has one of its own; the others are read as a log. */
export function createShapeAnalyzer(_shape: Shape, _options: AnalyzerOptions): Analyzer | undefined {
  return undefined;
}
