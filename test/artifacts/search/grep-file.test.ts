import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { createMemorySource } from "../../../src/artifacts/byte-source.ts";
import { grepFile } from "../../../src/artifacts/index.ts";
import { escapeRegExp } from "../../../src/artifacts/search/bounded-regex.ts";
import { grepSource } from "../../../src/artifacts/search/grep-file.ts";
import { temporaryFolder } from "../temporary-folder.ts";

let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
});

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe.each(["ripgrep", "javascript"] as const)("grep by %s", (engine) => {
  it("gives lines with their numbers and the total", async () => {
    const path = await file("lines.txt", "alpha\r\nbeta error\r\ngamma\nERROR again error\n");
    const answer = await grepFile(path, "err(or)", { engine });
    expect(answer).toMatchObject({ totalMatches: 2, matchingLines: 2, complete: true });
    expect(answer.matches.map(({ line, text, matchByte }) => [line, text, matchByte])).toEqual([
      [2, "beta error", 12],
      [4, "ERROR again error", 37],
    ]);
    expect((await grepFile(path, "error", { engine, ignoreCase: true })).totalMatches).toBe(3);
    expect((await grepFile(path, "nothing", { engine })).totalMatches).toBe(0);
  });

  it("matches within one line, and takes an escape that is not needed", async () => {
    const path = await file("within.txt", "one\ntwo a-b\none  two\n");
    expect((await grepFile(path, "one\\s+two", { engine })).matches.map(({ line }) => line)).toEqual([3]);
    expect((await grepFile(path, "a\\-b", { engine })).matches.map(({ line }) => line)).toEqual([2]);
  });

  it("takes plain text literally", async () => {
    const path = await file("plain.txt", "a[0] = 1\na0 = 2\n$x.*y-z/\n");
    expect((await grepFile(path, "a[0]", { engine, fixedStrings: true })).matches.map(({ line }) => line)).toEqual([1]);
    expect((await grepFile(path, "$x.*y-z/", { engine, fixedStrings: true })).matches.map(({ line }) => line)).toEqual([
      3,
    ]);
  });

  it("shows the place inside one line of 10 MB, by byte", async () => {
    const path = await file(
      "long.txt",
      `${"é".repeat(2_500_000)}needle one${"y".repeat(5_000_000)}needle two${"z".repeat(100)}`,
    );
    const answer = await grepFile(path, "needle (one|two)", { engine, windowBytes: 100 });
    expect(answer).toMatchObject({ totalMatches: 2, matchingLines: 1, complete: true });
    expect(answer.matches.map(({ matchByte, cutBefore, cutAfter }) => [matchByte, cutBefore, cutAfter])).toEqual([
      [5_000_000, true, true],
      [10_000_010, true, true],
    ]);
    const [first] = answer.matches;
    expect(first?.text).toMatch(/^é+needle oney+$/);
    expect(Buffer.byteLength(first?.text ?? "")).toBeLessThanOrEqual(100);
  });

  it("stays bounded when everything matches, and still counts all", async () => {
    const path = await file("many.txt", "match this line\n".repeat(50_000));
    const answer = await grepFile(path, "match", { engine, limit: 7 });
    expect(answer).toMatchObject({ totalMatches: 50_000, matchingLines: 50_000, complete: false });
    expect(answer.matches.length).toBe(7);
    const small = await grepFile(path, "match", { engine, maxBytes: 40 });
    expect(small.matches.length).toBe(2);
    const wide = await grepFile(await file("wide.txt", "ab".repeat(500_000)), ".*", { engine });
    expect(wide.matches.length).toBe(1);
    expect(wide.matches[0]?.text.length).toBeLessThanOrEqual(400);
  });

  it("finds text between bytes that are no UTF-8, at the right byte", async () => {
    const path = await file(
      "binary.bin",
      Buffer.concat([Buffer.from([255, 254, 0, 10, 128]), Buffer.from("näedle\n"), Buffer.from([0xc3])]),
    );
    const answer = await grepFile(path, "edle", { engine });
    expect(answer.matches.map(({ line, matchByte }) => [line, matchByte])).toEqual([[2, 8]]);
    expect(answer.matches[0]?.text.isWellFormed()).toBe(true);
  });

  it("counts any number of matches beside bytes that are no UTF-8", async () => {
    const path = await file(
      "many.bin",
      Buffer.concat([Buffer.from(`${"a".repeat(300_000)}\n`), Buffer.from([0xff, 10])]),
    );
    expect(await grepFile(path, "a", { engine })).toMatchObject({ totalMatches: 300_000, matchingLines: 1 });
  });

  it("refuses a pattern that is none, in one sentence", async () => {
    const path = await file("x.txt", "x");
    await expect(grepFile(path, "(", { engine })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(/^the pattern is not a regular expression: [^\n]+$/),
    });
  });

  it("is not stopped for long by a pattern that backtracks without end", async () => {
    const path = await file("evil.txt", `${"a".repeat(40)}b\n`);
    const outcome = await grepFile(path, "^(a+)+$", { engine }).then(
      ({ totalMatches }) => totalMatches,
      (error: Error) => error.message,
    );
    expect(outcome).toEqual(engine === "ripgrep" ? 0 : expect.stringMatching(/takes too long/));
  });

  it("says when there is no such file", async () => {
    const missing = grepFile(join(folder, "missing"), "x", { engine });
    await expect(missing).rejects.toMatchObject({ code: "ARTIFACT_NOT_FOUND" });
    await expect(grepFile(folder, "x", { engine })).rejects.toMatchObject({ code: "ARTIFACT_NOT_FOUND" });
  });
});

describe("both engines", () => {
  it("find the same places of a text in any text", async () => {
    const word = fc.constantFrom("foo", "bar", "é", "漢字", "🙂", " ", "\n", "\r\n", "\0");
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { maxLength: 60 }),
        fc.constantFrom("foo", "é", "漢", "ba", "🙂"),
        async (words, wanted) => {
          const text = words.join("");
          const path = await file("same.txt", text);
          const byRipgrep = await grepFile(path, wanted, { fixedStrings: true });
          const byScan = await grepSource(createMemorySource(Buffer.from(text)), wanted, { fixedStrings: true });
          expect(byScan).toEqual(byRipgrep);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("escape a text so that it matches just itself", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(new RegExp(`^${escapeRegExp(text)}$`, "u").test(text)).toBe(true);
      }),
    );
  });
});

describe("grepSource", () => {
  it("goes on after what a pattern matches with nothing, also behind a character of two units", async () => {
    const source = createMemorySource(Buffer.from(`🌊 xx\n${"abc\n".repeat(400_000)}xyz\n`));
    const { matches, totalMatches } = await grepSource(source, "x+|y*");
    expect([totalMatches, matches.map(({ line }) => line)]).toEqual([3, [1, 400_002]]);
  });
});
