import { latePattern } from "./late-pattern.ts";
import { GRAMMAR_WORDS } from "./words.ts";

/** What a question may call the output as a whole. */
const OUTPUT =
  "article|build|commit|diff|document|file|job|list|listing|log|output|page|pipeline|report|result|results|run|session|suite|table|text|trace|workflow";
const SAID = latePattern(`\\bthis((?:\\s+[\\p{L}\\p{N}_.-]+){0,4}?)\\s+(?:${OUTPUT})\\b`, "giu");

/** A question without what it says of the output itself: "this Travis CI build" names nothing that stands in it. */
export function withoutOutput(question: string): string {
  return question.replace(SAID(), (said, between: string) =>
    between.split(/\s+/).some((word) => GRAMMAR_WORDS.has(word.toLowerCase())) ? said : "this",
  );
}
