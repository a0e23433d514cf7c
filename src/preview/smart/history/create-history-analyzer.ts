import type { Analyzer, AnalyzerOptions } from "../analyzer.ts";
import { createItemAnalyzer } from "../items/create-item-analyzer.ts";
import { HistoryGrammar } from "./history-grammar.ts";

/** Reads a history: its latest entries by one line each, how many there are, and the days they reach over. */
export function createHistoryAnalyzer(options: AnalyzerOptions): Analyzer {
  return createItemAnalyzer(new HistoryGrammar(), options);
}
