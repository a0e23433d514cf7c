import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectEnvelope, expectError } from "../../support/envelope.ts";
import { createWorkspace } from "../workspace.ts";

interface Match {
  readonly file: string;
  readonly line: number;
  readonly end_line?: number;
  readonly text: string;
  readonly before?: string[];
  readonly after?: string[];
  readonly bytes?: string;
}

describe.each([
  ["ripgrep", undefined],
  ["javascript", null],
] as const)("Grep with %s", (name, ripgrep) => {
  const space = createWorkspace({ ripgrep });
  const native = name === "ripgrep";
  space.write(".gitignore", "ignored.ts\nbuild/\n");
  space.write("a.ts", "one needle\ntwo\nthree needle\r\nfour\n");
  space.write("ignored.ts", "needle\n");
  space.write("build/out.ts", "needle\n");
  space.write("docs/a.md", "Needle in docs\n");
  space.write("src/b.tsx", "const needle = 1;\n");
  space.write("binary.dat", Buffer.from("needle\0\0needle\0"));
  const find = async (params: object) => {
    const response = expectEnvelope(await space.call("Grep", params), "grep");
    return { response, matches: response.data.matches as Match[] };
  };
  const places = (matches: readonly Match[]) => matches.map((match) => `${match.file}:${match.line}`);

  it("finds lines, in the order of paths, with totals", async () => {
    const { response, matches } = await find({ pattern: "needle" });
    expect(response.status).toBe(native ? "success" : "partial");
    expect(response.data.fallback).toBe(native ? undefined : "javascript");
    expect(places(matches)).toEqual(["a.ts:1", "a.ts:3", "src/b.tsx:1"]);
    expect(matches[1]?.text).toBe("three needle");
    expect(response.stats).toMatchObject({ total_matches: 3, total_files: 2 });
  });

  it("always searches a file that is named", async () => {
    expect(places((await find({ pattern: "needle", path: "ignored.ts" })).matches)).toEqual(["ignored.ts:1"]);
  });

  it("finds files whose names and folders hold newlines", async () => {
    const odd = createWorkspace({ ripgrep });
    odd.write("x\ny.txt", "thimble\n\nthimble\n");
    odd.write("y.txt", "nothing\n");
    odd.write("d\nir/f.txt", "one\nthimble\ntwo\n");
    odd.write("binary.dat", Buffer.from("thimble\0\0thimble\0"));
    odd.write("z.txt", "thimble\n");
    const names = ["d\nir/f.txt:2", "x\ny.txt:1", "x\ny.txt:3", "z.txt:1"];
    for (const params of [{}, { show_context: 1 }, { multiline: true }]) {
      const response = expectEnvelope(await odd.call("Grep", { pattern: "thimble", ...params }), "grep");
      expect(places(response.data.matches as Match[])).toEqual(names);
    }
  });

  it.runIf(native && process.platform === "linux")("says so of a file whose name is no text", async () => {
    const odd = createWorkspace({ ripgrep });
    writeFileSync(
      Buffer.concat([Buffer.from(`${odd.root}/lat`), Buffer.from([0xe9]), Buffer.from(".txt")]),
      "thimble\n",
    );
    odd.write("z.txt", "thimble\n");
    const response = expectEnvelope(await odd.call("Grep", { pattern: "thimble" }), "grep");
    expect(response).toMatchObject({
      status: "partial",
      data: { failed_items: ["lat\ufffd.txt: its name is not UTF-8"] },
    });
    expect(places(response.data.matches as Match[])).toEqual(["z.txt:1"]);
  });

  it("filters by glob without taking back what .gitignore leaves out", async () => {
    expect(places((await find({ pattern: "needle", glob: "*.ts" })).matches)).toEqual(["a.ts:1", "a.ts:3"]);
    expect(places((await find({ pattern: "needle", glob: "*.{ts,tsx}" })).matches)).toEqual([
      "a.ts:1",
      "a.ts:3",
      "src/b.tsx:1",
    ]);
    expect(places((await find({ pattern: "needle", glob: "src/**/*.tsx" })).matches)).toEqual(["src/b.tsx:1"]);
    expect(places((await find({ pattern: "needle", glob: "!*.ts" })).matches)).toEqual(["src/b.tsx:1"]);
    expect(places((await find({ pattern: "needle", path: "src", glob: "b.*" })).matches)).toEqual(["src/b.tsx:1"]);
  });

  it("ignores case and shows context when asked", async () => {
    expect(places((await find({ pattern: "NEEDLE", ignore_case: true, glob: "*.md" })).matches)).toEqual([
      "docs/a.md:1",
    ]);
    const { matches } = await find({ pattern: "three", show_context: 1 });
    expect(matches).toEqual([{ file: "a.ts", line: 3, text: "three needle", before: ["two"], after: ["four"] }]);
  });

  it("tells how to write a pattern of basic grep that found nothing", async () => {
    const { response } = await find({ pattern: "needles\\|pins" });
    expect(response.text).toContain("If you meant the operators, write needles|pins");
    expect((await find({ pattern: "needle\\|pin|needle" })).response.text).not.toContain("basic grep");
    expect((await find({ pattern: "pin\\(1\\)" })).response.text).not.toContain("basic grep");
  });

  it("spans lines in multiline mode only", async () => {
    expect((await find({ pattern: "two.*three" })).matches).toEqual([]);
    const { response, matches } = await find({ pattern: "two.*three", multiline: true });
    expect(matches).toEqual([{ file: "a.ts", line: 2, end_line: 3, text: "two\nthree needle" }]);
    expect(response.stats.total_matches).toBe(1);
  });

  it("gives one item for each match over lines, and one for those that begin in the same line", async () => {
    space.write("blocks.txt", "one\nbegin a\nmid\nend b\nbegin c\nend d begin e\nend f\nbegin x end begin z end\nlast");
    const { response, matches } = await find({ pattern: "begin.*?end", multiline: true, path: "blocks.txt" });
    expect(matches).toEqual([
      { file: "blocks.txt", line: 2, end_line: 4, text: "begin a\nmid\nend b" },
      { file: "blocks.txt", line: 5, end_line: 6, text: "begin c\nend d begin e" },
      { file: "blocks.txt", line: 6, end_line: 7, text: "end d begin e\nend f" },
      { file: "blocks.txt", line: 8, text: "begin x end begin z end" },
    ]);
    expect(response.stats.total_matches).toBe(4);
    const few = await find({ pattern: "begin.*?end", multiline: true, path: "blocks.txt", limit: 2 });
    expect(few.matches).toEqual(matches.slice(0, 2));
    expect(few.response).toMatchObject({ status: "partial", stats: { total_matches: 4 } });
  });

  it("shows the lines around a match over lines, and counts a line alone as it does without multiline", async () => {
    const params = { multiline: true, path: "blocks.txt", show_context: 1 };
    expect((await find({ ...params, pattern: "mid\\nend b\\n" })).matches).toEqual([
      { file: "blocks.txt", line: 3, end_line: 4, text: "mid\nend b", before: ["begin a"], after: ["begin c"] },
    ]);
    const alone = await find({ ...params, pattern: "begin|end" });
    const plain = await find({ ...params, pattern: "begin|end", multiline: false });
    expect(alone.matches).toEqual(plain.matches);
    expect(alone.response.stats.total_matches).toBe(plain.response.stats.total_matches);
  });

  it("bounds the text of a match over very many or very long lines", async () => {
    space.write("tall.txt", `begin\n${"line\n".repeat(5000)}end\n`);
    const [tall] = (await find({ pattern: "begin.*end", multiline: true, path: "tall.txt" })).matches;
    expect(tall).toMatchObject({ line: 1, end_line: 5002 });
    expect(tall?.text.length).toBeLessThan(5000);
    expect(tall?.text).toMatch(/^begin\nline\n.*\n… 4\d\d\d more lines$/s);
    space.write("wide.txt", `${"x".repeat(50_000)} begin ${"y".repeat(50_000)}\nend\n`);
    const [wide] = (await find({ pattern: "begin.*end", multiline: true, path: "wide.txt" })).matches;
    expect(wide).toMatchObject({ line: 1, end_line: 2 });
    expect(wide?.text.length).toBeLessThan(1100);
    if (native) expect(wide?.text).toContain(" begin ");
  });

  it("cuts at the limit, tells the total, and the next call works", async () => {
    const { response } = await find({ pattern: "needle", limit: 1 });
    expect(response).toMatchObject({ status: "partial", data: { truncated: true }, stats: { total_matches: 3 } });
    const next = JSON.parse(/Grep (\{.*\})\./.exec(response.text)?.[1] ?? "");
    expect((await find(next)).matches).toHaveLength(3);
  });

  it("calls a bad expression INVALID_PARAM and a missing path NOT_FOUND", async () => {
    expectError(await space.call("Grep", { pattern: "(unclosed" }), "INVALID_PARAM");
    expectError(await space.call("Grep", { pattern: "x", path: "nowhere" }), "NOT_FOUND");
  });

  it("takes the end of a line for its end, also before a carriage return", async () => {
    expect(places((await find({ pattern: "needle$", path: "a.ts" })).matches)).toEqual(["a.ts:1", "a.ts:3"]);
  });

  it("says why a pattern across lines found nothing, and refuses a NUL", async () => {
    expect((await find({ pattern: "two\\nthree" })).response.text).toContain("multiline");
    expectError(await space.call("Grep", { pattern: "a\0b" }), "INVALID_PARAM");
  });

  it("finds nothing without failing", async () => {
    const { response, matches } = await find({ pattern: "no such words" });
    expect(matches).toEqual([]);
    expect(response.stats.total_matches).toBe(0);
  });
});

describe("Grep", () => {
  const space = createWorkspace();

  it("shows the part around a match in a line of 3 MB, which Read can open", async () => {
    space.write("long.txt", `first\n${"x".repeat(2_000_000)} needle ${"y".repeat(1_000_000)}\nlast needle\n`);
    const response = expectEnvelope(await space.call("Grep", { pattern: "needle", path: "long.txt" }), "grep");
    const [long, short] = response.data.matches as Match[];
    expect(long?.text).toContain(" needle ");
    expect(long?.text.length).toBeLessThan(1000);
    expect(short).toEqual({ file: "long.txt", line: 3, text: "last needle" });
    const read = expectEnvelope(await space.call("Read", { path: "long.txt", bytes: long?.bytes }), "read");
    expect(read.data.content).toContain(" needle ");
  });

  it("keeps the first matches by path and counts 300,000 of them", async () => {
    for (const name of ["c", "a", "b"]) space.write(`many/${name}.txt`, "hit\n".repeat(100_000));
    const response = await space.call("Grep", { pattern: "hit", path: "many", limit: 100_002 });
    expect(response.stats.total_matches).toBe(300_000);
    expect(response.data).toHaveProperty("truncation");
    const small = await space.call("Grep", { pattern: "hit", path: "many" });
    expect((small.data.matches as Match[]).at(-1)).toEqual({ file: "many/a.txt", line: 100, text: "hit" });
  });

  it("counts a match of more than memory should hold as one, and says so", async () => {
    space.write("vast/a.txt", `begin\n${`${"x".repeat(1023)}\n`.repeat(20_000)}end\n`);
    space.write("vast/b.txt", "begin\nend\n");
    const response = expectEnvelope(await space.call("Grep", { pattern: "begin.*end", multiline: true, path: "vast" }));
    expect(response).toMatchObject({ status: "partial", stats: { total_matches: 2, total_files: 2 } });
    expect(response.data.matches).toEqual([{ file: "vast/b.txt", line: 1, end_line: 2, text: "begin\nend" }]);
    expect(response.data.failed_items).toEqual([expect.stringContaining("vast/a.txt")]);
    expect(response.text).toContain("showing 1");
    expect(response.text).not.toContain("limit");
  });

  it("understands look-around", async () => {
    space.write("look.txt", "foobar\nfoobaz\n");
    const response = await space.call("Grep", { pattern: "foo(?!bar)", path: "look.txt" });
    expect(response.data.matches).toEqual([{ file: "look.txt", line: 2, text: "foobaz" }]);
  });

  it("takes a pattern that looks like an option", async () => {
    space.write("dash.txt", "--files\n");
    expect((await space.call("Grep", { pattern: "--files", path: "dash.txt" })).stats.total_matches).toBe(1);
  });

  it("does not hang in JavaScript on an expression that explodes, nor on huge lines", async () => {
    const slow = createWorkspace({ ripgrep: null });
    slow.write("evil.txt", `${"a".repeat(40)}!\n`);
    slow.write("fine.txt", "aaa\n");
    slow.write("huge.txt", `${"b".repeat(3_000_000)}aaa\n`);
    const response = expectEnvelope(await slow.call("Grep", { pattern: "^(a+)+$" }), "grep");
    expect(response.data.matches).toEqual([{ file: "fine.txt", line: 1, text: "aaa" }]);
    expect(response.data.failed_items).toEqual([
      expect.stringContaining("evil.txt"),
      expect.stringContaining("huge.txt"),
    ]);
  });

  it("searches a saved output by its path and by its id", async () => {
    const big = await space.call("Bash", { command: "seq 1 30000" });
    const saved = (big.data.truncation as { full_output_path: string }).full_output_path;
    const found = await space.call("Grep", { pattern: "^29999$", path: saved });
    expect(found.data.matches).toEqual([{ file: saved, line: 29_999, text: "29999" }]);
  });

  it("gives the first 100 matches of 700 and the total, context of the config file or not", async () => {
    const configured = createWorkspace();
    configured.write(
      "spillway.yaml",
      "tool_output_limits:\n  default: { max_chars: 8000, max_lines: 500, truncation_strategy: head_tail }\n  tools:\n    grep_search: { max_lines: 100, show_context: 2 }\n",
    );
    configured.write("src/a.txt", Array.from({ length: 700 }, (_, at) => `needle number ${at + 1}\n`).join(""));
    const { data, stats, text } = await configured.call("grep_search", { pattern: "needle", path: "src" });
    expect(data.matches).toHaveLength(100);
    expect((data.matches as { line: number }[]).map(({ line }) => line)).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 1),
    );
    expect(stats.total_matches).toBe(700);
    expect(text).toContain("2 lines around each match are left out");
    const asked = await configured.call("grep_search", { pattern: "needle", path: "src", show_context: 2 });
    expect(asked.data.matches).toEqual(
      expect.arrayContaining([expect.objectContaining({ line: 1, after: expect.any(Array) })]),
    );
    const few = await configured.call("grep_search", { pattern: "number 7\\d$" });
    expect((few.data.matches as unknown[])[0]).toHaveProperty("before");
  });

  it("takes show_context of the called name from the config file", async () => {
    const configured = createWorkspace();
    configured.write("spillway.yaml", "tool_output_limits:\n  tools:\n    grep_search: { show_context: 1 }\n");
    configured.write("f.txt", "a\nneedle\nb\n");
    const [match] = (await configured.call("grep_search", { pattern: "needle" })).data.matches as Match[];
    expect(match).toMatchObject({ before: ["a"], after: ["b"] });
    const [plain] = (await configured.call("Grep", { pattern: "needle" })).data.matches as Match[];
    expect(plain).not.toHaveProperty("before");
  });

  it("finds in files with a byte order mark, in whichever encoding, more of them than one process takes", async () => {
    const space = createWorkspace();
    for (let file = 0; file < 70; file++)
      space.write(
        `wide/${file}.txt`,
        Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("the needle\r\n", "utf16le")]),
      );
    space.write("marked.txt", "\ufeffa needle\n");
    const { data, stats } = await space.call("Grep", { pattern: "needle" });
    expect(stats).toMatchObject({ total_matches: 71, total_files: 71 });
    expect(data.matches).toContainEqual({ file: "wide/69.txt", line: 1, text: "the needle" });
    expect(data.matches).toContainEqual({ file: "marked.txt", line: 1, text: "a needle" });
  });
});
