import { describe, expect, it } from "vitest";
import { preview } from "../../src/preview/preview.ts";
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

  it("weighs a whole identifier above its parts", () => {
    const relevance = new Relevance("why does parseHttpHeader return null?");
    const scores = ["at parseHttpHeader (src/http.ts:4:2)", "parsed the header", "nothing of the kind"].map((text) =>
      relevance.score(relevance.tally(text)),
    );
    expect(scores[0]).toBeGreaterThan(scores[1] ?? 0);
    expect(scores[1]).toBeGreaterThan(0);
    expect(scores[2]).toBe(0);
    expect(relevance.best(relevance.tally("in parseHttpHeader"))).toBe("parsehttpheader");
  });

  it("damps what is everywhere in the output", () => {
    const relevance = new Relevance("timeout of the scheduler");
    for (let line = 0; line < 999; line++) relevance.observe(relevance.tally("scheduler tick"));
    relevance.observe(relevance.tally("timeout"));
    const [rare, common] = ["timeout", "scheduler"].map((text) => relevance.score(relevance.tally(text)));
    expect(rare).toBeGreaterThan(5 * (common ?? 0));
  });

  it("counts units without any term at once", () => {
    const [once, each] = [new Relevance("timeout"), new Relevance("timeout")];
    once.observe(undefined, 100);
    for (let unit = 0; unit < 100; unit++) each.observe(undefined);
    for (const relevance of [once, each]) relevance.observe(relevance.tally("timeout"));
    expect(once.score(once.tally("timeout"))).toBe(each.score(each.tally("timeout")));
  });

  it("finds a run of characters wherever it stands, whole and in pairs", () => {
    const [whole, part, none] = ["重试后数据库连接失败", "数据库已打开", "没有"].map((text) =>
      scoreOf("为什么数据库连接失败？", text),
    );
    expect(whole).toBeGreaterThan(part ?? 0);
    expect(part).toBeGreaterThan(0);
    expect(none).toBe(0);
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

  it("asks for nothing where they are not looked for", () => {
    for (const query of ["", "summarize this for me", "What went wrong?", "Why did the build fail?"]) {
      expect(new Relevance(query, { general: false }).empty, query).toBe(true);
    }
  });
});

describe("a log", () => {
  const options = { strategy: "smart", maxBytes: 2000 } as const;

  it("is shown as it is when the question asks for nothing", () => {
    const lines = Array.from({ length: 4000 }, (_, index) => `step ${index} done`);
    lines[2000] = "src/a.c:3:1: error: unknown type name 'foo'";
    const text = lines.join("\n");
    expect(preview(text, { ...options, query: "summarize this for me" })).toEqual(preview(text, options));
  });

  it("shows the line asked for, though nothing else speaks for it", () => {
    const lines = Array.from({ length: 6000 }, (_, index) => `task-${index} settled in ${index % 90} ms`);
    lines[3210] = "cache warmup used 17 shards of frankfurt";
    const { text, blocks } = preview(lines.join("\n"), { ...options, query: "how many shards does frankfurt use?" });
    expect(text).toContain("17 shards of frankfurt");
    expect(blocks.some((block) => block.reason.startsWith("question: "))).toBe(true);
  });
});
