import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalStore, queryArtifact } from "../../../src/artifacts/index.ts";
import { answerQuery } from "../../../src/artifacts/query/answer-query.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "spillway-query-limits-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const store = () => createLocalStore({ root, dir: "out" });
async function save(text: string): Promise<string> {
  const writer = await store().create({ tool: "Test" });
  await writer.write(Buffer.from(text));
  return (await writer.finish({ complete: true })).id;
}
const jsonLines = (count: number): string =>
  Array.from({ length: count }, (_, id) => JSON.stringify({ id, text: "x".repeat(60) })).join("\n");

describe("a query", () => {
  it.each([
    ["DROP TABLE rows", /Only SELECT/],
    ["UPDATE rows SET id = 1", /Only SELECT/],
    ["ATTACH 'other.db' AS other", /Only SELECT/],
    ["PRAGMA writable_schema = 1", /Only SELECT/],
    ["SELECT 1; DROP TABLE rows", /One statement/],
    ["SELECT * FROM pragma_database_list", /PRAGMA/],
    ["WITH x AS (SELECT 1) DELETE FROM rows", /SQLite/],
    ["SELECT load_extension('x')", /SQLite/],
    ["", /empty/],
    ["SELECT missing FROM rows", /There is no column missing\. There are rows\(id, text\)/],
    ["SELECT texxt FROM rows", /Did you mean text/],
    ["SELECT * FROM row", /There is no table row\. Did you mean rows/],
  ])("%j is refused with a sentence", async (sql, message) => {
    const id = await save(jsonLines(20));
    await expect(queryArtifact(store(), id, sql)).rejects.toThrow(message);
    expect((await queryArtifact(store(), id, "SELECT count(*) FROM rows")).rows).toEqual([[20]]);
  });

  it("returns as many rows as asked for and says that there are more", async () => {
    const id = await save(jsonLines(100));
    const answer = await queryArtifact(store(), id, "SELECT id FROM rows", { maxRows: 7 });
    expect([answer.rows.length, answer.more]).toEqual([7, true]);
    const all = await queryArtifact(store(), id, "SELECT id FROM rows WHERE id < 7", { maxRows: 7 });
    expect([all.rows.length, all.more]).toEqual([7, false]);
  });

  it("keeps the database of a large output privately next to it, until the output goes", async () => {
    const id = await save(jsonLines(40_000));
    const saved = join(root, "out", ".meta", `${id}.rows`);
    expect((await queryArtifact(store(), id, "SELECT count(*) FROM rows")).rows).toEqual([[40_000]]);
    const { mode, mtimeMs, size } = await stat(saved);
    expect(mode & 0o777).toBe(0o600);
    expect((await queryArtifact(store(), id, "SELECT max(id) FROM rows")).rows).toEqual([[39_999]]);
    expect((await stat(saved)).mtimeMs).toBe(mtimeMs);
    // The lines are loaded when they are first asked for.
    expect((await queryArtifact(store(), id, "SELECT count(*) FROM lines")).rows).toEqual([[40_000]]);
    const { keptBytes } = await store().cleanup({ dryRun: true });
    expect(keptBytes).toBeGreaterThan(size);
    await store().remove(id);
    expect((await readdir(join(root, "out", ".meta"))).filter((name) => name.startsWith(id))).toEqual([]);
  });

  it("answers ten questions at once", async () => {
    const id = await save(jsonLines(40_000));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        queryArtifact(store(), id, `SELECT count(*) FROM rows WHERE id % 10 = ${at}`),
      ),
    );
    expect(answers.map(({ rows }) => rows)).toEqual(Array.from({ length: 10 }, () => [[4000]]));
  });

  const hostile: readonly [name: string, text: string, sql: string, expected: unknown][] = [
    [
      "ten thousand columns",
      Array.from({ length: 5 }, (_, row) =>
        JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`field ${at}`, row]))),
      ).join("\n"),
      "SELECT field_3, json_extract(other_fields, '$.\"field 9999\"') FROM rows WHERE n = 3",
      [[2, 2]],
    ],
    [
      "keys that look like SQL",
      JSON.stringify(
        Array.from({ length: 5 }, (_, at) => ({ "a); DROP TABLE rows; --": at, "": at, "SELECT * FROM x": at, n: 7 })),
      ),
      "SELECT a_DROP_TABLE_rows, field, SELECT_FROM_x, n_2 FROM rows WHERE n = 2",
      [[1, 1, 1, 7]],
    ],
    [
      "keys that differ in case",
      JSON.stringify([
        { A: 1, a: 2 },
        { A: 3, a: 4 },
        { A: 5, a: 6 },
      ]),
      "SELECT sum(A), sum(a_2) FROM rows",
      [[9, 12]],
    ],
    [
      "NUL in a text",
      JSON.stringify([{ t: "a\0b" }, { t: "c" }, { t: "d" }]),
      "SELECT length(t) FROM rows WHERE n = 1",
      [[3]],
    ],
    ["numbers beyond doubles", '[{"x":12345678901234567890},{"x":1e400},{"x":1}]', "SELECT count(x) FROM rows", [[2]]],
  ];
  it.each(hostile)("is answered for %s", async (_, text, sql, expected) => {
    const path = join(root, "hostile");
    await writeFile(path, text);
    expect((await answerQuery({ path, sql, maxRows: 10, maxBytes: 10_000 })).rows).toEqual(expected);
  });

  it("of a document nested without end fails with a sentence", async () => {
    const path = join(root, "deep");
    await writeFile(path, `${'{"a":'.repeat(100_000)}1`);
    await expect(answerQuery({ path, sql: "SELECT * FROM rows", maxRows: 10, maxBytes: 10_000 })).rejects.toThrow(
      /nested more than|There is no table rows/,
    );
  });
});
