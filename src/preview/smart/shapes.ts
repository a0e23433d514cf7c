import type { Analyzer, AnalyzerOptions } from "./analyzer.ts";
import type { Shape } from "./detect-shape.ts";
import { createJsonAnalyzer } from "./json/create-json-analyzer.ts";
import { createOtherAnalyzer } from "./other-shapes.ts";

/**
 * The analyzer of a shape that has one of its own; the others are read as a log. Node loads that of JSON by itself, since it
 * is asked for most, and those of the others together.
 */
export function createShapeAnalyzer(shape: Shape, options: AnalyzerOptions): Analyzer | undefined {
  return shape === "json" ? createJsonAnalyzer(options) : createOtherAnalyzer(shape, options);
}
