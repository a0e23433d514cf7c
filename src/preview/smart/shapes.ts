import type { Analyzer, AnalyzerOptions } from "./analyzer.ts";
import { createCodeAnalyzer } from "./code/create-code-analyzer.ts";
import { createConfigAnalyzer } from "./config/create-config-analyzer.ts";
import { createCsvAnalyzer } from "./csv/create-csv-analyzer.ts";
import type { Shape } from "./detect-shape.ts";
import { createDiffAnalyzer } from "./diff/create-diff-analyzer.ts";
import { createGrepAnalyzer } from "./grep/create-grep-analyzer.ts";
import { createHistoryAnalyzer } from "./history/create-history-analyzer.ts";
import { createHtmlAnalyzer } from "./html/create-html-analyzer.ts";
import { createJsonAnalyzer } from "./json/create-json-analyzer.ts";
import { createListingAnalyzer } from "./listing/create-listing-analyzer.ts";
import { createProseAnalyzer } from "./prose/create-prose-analyzer.ts";
import { createRecordsAnalyzer } from "./records/create-records-analyzer.ts";

const CREATORS: Partial<Record<Shape, (options: AnalyzerOptions) => Analyzer>> = {
  diff: createDiffAnalyzer,
  grep: createGrepAnalyzer,
  listing: createListingAnalyzer,
  json: createJsonAnalyzer,
  html: createHtmlAnalyzer,
  csv: createCsvAnalyzer,
  code: createCodeAnalyzer,
  prose: createProseAnalyzer,
  history: createHistoryAnalyzer,
  settings: createConfigAnalyzer,
  records: createRecordsAnalyzer,
};

/** The analyzer of a shape that has one of its own; the others are read as a log. */
export function createShapeAnalyzer(shape: Shape, options: AnalyzerOptions): Analyzer | undefined {
  return CREATORS[shape]?.(options);
}
