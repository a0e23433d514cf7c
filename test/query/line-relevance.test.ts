import { describe, expect, it } from "vitest";
import { preview } from "../../src/preview/preview.ts";
import { createLineRelevance } from "../../src/query/line-relevance.ts";

describe("createLineRelevance", () => {
  it("finds nothing to ask in a question of general words", () => {
    for (const query of [
      "",
      "summarize this for me",
      "What went wrong?",
      "Why did the build fail?",
      "show me the errors",
    ]) {
      expect(createLineRelevance(query).empty, query).toBe(true);
    }
  });

  it("weighs a whole identifier above its parts", () => {
    const question = createLineRelevance("why does parseHttpHeader return null?");
    expect(question.score("at parseHttpHeader (src/http.ts:4:2)")).toBeGreaterThan(question.score("parsed the header"));
    expect(question.score("nothing of the kind")).toBe(0);
    expect(question.best("in parseHttpHeader")).toBe("parsehttpheader");
  });

  it("keeps the words of a long question, whatever stands beside them", () => {
    const chatter = Array.from({ length: 50 }, (_, n) => `chat${String.fromCharCode(97 + (n % 26))}${n}`).join(" ");
    const question = createLineRelevance(`${chatter} zebra`);
    for (const word of ["chata0", "chatx49", "zebra"]) expect(question.score(`a ${word}`), word).toBeGreaterThan(0);
  });

  it("damps what is everywhere in the output", () => {
    const question = createLineRelevance("timeout of the scheduler");
    for (let line = 0; line < 1000; line++) question.observe(line === 7 ? "timeout" : "scheduler tick");
    expect(question.score("timeout")).toBeGreaterThan(5 * question.score("scheduler"));
  });

  it("leaves a preview as it is when the question is empty", () => {
    const lines = Array.from({ length: 4000 }, (_, index) => `step ${index} done`);
    lines[2000] = "src/a.c:3:1: error: unknown type name 'foo'";
    const text = lines.join("\n");
    const options = { strategy: "smart", maxBytes: 2000 } as const;
    expect(preview(text, { ...options, query: "summarize this for me" })).toEqual(preview(text, options));
  });

  it("shows the line asked for, though nothing else speaks for it", () => {
    const lines = Array.from({ length: 6000 }, (_, index) => `task-${index} settled in ${index % 90} ms`);
    lines[3210] = "cache warmup used 17 shards of frankfurt";
    const { text, blocks } = preview(lines.join("\n"), {
      strategy: "smart",
      maxBytes: 2000,
      query: "how many shards does frankfurt use?",
    });
    expect(text).toContain("17 shards of frankfurt");
    expect(blocks.some((block) => block.reason.startsWith("question: "))).toBe(true);
  });
});
