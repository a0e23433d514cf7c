import type { Analyzer, AnalyzerOptions } from "../analyzer.ts";
import { createItemAnalyzer } from "../items/create-item-analyzer.ts";
import { ProseGrammar } from "./prose-grammar.ts";

/** Reads a document: its headings as an outline, how its sections begin, and whole the section that is asked for. */
export function createProseAnalyzer(options: AnalyzerOptions): Analyzer {
  return createItemAnalyzer(new ProseGrammar(), options);
}
