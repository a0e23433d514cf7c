import type { Analyzer, AnalyzerOptions } from "../analyzer.ts";
import { createItemAnalyzer } from "../items/create-item-analyzer.ts";
import { RecordsGrammar } from "./records-grammar.ts";

/** Reads records such as descriptions of packages: each by its name, version and summary, and whole what is asked for. */
export function createRecordsAnalyzer(options: AnalyzerOptions): Analyzer {
  return createItemAnalyzer(new RecordsGrammar(), options);
}
