import { createTextAnalyzer } from "../engine/create-text-analyzer.ts";
import type { Analyzer, AnalyzerOptions } from "./analyzer.ts";
import type { Shape } from "./detect-shape.ts";
import { createJsonAnalyzer } from "./json/create-json-analyzer.ts";
import { createOtherAnalyzer } from "./other-shapes.ts";

/**
 * The analyzer of a shape that has one of its own; the others are read as a log. Node loads those of JSON and of source by
 * themselves, since they are asked for most, and the others together with the first of them.
 */
export function createShapeAnalyzer(shape: Shape, options: AnalyzerOptions): Analyzer | undefined {
  switch (shape) {
    case "log":
      return undefined;
    case "json":
      return createJsonAnalyzer(options);
    case "code":
      return createTextAnalyzer(options);
    default:
      return createOtherAnalyzer(shape, options);
  }
}
