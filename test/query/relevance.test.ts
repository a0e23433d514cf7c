import { describe, expect, it } from "vitest";
import { Relevance } from "../../src/query/relevance.ts";

const PROMPT =
  "Hello, we upgraded our production environment last week and several customers reported strange behaviour since then. " +
  "I looked at the dashboard and the monitoring but nothing useful turned up. Could you investigate the report below and " +
  "point me to the relevant location? The parser loses the last token. Afterwards write a summary for the whole team.";

function scoreOf(query: string, text: string, shortened = false): number {
  const relevance = new Relevance(query, { shortened });
  return relevance.score(relevance.tally(text));
}

describe("relevance", () => {
  it("finds words at the beginning of identifier parts, and pairs however they are joined", () => {
    for (const text of ["time zone", "timezone", "time_zone", "time-zone", "timeZone = 1"]) {
      expect(scoreOf("which time zone is it?", text), text).toBeGreaterThan(scoreOf("which zone is it?", "zone"));
    }
    expect(scoreOf("which zone is it?", "amazone")).toBe(0);
    expect(scoreOf("where is the default scope?", "use_default_scope()")).toBeGreaterThan(0);
  });

  it("asks for every word of a long prompt", () => {
    for (const word of ["parser", "loses", "token"]) {
      expect(scoreOf(PROMPT, `the ${word}`), word).toBeGreaterThan(0);
    }
  });

  it("finds shortened words in names only", () => {
    expect(scoreOf("list of a directory", "src/dir.c", true)).toBeGreaterThan(0);
    expect(scoreOf("list of a directory", "src/dir.c")).toBe(0);
  });

  it("asks for nothing in what every fault is called", () => {
    expect(new Relevance("I am looking for the place to fix").empty).toBe(true);
  });
});

describe("a question of general words alone", () => {
  it("asks for these words", () => {
    for (const [query, text] of [
      ["support", "    supported_by = None"],
      ["where is the error?", "def error(self):"],
      ["what about errors?", "an error is mended at once"],
    ] as const) {
      const relevance = new Relevance(query);
      expect(relevance.score(relevance.tally(text)), query).toBeGreaterThan(0);
    }
  });

  it("asks for none of them where it speaks of the output", () => {
    expect(new Relevance("What does the article say?").empty).toBe(true);
    expect(new Relevance("which test failed, and what is the problem?").empty).toBe(true);
  });
});
