import { describe, expect, it } from "vitest";
import { createDiffAnalyzer } from "../../../../src/preview/smart/diff/create-diff-analyzer.ts";
import { expectLaws, roomOf } from "../shape-laws.ts";

function patch(path: string, lines: readonly string[], section = ""): string {
  const head = `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n`;
  return `${head}@@ -1,1 +1,${lines.length + 1} @@ ${section}\n context\n${lines.map((line) => `+${line}\n`).join("")}`;
}

const filler = (count: number, word: string): string[] =>
  Array.from({ length: count }, (_, n) => (n % 6 === 5 ? "" : `  ${word}_${n} = compute(${n});`));

const commit =
  "commit 0123456789abcdef0123456789abcdef01234567\nAuthor: A <a@example.org>\nDate:   now\n\n    Rework the pool.\n\n";
const diff =
  commit +
  patch("package-lock.json", filler(200, "lock")) +
  patch("src/pool.ts", [
    ...filler(120, "pool"),
    "  this.timeoutMs = undefined; // never expires",
    ...filler(120, "rest"),
  ]) +
  patch("src/cache.ts", filler(60, "cache"), "class Cache") +
  patch("test/pool.test.ts", filler(200, "check"));

describe("diff", () => {
  it("names every file with its counts and keeps the commit's subject", () => {
    const { text } = expectLaws(createDiffAnalyzer, diff, roomOf(4000));
    expect(text.split("\n")[0]).toContain("[diff: 4 files, +701 −0;");
    expect(text).toContain("    Rework the pool.");
    for (const path of ["package-lock.json", "src/pool.ts", "src/cache.ts", "test/pool.test.ts"]) {
      expect(text).toMatch(new RegExp(`^diff ${path} \\(\\+\\d+ −0\\) lines \\d+-\\d+$`, "m"));
    }
  });

  it("shows source before tests and lock files", () => {
    const { text } = expectLaws(createDiffAnalyzer, diff, roomOf(4000));
    const shown = (word: string): number => text.split(`+  ${word}_`).length - 1;
    expect(shown("pool") + shown("cache")).toBeGreaterThan(20);
    expect(shown("lock")).toBe(0);
  });

  it("finds the lines the question asks for in a long hunk", () => {
    const asked = "why do connections of the pool never reach their timeout?";
    expect(expectLaws(createDiffAnalyzer, diff, roomOf(3000), asked).text).toContain("this.timeoutMs = undefined");
  });

  it("shows the asked lines of many files, each under its file and hunk, before more of one", () => {
    const files = Array.from({ length: 30 }, (_, n) =>
      patch(`src/part_${n}.ts`, [...filler(40, `part${n}`), `  lease_${n} = renew(${n});`, ...filler(40, `more${n}`)]),
    ).join("");
    const { text } = expectLaws(createDiffAnalyzer, files, roomOf(5000), "why is the lease not renewed?");
    for (let n = 0; n < 30; n++) expect(text).toContain(`+  lease_${n} = renew(${n});`);
  });

  it("shows a hunk's header with a question only where it says a word of it, and the gap says where the line stands", () => {
    const lease = ["", "  lease = renew(1);"];
    const all =
      patch("src/a.ts", [...filler(60, "a"), ...lease], "class Leases") + patch("src/b.ts", lease, "class Pool");
    const { text } = expectLaws(
      createDiffAnalyzer,
      all + patch("src/c.ts", filler(80, "c")),
      roomOf(900),
      "the leases",
    );
    expect(text.split("+  lease = renew(1);")).toHaveLength(3);
    expect(text).toContain("class Leases");
    expect(text).not.toContain("class Pool");
    const shown = all.split("\n").lastIndexOf("+  lease = renew(1);") + 1;
    expect(text).toMatch(new RegExp(`^diff src/b.ts .*\n… \\d+-${shown - 1} …\n\\+  lease`, "m"));
  });

  it("follows a file that the question names, though its lines share no word with it", () => {
    const files = Array.from({ length: 20 }, (_, n) => patch(`src/part_${n}.ts`, filler(60, `part${n}`))).join("");
    const all = files + patch("src/dhcp-server.ts", filler(20, "step")) + files.replaceAll("part_", "late_");
    const { text } = expectLaws(createDiffAnalyzer, all, roomOf(3000), "dhcp server: wrong answer");
    expect(text.split("+  step_").length - 1).toBeGreaterThan(12);
  });

  it("shows lines of all files where a fault may lie that the question speaks of in none of their words", () => {
    const files = Array.from({ length: 12 }, (_, n) =>
      patch(`src/part-${n}.ts`, [...filler(60, `work${n}`), `  pool.acquireMutex(${n});`]),
    );
    const { text } = expectLaws(createDiffAnalyzer, commit + files.join(""), roomOf(3000), "A deadlock?");
    for (let n = 0; n < 12; n++) expect(text).toContain(`+  pool.acquireMutex(${n});`);
  });

  it("shows of a long run that is gone only its beginning", () => {
    const gone = Array.from({ length: 8 }, (_, n) => `-  old_${n} = compute(${n});\n`).join("");
    const hunk = `@@ -1,9 +1,2 @@\n context\n${gone}+  fresh = compute(0);\n`;
    const long = `diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n${hunk}`;
    const all = long + patch("src/b.ts", filler(300, "rest"));
    const { text } = expectLaws(createDiffAnalyzer, all, roomOf(1500), "is it fresh?");
    expect(text).toContain("-  old_0 = compute(0);\n-  old_1 = compute(1);\n… 8-13 …\n+  fresh = compute(0);");
  });

  it("reads removed lines that look like headers, and patches without git's own lines", () => {
    const plain = "--- old/a.sql\n+++ new/a.sql\n@@ -1,3 +1,2 @@\n select 1;\n--- a comment\n-+++ b\n+select 2;\n";
    const { text } = expectLaws(createDiffAnalyzer, plain.repeat(40), roomOf(900));
    expect(text.split("\n")[0]).toContain("[diff: 40 files, +40 −80;");
  });

  it("says so when there is no diff in it", () => {
    const analyzer = createDiffAnalyzer({ room: roomOf(1000), query: "" });
    analyzer.write(new TextEncoder().encode("plain words\n".repeat(50)));
    analyzer.finish(roomOf(1000), { line: 51, byte: 600, char: 600 });
    expect(analyzer.wrongShape).toBe(true);
  });

  it("shows decisions before comments and before what is gone", () => {
    const many = (count: number, line: (n: number) => string): string[] =>
      Array.from({ length: count }, (_, n) => line(n));
    const block = (name: string, line: (n: number) => string): string[] =>
      many(72, (n) => (n % 6 === 5 ? "" : `  ${line(n)} ${name}`));
    const mixed =
      patch(
        "src/notes.ts",
        block("noted", (n) => `// remark ${n} about`),
      ) +
      patch(
        "src/gone.ts",
        block("gone", (n) => `if (old(${n})) return`),
      )
        .replaceAll(/^\+(?!\+)/gm, "-")
        .replace("+1,73", "-1,73") +
      patch(
        "src/logic.ts",
        block("decided", (n) => `if (limit > ${n}) return`),
      );
    const { text } = expectLaws(createDiffAnalyzer, mixed, roomOf(2000));
    const shown = (word: string): number => text.split(` ${word}\n`).length - 1;
    expect(shown("decided")).toBeGreaterThan(2 * shown("noted"));
    expect(shown("decided")).toBeGreaterThan(2 * shown("gone"));
  });
});
