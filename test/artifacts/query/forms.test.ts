import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerQuery } from "../../../src/artifacts/query/answer-query.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spillway-forms-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;
async function ask(text: string, sql?: string) {
  const path = join(folder, `output-${++files}`);
  await writeFile(path, text);
  return answerQuery({ path, sql, maxRows: 1000, maxBytes: 1_000_000 });
}
const rows = async (text: string, sql: string) => (await ask(text, sql)).rows;
const columnsOf = async (text: string) => {
  const { tables } = await ask(text);
  return Object.fromEntries(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
};
const many = (count: number, line: (at: number) => string): string =>
  `${Array.from({ length: count }, (_, at) => line(at)).join("\n")}\n`;

describe("rows of a saved output", () => {
  it("are the records of a JSON list, nested objects as columns and nested lists as child tables", async () => {
    const users = Array.from({ length: 40 }, (_, at) => ({
      id: at,
      order: at % 3,
      address: { city: at % 2 ? "Oslo" : "Rome" },
      tags: at % 4 === 0 ? ["a", "b"] : [],
      visits: [{ page: "/x", ms: at }],
    }));
    const text = JSON.stringify({ total: 40, next: null, users });
    expect(await columnsOf(text)).toEqual({
      rows: ["id", "order_", "address_city", "tags", "visits"],
      tags: ["rows_n", "value"],
      visits: ["rows_n", "page", "ms"],
      document: ["total", "next"],
    });
    expect(await rows(text, "SELECT address_city, count(*) FROM rows GROUP BY 1 ORDER BY 1")).toEqual([
      ["Oslo", 20],
      ["Rome", 20],
    ]);
    expect(await rows(text, "SELECT sum(v.ms) FROM rows r JOIN visits v ON v.rows_n = r.n WHERE r.id < 10")).toEqual([
      [45],
    ]);
    expect(await rows(text, "SELECT count(*) FROM tags WHERE value = 'a'")).toEqual([[10]]);
  });

  it("are the members of a map of records if there is no list", async () => {
    const text = JSON.stringify(
      Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`u${at}`, { age: at, ok: at > 4 }])),
    );
    expect(await rows(text, "SELECT key FROM rows WHERE ok AND age < 7 ORDER BY key")).toEqual([["u5"], ["u6"]]);
  });

  it("are all records of a document that breaks off", async () => {
    const whole = JSON.stringify({ items: Array.from({ length: 50 }, (_, id) => ({ id })) });
    expect(await rows(whole.slice(0, -20), "SELECT count(*), max(id) FROM rows")).toEqual([[48, 47]]);
  });

  it("are the same for a document that is read as a stream", async () => {
    const items = Array.from({ length: 60_000 }, (_, id) => ({
      id,
      text: `"é,]}\\${"x".repeat(300)}`,
      list: [id, [id]],
    }));
    const text = JSON.stringify({ meta: { pages: 3 }, data: { items }, others: [1, 2] }, undefined, 1);
    expect(text.length).toBeGreaterThan(17_000_000);
    expect(await rows(text, "SELECT count(*), sum(id), min(length(text)) FROM rows")).toEqual([
      [60_000, 1_799_970_000, 306],
    ]);
    expect(await rows(text, "SELECT meta_pages FROM document")).toEqual([[3]]);
    expect(await rows(text, "SELECT count(*) FROM others")).toEqual([[2]]);
  });

  const cases: readonly [kind: string, text: string, columns: readonly string[], sql: string, expected: unknown][] = [
    [
      "JSON lines, with a line between that is none",
      `starting\n${many(30, (at) => JSON.stringify({ level: at === 7 ? "error" : "info", ms: at }))}`,
      ["level", "ms"],
      "SELECT ms FROM rows WHERE level = 'error'",
      [[7]],
    ],
    [
      "CSV with quoted commas, quotes and newlines; leading zeros stay text",
      `id,zip,name,amount\n${many(60, (at) => `${at},0${1000 + at},"a ""q"", ${at % 7 ? "x" : "two\nlines"}",${at % 10 ? at / 4 : ""}`)}`,
      ["id", "zip", "name", "amount"],
      "SELECT min(zip), count(amount), sum(amount), (SELECT name FROM rows WHERE id = 7) FROM rows",
      [["01000", 54, 405, 'a "q", two\nlines']],
    ],
    [
      "a short CSV of two columns",
      "id,status\n1,a\n2,b\n3,a\n",
      ["id", "status"],
      "SELECT sum(id) FROM rows WHERE status = 'a'",
      [[4]],
    ],
    [
      "TSV",
      `name\tstate\tcount\n${many(40, (at) => `job${at}\t${at === 3 ? "down" : "up"}\t${at}`)}`,
      ["name", "state", "count"],
      "SELECT name FROM rows WHERE state <> 'up'",
      [["job3"]],
    ],
    [
      "a drawn table",
      `| name | cover |\n|---|---|\n${many(30, (at) => `| file${at} | ${at}.5% |`)}`,
      ["name", "cover"],
      "SELECT name, cover FROM rows ORDER BY cover LIMIT 1",
      [["file0", 0.5]],
    ],
    [
      "aligned columns",
      `NAME      READY   STATUS             RESTARTS\n${many(30, (at) => `pod-${String(at).padEnd(5)} ${at === 4 ? "0/1" : "1/1"}     ${(at === 4 ? "CrashLoopBackOff" : "Running").padEnd(18)} ${at}`)}`,
      ["NAME", "READY", "STATUS", "RESTARTS"],
      "SELECT name, restarts FROM rows WHERE status <> 'Running'",
      [["pod-4", 4]],
    ],
    [
      "key=value lines",
      many(
        80,
        (at) =>
          `ts=2026-01-01T00:00:${String(at % 60).padStart(2, "0")}Z level=info status=${at === 50 ? 500 : 200} msg="request \\"${at}\\" done" dur=${at}`,
      ),
      ["ts", "level", "status", "msg", "dur"],
      "SELECT dur, msg FROM rows WHERE status >= 500",
      [[50, 'request "50" done']],
    ],
    [
      "an access log",
      many(
        90,
        (at) =>
          `10.0.0.${at} - - [10/Oct/2026:13:55:36 +0000] "GET /p/${at % 3} HTTP/1.1" ${at === 12 ? 502 : 200} ${at * 10} "-" "curl/8" 0.${at}`,
      ),
      ["ip", "ident", "user", "time", "method", "path", "protocol", "status", "bytes", "referer", "agent", "extra_1"],
      "SELECT ip, bytes FROM rows WHERE status = 502",
      [["10.0.0.12", 120]],
    ],
    [
      "search results",
      many(60, (at) => `src/file${at % 4}.ts:${at + 1}:const value${at} = ${at};`),
      ["file", "line", "text"],
      "SELECT file, count(*) FROM rows GROUP BY file ORDER BY 2 DESC, 1 LIMIT 1",
      [["src/file0.ts", 15]],
    ],
    [
      "findings of a compiler",
      many(
        40,
        (at) =>
          `src/a${at % 5}.c:${at + 1}:7: ${at % 4 ? "warning" : "error"}: unused variable 'x${at}' [-Wunused-variable]`,
      ),
      ["file", "line", "column", "severity", "rule", "message"],
      "SELECT severity, rule, count(*) FROM rows GROUP BY 1, 2 ORDER BY 1",
      [
        ["error", "-Wunused-variable", 10],
        ["warning", "-Wunused-variable", 30],
      ],
    ],
    [
      "findings below the name of their file",
      many(
        12,
        (at) =>
          `/work/src/f${at}.js\n  ${at + 1}:5  error  'a' is not defined  no-undef\n  9:1  warning  Unexpected console statement  no-console\n`,
      ),
      ["file", "line", "column", "severity", "rule", "message"],
      "SELECT file, line FROM rows WHERE rule = 'no-undef' AND line = 4",
      [["/work/src/f3.js", 4]],
    ],
    [
      "tests of pytest, each once",
      `===== test session starts =====\n${many(40, (at) => `tests/test_a.py::test_${at} ${at === 9 ? "FAILED" : "PASSED"}   [ ${at}%]`)}0.51s call     tests/test_a.py::test_9\nFAILED tests/test_a.py::test_9 - AssertionError: no\n`,
      ["name", "status", "seconds", "message"],
      "SELECT * FROM (SELECT name, seconds, message FROM rows WHERE status = 'failed')",
      [["tests/test_a.py::test_9", 0.51, "AssertionError: no"]],
    ],
    [
      "events of go test -json",
      many(30, (at) =>
        JSON.stringify({
          Time: "2026-01-01T00:00:00Z",
          Action: at % 3 ? "output" : at === 9 ? "fail" : "pass",
          Package: "a/b",
          Test: `Test${at}`,
          Elapsed: at / 10,
        }),
      ),
      ["name", "status", "seconds", "package"],
      "SELECT name, seconds FROM rows WHERE status = 'failed'",
      [["Test9", 0.9]],
    ],
    [
      "JUnit's XML",
      `<?xml version="1.0"?>\n<testsuites><testsuite name="s">\n${many(20, (at) => (at === 5 ? `<testcase classname="c" name="t${at}" time="1.5"><failure message="a &lt; b">x</failure></testcase>` : `<testcase classname="c" name="t${at}" time="0.${at}"/>`))}</testsuite></testsuites>\n`,
      ["name", "status", "seconds", "message"],
      "SELECT name, message FROM rows WHERE status = 'failed'",
      [["c.t5", "a < b"]],
    ],
    [
      "tests of vitest",
      ` RUN  v4.1.0 /work\n\n${many(20, (at) => ` ${at === 2 ? "×" : "✓"} test/f${at}.test.ts > works ${at + 1}ms`)}`,
      ["name", "status", "seconds"],
      "SELECT name, seconds FROM rows WHERE status = 'failed'",
      [["test/f2.test.ts > works", 0.003]],
    ],
  ];
  it.each(cases)("are those of %s", async (_, text, columns, sql, expected) => {
    expect((await columnsOf(text)).rows).toEqual(columns);
    expect(await rows(text, sql)).toEqual(expected);
  });

  it("are absent for plain text, whose lines can be asked", async () => {
    const text = many(500, (at) => `step ${at}: the quick brown fox, number ${at * 7}`);
    expect(await columnsOf(text)).toEqual({ lines: ["n", "text"] });
    expect(await rows(text, "SELECT n FROM lines WHERE text LIKE '%number 700'")).toEqual([[101]]);
  });

  it("can be joined with the lines", async () => {
    const text = many(30, (at) => JSON.stringify({ id: at }));
    expect(await rows(text, "SELECT r.id FROM rows r JOIN lines l ON l.n = r.n WHERE l.text LIKE '%:7}'")).toEqual([
      [7],
    ]);
  });
});
