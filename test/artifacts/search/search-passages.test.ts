import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createMemorySource } from "../../../src/artifacts/byte-source.ts";
import { createLocalStore, searchPassages } from "../../../src/artifacts/index.ts";
import { concludeFromPassages } from "../../../src/artifacts/search/conclude.ts";
import { searchSource } from "../../../src/artifacts/search/search-passages.ts";
import { parseQuestion, tokenize } from "../../../src/query/passage-question.ts";
import { stem } from "../../../src/query/words.ts";
import { temporaryFolder } from "../temporary-folder.ts";

let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
});

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

function log(lines: number, special: Readonly<Record<number, string>>): string {
  const words = ["cache", "request", "worker", "session", "queue", "socket"];
  return Array.from(
    { length: lines },
    (_, at) => special[at + 1] ?? `INFO ${words[at % 6]} ${at} handled by ${words[(at * 7) % 6]}`,
  ).join("\n");
}

describe("a question", () => {
  it("is reduced to the words that mean something", () => {
    const question = parseQuestion("Why was the database connection refused?");
    expect(question.terms).toEqual(["database", "connection", "refused"]);
    expect(question.stems).toEqual(["database", "connect", "refus"]);
    expect(question.phrases).toEqual(["database connection", "connection refused"]);
  });

  it("without any asks for errors", () => {
    expect(parseQuestion("what happened?").terms).toContain("error");
    expect(parseQuestion("").terms).toContain("error");
    expect(parseQuestion("why?").terms).toContain("error");
    expect(parseQuestion("is it so?").terms).toContain("error");
  });

  it("of a single word asks for it, however common", () => {
    expect(parseQuestion("two?").terms).toEqual(["two"]);
    expect(parseQuestion("main").terms).toEqual(["main"]);
  });

  it("takes quoted wordings, identifiers and Chinese apart", () => {
    expect(parseQuestion('find "exit code 137"').phrases).toContain("exit code 137");
    expect(tokenize("createLocalStore read_file")).toEqual([
      ...["createlocalstore", "create", "local", "store"],
      ...["read_file", "read", "file"],
    ]);
    expect(parseQuestion("连接超时").terms).toEqual(["连接", "接超", "超时"]);
    expect(stem("failures")).toBe("fail");
    expect(stem("is")).toBe("is");
  });
});

describe.each(["ripgrep", "javascript"] as const)("search by %s", (engine) => {
  it("finds the one line that answers, wherever it stands", async () => {
    const special = { 15000: "ERROR worker 3: database connection refused (ECONNREFUSED 10.0.0.7:5432)" };
    const path = await file("app.log", log(20_000, special));
    const [best] = await searchPassages(path, "why was the database connection refused?", { engine });
    expect(best).toMatchObject({ path, line: 15_000, similar: 0 });
    expect(best?.text).toContain("ECONNREFUSED");
    expect(best?.startLine).toBeLessThanOrEqual(15_000);
    expect(best?.endLine).toBeGreaterThanOrEqual(15_000);
    expect(best?.text.split("\n")[15_000 - (best?.startLine ?? 0)]).toBe(special[15_000]);
    expect(best?.reasons).toEqual([
      "words: database, connection, refused",
      'exact: "database connection"',
      'exact: "connection refused"',
      "error signal",
    ]);
  });

  it("ranks rare words above common ones, and an error above a mention", async () => {
    const path = await file(
      "rank.log",
      log(5000, { 100: "worker timeout is 30 s", 4000: "FATAL worker timeout after 30 s" }),
    );
    const passages = await searchPassages(path, "worker timeout", { engine });
    expect(passages.slice(0, 2).map(({ line }) => line)).toEqual([4000, 100]);
  });

  it("works within one line of 10 MB", async () => {
    const path = await file(
      "line.txt",
      `${"lorem ipsum ".repeat(400_000)}the segfault in módulo seven${" dolor".repeat(800_000)}`,
    );
    const [best] = await searchPassages(path, "segfault", { engine });
    expect(best).toMatchObject({ line: 1, startLine: 1, endLine: 1 });
    expect(best?.startByte).toBeGreaterThan(4_700_000);
    expect(best?.text).toContain("the segfault in módulo seven");
    expect(best?.quote).toContain("the segfault in módulo seven");
    expect(best?.quote.length).toBeLessThan(220);
  });

  it("lets repeats fall together and stays within its limits", async () => {
    const path = await file(
      "repeat.log",
      Array.from({ length: 9000 }, (_, at) => `error: disk ${at} failed`).join("\n"),
    );
    const passages = await searchPassages(path, "disk failed", { engine, limit: 4, maxBytes: 700 });
    expect(passages.length).toBe(1);
    expect(passages[0]?.similar).toBeGreaterThan(50);
    expect(Buffer.byteLength(passages.map(({ text }) => text).join(""))).toBeLessThanOrEqual(700);
  });

  it("searches folders, with path and line", async () => {
    const root = join(folder, `tree-${engine}`);
    await file(`tree-${engine}/src/lock.ts`, "// nothing\nexport function acquireSessionLock() {}\n");
    await file(`tree-${engine}/README.md`, "How to build this.\n");
    await file(`tree-${engine}/node_modules/x/index.js`, "acquireSessionLock\n");
    await file(`tree-${engine}/.gitignore`, "node_modules\n");
    const passages = await searchPassages(root, "where is the session lock acquired?", { engine });
    expect(passages.map(({ path, line }) => [path, line])).toEqual([[join(root, "src", "lock.ts"), 2]]);
  });

  it("searches an artifact folder although it hides itself from git", async () => {
    const store = createLocalStore({ dir: join(folder, `store-${engine}`) });
    const writer = await store.create({ tool: "Bash" });
    await writer.write(Buffer.from("one\npanic: out of cheese\n"));
    await writer.finish({ complete: true });
    const passages = await searchPassages(store.dir, "cheese", { engine });
    expect(passages.map(({ path, line }) => [path, line])).toEqual([[writer.path, 2]]);
  });
});

describe("the answer", () => {
  it("is a sentence and evidence", async () => {
    const source = createMemorySource(Buffer.from("a\nb\nerror TS2304: Cannot find name 'x'.\n"));
    const passages = await searchSource(source, "build.log", "which error?");
    const { conclusion, evidence } = concludeFromPassages("which error?", "build.log", passages);
    expect(conclusion).toBe(`Best fit for "which error?": build.log:3 says "error TS2304: Cannot find name 'x'.".`);
    expect(evidence).toEqual([
      {
        pointer: "build.log:3",
        quote: "error TS2304: Cannot find name 'x'.",
        reasons: ["words: error", "error signal"],
      },
    ]);
  });

  it("says so when nothing fits", async () => {
    const passages = await searchSource(createMemorySource(Buffer.from("calm\n")), "x", "storm");
    expect(passages).toEqual([]);
    expect(concludeFromPassages("storm", "x", passages).conclusion).toBe(
      `Nothing in x holds a word of "storm", nor an error.`,
    );
    await expect(searchPassages(join(folder, "missing"), "x")).rejects.toMatchObject({ code: "ARTIFACT_NOT_FOUND" });
  });
});

describe("a question about a failure", () => {
  it("is answered by the error itself, though that shares no word with it", async () => {
    const special = {
      1: "> shop build",
      7000: "src/invoice.ts:214:17 - error TS2345: Argument of type 'string' is not assignable.",
      9999: "build failed after 9 s",
    };
    const source = createMemorySource(Buffer.from(log(9999, special)));
    const passages = await searchSource(source, "build.log", "why did the build fail?", { limit: 3 });
    expect(passages.map(({ line }) => line)).toEqual([9999, 7000, 1]);
  });
});
