import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkEvidence } from "../../src/agent/evidence.ts";
import { createSpillway } from "../../src/gate/spillway.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "spillway-evidence-"));
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/a.ts"), "one\ntwo\nthree\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const check = async (answer: string) => checkEvidence(answer, { root, store: createSpillway({ root, env: {} }).store });

describe("checkEvidence", () => {
  it("leaves right pointers alone and marks wrong ones", async () => {
    const answer = "See src/a.ts:3 and src/a.ts:4.\n- `src/a.ts:1-3` all\n- src/a.ts:2-9 too far\n- src/b.ts:1 none";
    const { text, evidence } = await check(answer);
    expect(text).toBe(
      "See src/a.ts:3 and src/a.ts:4 [not found: the file has 3 lines].\n- `src/a.ts:1-3` all\n- src/a.ts:2-9 [not found: the file has 3 lines] too far\n- src/b.ts:1 [not found: no such file] none",
    );
    expect(evidence.map((one) => one.exists)).toEqual([true, false, true, false, false]);
  });

  it("checks paths with blanks and names in any language, wherever they stand", async () => {
    mkdirSync(join(root, "我的 文档"));
    writeFileSync(join(root, "我的 文档/构建 日志.txt"), "一\n二\n");
    writeFileSync(join(root, "说明.md"), "一\n");
    writeFileSync(join(root, "src/my notes (old).txt"), "one\n");
    const right = [
      "- 我的 文档/构建 日志.txt:2 第二行",
      "- `说明.md:1` 见此",
      "请看说明.md:1，以及src/a.ts:3。",
      "- src/my notes (old).txt:1 one",
      'It says so in "src/my notes (old).txt":1 and `我的 文档/构建 日志.txt`：2.',
      "- src/a.ts:3:14 with a column",
    ].join("\n");
    const checked = await check(right);
    expect(checked.text).toBe(right);
    expect(checked.evidence.map(({ path, line }) => `${path}:${line}`)).toEqual([
      "我的 文档/构建 日志.txt:2",
      "说明.md:1",
      "说明.md:1",
      "src/a.ts:3",
      "src/my notes (old).txt:1",
      "src/my notes (old).txt:1",
      "我的 文档/构建 日志.txt:2",
      "src/a.ts:3",
    ]);
    const wrong = await check("- 我的 文档/构建 日志.txt:9\n- 没有.md:1\n- no such/file here.txt:4\n请看说明.md:5");
    expect(wrong.evidence).toEqual([
      { path: "我的 文档/构建 日志.txt", line: 9, exists: false, problem: "the file has 2 lines" },
      { path: "没有.md", line: 1, exists: false, problem: "no such file" },
      { path: "no such/file here.txt", line: 4, exists: false, problem: "no such file" },
      { path: "说明.md", line: 5, exists: false, problem: "the file has 1 line" },
    ]);
  });

  it("takes no time, port or URL for a pointer", async () => {
    const answer =
      "At 12:30 on localhost:8080, see http://example.com:443/x and 127.0.0.1:80, example.com:443, ratio 1.5:1.";
    expect(await check(answer)).toEqual({ text: answer, evidence: [] });
  });

  it("does not look outside the workspace", async () => {
    symlinkSync("/etc", join(root, "etc"));
    const { evidence } = await check("- /etc/passwd:1 root\n- ../x.txt:1\n- etc/passwd:1");
    expect(evidence).toEqual([
      { path: "/etc/passwd", line: 1, exists: false, problem: "outside the workspace" },
      { path: "../x.txt", line: 1, exists: false, problem: "outside the workspace" },
      { path: "etc/passwd", line: 1, exists: false, problem: "outside the workspace" },
    ]);
  });

  it("stays quick on long answers", async () => {
    const answer = `${"a/".repeat(100_000)} ${"x.y:1 ".repeat(1000)}${":".repeat(50_000)}${"a".repeat(500_000)}:1 ${"a.b".repeat(1000)}${":1".repeat(50_000)}`;
    expect((await check(answer)).text.length).toBeGreaterThanOrEqual(answer.length);
  });
});
