import { describe, expect, test } from "vitest";
import { createSpillway } from "../../src/index.ts";
import { createAccumulator, preview } from "../../src/preview/index.ts";
import type { Query } from "../../src/query/query-context.ts";
import { temporaryFolder } from "../support/folder.ts";

const NEEDLE = "posted ledger-7f3a with 41.20";
const ROWS = Array.from({ length: 5000 }, (_, at) => (at === 3210 ? NEEDLE : `posted entry-${at} with ${at % 97}.10`));
const TEXT = ROWS.join("\n");
const LONG = `${"Look after the books of the shop with care. ".repeat(140)}What became of ledger-7f3a?`;

const QUERIES: readonly [name: string, query: Query][] = [
  ["a text", "what became of ledger-7f3a"],
  ["a text of 6,000 characters", LONG],
  ["question", { question: "what became of ledger-7f3a" }],
  ["task", { task: LONG }],
  ["assistantText", { task: "Fix it.", assistantText: "I look for ledger-7f3a." }],
  ["command", { command: "grep ledger-7f3a books.log" }],
  ["a task longer than is ranked by", { task: `${"pay the bills. ".repeat(5000)} ledger-7f3a` }],
];

describe("a query", () => {
  test.each(QUERIES)("as %s ranks what preview(), an accumulator, govern() and exec() show", async (_, query) => {
    const options = { maxBytes: 2000, strategy: "smart", query } as const;
    expect(preview(TEXT, options).text).toContain(NEEDLE);
    const accumulator = createAccumulator({ limits: { maxBytes: 2000 }, strategy: "smart", query });
    accumulator.write(Buffer.from(TEXT));
    expect(accumulator.finish().text).toContain(NEEDLE);
    const spillway = createSpillway({ root: temporaryFolder("query"), env: {} });
    const governed = await spillway.govern(TEXT, options);
    expect(governed.kind === "bounded" && governed.preview.text).toContain(NEEDLE);
    const ran = await spillway.exec(`${process.execPath} -e "process.stdin.pipe(process.stdout)"`, {
      ...options,
      input: TEXT,
    });
    expect(JSON.stringify(ran)).toContain(NEEDLE);
  });

  test("is kept bounded and without secrets", async () => {
    const root = temporaryFolder("query-secret");
    const secret = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
    const spillway = createSpillway({ root, env: {}, redact: true });
    const governed = await spillway.govern(TEXT, { maxBytes: 2000, query: { task: `Use ${secret}. ${LONG}` } });
    const kept = governed.kind === "bounded" && "artifact" in governed.storage ? governed.storage.artifact.id : "";
    const { shown } = (await spillway.store.find(kept))!.manifest!;
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect((shown as { query: string }).query.length).toBeLessThanOrEqual(500);
  });

  test.each([
    [5, "query must be a text or"],
    [[], "query must be a text or"],
    [{ prompt: "x" }, 'query has no field "prompt"'],
    [{ task: 1 }, "query.task must be a text"],
  ])("that is %j is refused", (query, message) => {
    expect(() => preview(TEXT, { query } as never)).toThrow(message);
  });
});
