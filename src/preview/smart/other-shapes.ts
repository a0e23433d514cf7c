import type { Analyzer, AnalyzerOptions } from "./analyzer.ts";
import { createCsvAnalyzer } from "./csv/create-csv-analyzer.ts";
import type { Shape } from "./detect-shape.ts";
import { createDiffAnalyzer } from "./diff/create-diff-analyzer.ts";
import { createGrepAnalyzer } from "./grep/create-grep-analyzer.ts";
import { HistoryGrammar } from "./history/history-grammar.ts";
import { createHtmlAnalyzer } from "./html/create-html-analyzer.ts";
import { createItemAnalyzer } from "./items/item-analyzer.ts";
import { createListingAnalyzer } from "./listing/create-listing-analyzer.ts";
import { OutlineGrammar } from "./outline/outline-grammar.ts";
import { PlanGrammar } from "./plan/plan-grammar.ts";
import { ProseGrammar } from "./prose/prose-grammar.ts";

const CREATORS: Partial<Record<Shape, (options: AnalyzerOptions) => Analyzer>> = {
  diff: createDiffAnalyzer,
  grep: createGrepAnalyzer,
  listing: createListingAnalyzer,
  html: createHtmlAnalyzer,
  csv: createCsvAnalyzer,
  prose: (options) => createItemAnalyzer(new ProseGrammar(), options),
  history: (options) => createItemAnalyzer(new HistoryGrammar(), options),
  outline: (options) => createItemAnalyzer(new OutlineGrammar(), options),
  plan: (options) => createItemAnalyzer(new PlanGrammar(), options),
};

/** The analyzer of a shape other than JSON and source that has one of its own. */
export function createOtherAnalyzer(shape: Shape, options: AnalyzerOptions): Analyzer | undefined {
  return CREATORS[shape]?.(options);
}
