import type { Analyzer, AnalyzerOptions } from "./analyzer.ts";
import { createCodeAnalyzer } from "./code/create-code-analyzer.ts";
import { createCsvAnalyzer } from "./csv/create-csv-analyzer.ts";
import type { Shape } from "./detect-shape.ts";
import { createDiffAnalyzer } from "./diff/create-diff-analyzer.ts";
import { createGrepAnalyzer } from "./grep/create-grep-analyzer.ts";
import { createHtmlAnalyzer } from "./html/create-html-analyzer.ts";
import { createJsonAnalyzer } from "./json/create-json-analyzer.ts";
import { createListingAnalyzer } from "./listing/create-listing-analyzer.ts";

const CREATORS: Partial<Record<Shape, (options: AnalyzerOptions) => Analyzer>> = {
  diff: createDiffAnalyzer,
  grep: createGrepAnalyzer,
  listing: createListingAnalyzer,
  json: createJsonAnalyzer,
  html: createHtmlAnalyzer,
  csv: createCsvAnalyzer,
  code: createCodeAnalyzer,
};

/** The analyzer of a shape that has one of its own; the others are read as a log. */
export function createShapeAnalyzer(shape: Shape, options: AnalyzerOptions): Analyzer | undefined {
  return CREATORS[shape]?.(options);
}
