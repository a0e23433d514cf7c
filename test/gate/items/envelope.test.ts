import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ObservationTruncator, type TruncateResponseOptions } from "../../../src/gate/observation-truncator.ts";
import type { SpillwayOptions } from "../../../src/gate/types.ts";
import type { ToolResponse, TruncationFacts } from "../../../src/protocol/types.ts";
import type { ToolKind } from "../../../src/protocol/validate.ts";
import { expectEnvelope } from "../../support/envelope.ts";
import { temporaryFolder } from "../../support/folder.ts";

const root = temporaryFolder("items");
const truncator = (options: SpillwayOptions = {}) => new ObservationTruncator({ root, env: {}, ...options });
const numbered = (count: number, word = "line") => Array.from({ length: count }, (_, at) => `${word} ${at}`).join("\n");
const matchesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    file: `src/part-${at % 7}.ts`,
    line: at + 1,
    text: `TODO number ${at}`,
  }));
const compact = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).join("\n");

function response(data: Record<string, unknown>, fields: Partial<ToolResponse> = {}): ToolResponse {
  const context = { cwd: ".", params_input: { pattern: "TODO" } };
  return { status: "success", data, text: "Done.", stats: { time_ms: 7 }, context, ...fields };
}

async function truncate(
  data: Record<string, unknown>,
  options: TruncateResponseOptions = {},
  kind?: ToolKind,
): Promise<ToolResponse & { facts: TruncationFacts; saved: unknown }> {
  const original = response(data);
  const envelope = expectEnvelope(await truncator().truncate("search", original, options), kind);
  const facts = envelope.data.truncation as TruncationFacts;
  const text = readFileSync(join(root, facts.full_output_path ?? ""), "utf8");
  expect(text).toBe(JSON.stringify(original, null, 2));
  return { ...envelope, facts, saved: JSON.parse(text) };
}

describe("a result made of items", () => {
  it("max_lines: 100 means the first 100 matches and the total", async () => {
    const matches = matchesOf(700);
    const { status, data, facts, stats, text } = await truncate(
      { matches, truncated: false },
      { maxLines: 100 },
      "grep",
    );
    expect(status).toBe("partial");
    expect(data.matches).toEqual(matches.slice(0, 100));
    expect(facts).toMatchObject({
      max_lines: 100,
      original_lines: 700,
      kept_lines: 100,
      original_items: 700,
      kept_items: 100,
      original_bytes: Buffer.byteLength(compact(matches)),
      kept_bytes: Buffer.byteLength(`${compact(matches.slice(0, 100))}\n`),
    });
    expect(stats).toMatchObject({ time_ms: 7, total_matches: 700 });
    expect(text).toContain("100 of 700 items");
    expect(data.preview).toContain("600 items");
    expect(data.preview).toContain("omitted: items 101-700");
    expect(data.preview).toContain('"TODO number 0"');
  });

  it("obeys the limits that a config file has for the tool", async () => {
    const base = temporaryFolder("items-yaml");
    writeFileSync(join(base, "spillway.yaml"), "tool_output_limits: {tools: {grep_search: {max_lines: 100}}}");
    const matches = matchesOf(700);
    const one = new ObservationTruncator({ root: base, env: {} });
    expect((await one.truncate("grep_search", response({ matches }))).data.matches).toEqual(matches.slice(0, 100));
    const exactly = response({ matches: matches.slice(0, 100) });
    expect(await one.truncate("grep_search", exactly)).toBe(exactly);
  });

  it("is measured as one line an item, not as pretty JSON", async () => {
    const within = response({ matches: matchesOf(700) });
    expect(JSON.stringify(within, null, 2).split("\n").length).toBeGreaterThan(2000);
    expect(await truncator().truncate("search", within)).toBe(within);
  });

  it.each(["entries", "paths", "rows"])(
    "keeps the first of data.%s that fit the bytes, beside a short preview",
    async (key) => {
      const items = Array.from({ length: 5000 }, (_, at) =>
        key === "paths" ? `src/ä-${at}.ts` : { path: `ä-${at}`, type: "file" },
      );
      const { data, facts, stats } = await truncate({ [key]: items }, { maxBytes: 10_000 });
      const kept = data[key] as unknown[];
      expect(kept).toEqual(items.slice(0, kept.length));
      const bytes = Buffer.byteLength(JSON.stringify(kept)) + Buffer.byteLength(String(data.preview));
      expect(bytes).toBeLessThanOrEqual(10_000);
      expect(bytes).toBeGreaterThan(7000);
      expect(facts).toMatchObject({ original_items: 5000, kept_items: kept.length, kept_lines: kept.length });
      expect(stats[`total_${key}`]).toBe(5000);
    },
  );

  it("keeps the tool's own totals, which know more than its list", async () => {
    const original = response({ matches: matchesOf(500), truncated: true }, { status: "partial" });
    original.stats.total_matches = 9000;
    const envelope = expectEnvelope(await truncator().truncate("search", original, { maxLines: 20 }));
    expect(envelope.stats.total_matches).toBe(9000);
    expect(envelope.data.matches).toHaveLength(20);
  });

  it("chooses by the question when there is one, and keeps the order", async () => {
    const matches = matchesOf(700);
    matches[400] = { file: "src/auth.ts", line: 401, text: "TODO refresh the session token" };
    matches[650] = { file: "src/auth.ts", line: 651, text: "TODO session token expires" };
    const { data } = await truncate({ matches }, { maxLines: 10, query: "where does the session token expire" });
    const kept = data.matches as typeof matches;
    expect(kept).toHaveLength(10);
    expect(kept.slice(0, 8)).toEqual(matches.slice(0, 8));
    expect(kept.slice(8)).toEqual([matches[400], matches[650]]);
    expect(data.preview).toContain("items 9-400");
    expect(data.preview).toContain("items 402-650");
    expect(data.preview).toContain("items 652-700");
  });

  it("chooses by a single word that few items hold", async () => {
    const matches = matchesOf(30);
    matches[20] = { file: "src/auth.ts", line: 21, text: "the session expires" };
    const { data } = await truncate({ matches }, { maxLines: 10, query: "where does it expire?" });
    expect(data.matches).toContainEqual(matches[20]);
  });

  it.each([
    ["为什么数据库连接失败？", "数据库连接失败，重试三次后放弃"],
    ["なぜ接続が拒否されましたか", "サーバーへの接続が拒否された"],
    ["데이터베이스 연결이 왜 실패했나요", "오류: 데이터베이스 연결 실패"],
  ])("chooses by a question without blanks between its words: %s", async (query, text) => {
    const matches = matchesOf(700);
    matches[400] = { file: "src/db.ts", line: 401, text };
    const { data } = await truncate({ matches }, { maxLines: 10, query });
    expect(data.matches).toContainEqual(matches[400]);
  });

  it.each([
    ["tail", [690, 691, 692, 693, 694, 695, 696, 697, 698, 699]],
    ["head_tail", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ["smart", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ] as const)("%s keeps the first items, and tail the last", async (strategy, indices) => {
    const matches = matchesOf(700);
    const { data, facts } = await truncate({ matches }, { maxLines: 10, strategy });
    expect(data.matches).toEqual(indices.map((index) => matches[index]));
    expect(facts.direction).toBe(strategy === "head_tail" ? "head" : strategy);
  });

  it("goes past an item that is larger than the limit, and names it", async () => {
    const giant = { file: "a.min.js", line: 1, text: "x".repeat(80_000) };
    const small = matchesOf(40);
    const { data, facts } = await truncate({ matches: [...small.slice(0, 3), giant, ...small.slice(3)] });
    expect(data.matches).toEqual(small);
    expect(facts).toMatchObject({ original_items: 41, kept_items: 40 });
    expect(data.preview).toContain("omitted: item 4 …");
  });

  it("shows what it can of items that are all too large to be kept", async () => {
    const matches = Array.from({ length: 40 }, (_, at) => ({ id: at, hash: `${at}`.repeat(60_000) }));
    const { data, facts } = await truncate({ matches });
    expect(data.matches).toEqual([]);
    expect(facts).toMatchObject({ original_items: 40, kept_items: 0 });
    expect(data.preview).toMatch(/^\{"id":0,"hash":"0000/);
    expect(String(data.preview).length).toBeGreaterThan(30_000);
  });

  it("cuts the texts inside a few items that are too large", async () => {
    const results = ["a", "b"].map((name) => ({ url: `http://${name}`, content: numbered(9000, name) }));
    const { data } = await truncate({ results });
    const [first, second] = data.results as typeof results;
    expect(first).toMatchObject({
      url: "http://a",
      content: expect.stringMatching(/^a 0\na 1\n[\s\S]*lines .* omitted/),
    });
    expect(second).toMatchObject({
      url: "http://b",
      content: expect.stringMatching(/^b 0\nb 1\n[\s\S]*lines .* omitted/),
    });
  });

  it("gives several lists their shares and leaves short ones whole", async () => {
    const data = { matches: matchesOf(3000), files: matchesOf(2000), notes: ["x.ts"], took: 3 };
    const bounded = await truncate(data, { maxLines: 100 });
    expect(bounded.data).toMatchObject({ notes: ["x.ts"], took: 3 });
    expect(bounded.data.matches).toEqual(data.matches.slice(0, 50));
    expect(bounded.data.files).toEqual(data.files.slice(0, 50));
    expect(bounded.facts).toMatchObject({ original_items: 5000, kept_items: 100, original_lines: 5000 });
    expect(bounded.stats).toMatchObject({ total_matches: 3000, total_files: 2000 });
    expect(bounded.data.preview).toContain("items of matches");
    expect(bounded.data.preview).toContain("items of files");
  });

  it("finds the list inside nested data", async () => {
    const rows = matchesOf(500);
    const { data, stats } = await truncate(
      { result: { query: "q", page: { rows, next: null } }, ok: true },
      { maxLines: 30 },
    );
    expect(data).toMatchObject({ ok: true, result: { query: "q", page: { rows: rows.slice(0, 30), next: null } } });
    expect(stats.total_rows).toBe(500);
  });

  it("takes the members of an object of like members as items", async () => {
    const files = Object.fromEntries(matchesOf(800).map((match, at) => [`file-${at}`, match]));
    const { data, facts } = await truncate({ files }, { maxLines: 25 });
    expect(Object.keys(data.files as object)).toEqual(Object.keys(files).slice(0, 25));
    expect(facts).toMatchObject({ original_items: 800, kept_items: 25, original_lines: 800 });
  });

  it("is the same for an old result that is a bare list", async () => {
    const envelope = expectEnvelope(await truncator().truncate("Old", matchesOf(300), { maxLines: 12 }));
    expect(envelope.data.items).toEqual(matchesOf(12));
  });

  it("an error stays one, with its items", async () => {
    const error = { code: "TIMEOUT", message: "It took too long." } as const;
    const original = response(
      { matches: matchesOf(300) },
      { status: "error", error, text: "It took too long; narrow it." },
    );
    const envelope = expectEnvelope(await truncator().truncate("search", original, { maxLines: 12 }));
    expect(envelope).toMatchObject({ status: "error", error, data: { matches: matchesOf(12) } });
  });

  it("the read in its advice begins at the first item that is left out", async () => {
    const { text, facts } = await truncate({ note: "x\ny", matches: matchesOf(700) }, { maxLines: 100 });
    const [, offset] = /offset=(\d+)/.exec(text) ?? expect.unreachable(text);
    const lines = readFileSync(join(root, facts.full_output_path ?? ""), "utf8").split("\n");
    expect(lines.slice(Number(offset) - 1, Number(offset) + 4).join("\n")).toContain('"text": "TODO number 100"');
    expect(lines.slice(0, Number(offset) - 1).join("\n")).not.toContain('"TODO number 100"');
  });

  it("tiny limits keep the array and the facts", async () => {
    const { data, facts } = await truncate({ matches: matchesOf(300) }, { maxBytes: 64, maxLines: 1 });
    expect(Array.isArray(data.matches)).toBe(true);
    expect(JSON.stringify(data.matches).length).toBeLessThanOrEqual(66);
    expect(facts.original_items).toBe(300);
  });
});

describe("texts side by side", () => {
  it("both keep their place, with markers of their own", async () => {
    const { data, facts } = await truncate({
      stdout: numbered(4000, "out"),
      stderr: numbered(3000, "err"),
      exit_code: 1,
    });
    expect(data.exit_code).toBe(1);
    expect(data.stdout).toMatch(/^out 0\nout 1\n[\s\S]*…[0-9a-f]{6} [\d,]+ lines \(.*\) omitted: lines \d+-4000 …$/);
    expect(data.stderr).toMatch(/^err 0\nerr 1\n[\s\S]*…[0-9a-f]{6} [\d,]+ lines \(.*\) omitted: lines \d+-3000 …$/);
    expect(facts).toMatchObject({ original_lines: 7000 });
    const shown = `${data.stdout}\n${data.stderr}`;
    expect(shown.split("\n").length).toBeLessThanOrEqual(2000);
    expect(facts).not.toHaveProperty("original_items");
    expect(data.preview).toMatch(
      /^out 0\n…[0-9a-f]{6} [\d,]+ lines of stdout \([\d,]+ bytes\) omitted: lines \d+-4000; [\d,]+ lines of stderr .* omitted: lines \d+-3000 …$/,
    );
  });

  it("a short one is whole, a long one takes the rest", async () => {
    const stderr = numbered(60, "err");
    const { data } = await truncate({ stdout: numbered(4000, "out"), stderr }, { maxLines: 200 });
    expect(data.stderr).toBe(stderr);
    expect(String(data.stdout).split("\n").length).toBeGreaterThan(120);
  });

  it("a single line of errors does not vanish beside a text that becomes the preview", async () => {
    const { data } = await truncate({ stdout: numbered(4000, "out"), stderr: "boom", exit_code: 2 });
    expect(data).toMatchObject({ stderr: "boom", exit_code: 2, truncated: true });
    expect(data.preview).toMatch(/^out 0\n/);
  });

  it("the bytes in its advice begin where the first text was cut", async () => {
    const { text, facts } = await truncate({ stdout: numbered(4000, 'say "ä"'), stderr: numbered(3000, "err") });
    const [, from, to] = /bytes="(\d+)-(\d+)"/.exec(text) ?? expect.unreachable(text);
    const bytes = readFileSync(join(root, facts.full_output_path ?? ""))
      .subarray(Number(from), Number(to))
      .toString();
    expect(bytes).toMatch(/^say \\"ä\\" \d+\\n/);
  });

  it("a list and a text share the limit", async () => {
    const { data } = await truncate({ matches: matchesOf(900), log: numbered(900, "log") }, { maxLines: 100 });
    expect(data.matches).toEqual(matchesOf(50));
    expect(String(data.log).split("\n").length).toBeLessThanOrEqual(50);
    expect(data.log).toMatch(/^log 0\n/);
  });
});
