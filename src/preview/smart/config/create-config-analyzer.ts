import type { Analyzer, AnalyzerOptions } from "../analyzer.ts";
import { createItemAnalyzer } from "../items/create-item-analyzer.ts";
import { ConfigGrammar } from "./config-grammar.ts";

/** Reads a file of settings: its sections and keys to a depth, and whole what is asked for. */
export function createConfigAnalyzer(options: AnalyzerOptions): Analyzer {
  return createItemAnalyzer(new ConfigGrammar(), options);
}
