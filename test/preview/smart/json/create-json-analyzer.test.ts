import { describe, expect, it } from "vitest";
import { detectShape } from "../../../../src/preview/smart/detect-shape.ts";
import { createJsonAnalyzer } from "../../../../src/preview/smart/json/create-json-analyzer.ts";
import { expectLaws, roomOf, select } from "../shape-laws.ts";

const items = Array.from({ length: 3000 }, (_, n) => ({
  id: `job-${n}`,
  status: n === 1777 ? "failed" : "ok",
  message: n === 1777 ? "disk full on node-9" : `done in ${n} ms`,
  note: n === 2222 ? "uses the legacy scheduler" : `ran ${n}`,
}));
const report = { version: 3, generator: "runner", results: items, totals: { ok: 2999, failed: 1 } };

describe("JSON", () => {
  for (const [form, text] of [
    ["one line", JSON.stringify(report)],
    ["pretty-printed", JSON.stringify(report, null, 2)],
  ] as const) {
    it(`keeps structure, counts and the failed item of ${form}`, () => {
      const { text: shown } = expectLaws(createJsonAnalyzer, text, roomOf(2000));
      expect(shown).toMatch(/^\[preview of JSON: object with 4 keys, [\d,]+ bytes\]\n\{\n/);
      expect(shown).toMatch(/"id": ?"job-1777"/);
      expect(shown).toMatch(/"message": ?"disk full on node-9"/);
      expect(shown).toMatch(/"totals": ?\{ "ok": ?2999, "failed": ?1 \}/);
      expect(shown).toMatch(/… [\d,]+ more items: \d+-\d+ …/);
    });
  }

  it("is drawn anew as often as room is asked for, also where it ends within a string", () => {
    const bytes = Buffer.from('["one", "two", "and th');
    const analyzer = createJsonAnalyzer({ room: roomOf(2000), query: "" });
    analyzer.write(bytes);
    const total = { line: 1, byte: bytes.length, char: bytes.length, inLine: true };
    const first = analyzer.finish(roomOf(2000), total);
    expect(first.text).toContain("and th");
    expect(analyzer.finish(roomOf(2000), total)).toEqual(first);
    expect(analyzer.wrongShape).toBe(false);
  });

  it("prefers what the question asks for", () => {
    const text = JSON.stringify(report);
    expect(select(createJsonAnalyzer, text, roomOf(2000), "which job uses the legacy scheduler?").text).toContain(
      '"job-2222"',
    );
    expect(select(createJsonAnalyzer, text, roomOf(2000)).text).not.toContain('"job-2222"');
  });

  it("reads JSON lines as items", () => {
    const { text } = expectLaws(createJsonAnalyzer, items.map((item) => JSON.stringify(item)).join("\n"), roomOf(1500));
    expect(text).toMatch(/^\[preview of JSON: 3,000 values in a row, /);
    expect(text).toContain('"job-1777"');
  });

  for (const [name, middle] of [
    ["a long string", 900],
    ["a string longer than what is held", 10_000],
    ["a string of many blocks", 100_000],
  ] as const) {
    it(`shows beginning and end of ${name} with the exact count between, and is no JSON itself`, () => {
      const value = `begins${"x".repeat(middle)}é😀ends`;
      const { text, pieces } = expectLaws(createJsonAnalyzer, JSON.stringify({ a: value, b: 1 }), roomOf(600));
      const [, first, left, last] = /"a":"(begins.*?) … ([\d,]+) characters … (.*ends)"/.exec(text) ?? [];
      expect((first?.length ?? 0) + Number(left?.replace(",", "")) + (last?.length ?? 0)).toBe(value.length);
      expect(pieces.length).toBeGreaterThan(2);
      expect(() => JSON.parse(text)).toThrow();
    });
  }

  it("prefers graver numbers where words say nothing", () => {
    const findings = items.map(({ id }, n) => ({ id, cvss: n === 2000 ? 9.8 : 1 + (n % 2) }));
    expect(select(createJsonAnalyzer, JSON.stringify(findings), roomOf(1000)).text).toContain('"job-2000"');
  });

  it("shows the entry that the question names before those that mention it, whatever packages are called", () => {
    const packages = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [
        `node_modules/part-${n}`,
        { version: `${n}.1.0`, dependencies: n % 9 === 0 ? { "http-errors": "^2.0.0", tea: "^4.0.0" } : {} },
      ]),
    );
    const lock = { ...packages, "node_modules/tea": { version: "4.7.11" }, "node_modules/zebra": { version: "1.0.0" } };
    const { text } = select(
      createJsonAnalyzer,
      JSON.stringify({ lock }, null, 2),
      roomOf(1500),
      "Which version of tea?",
    );
    expect(text).toContain("4.7.11");
  });

  it("takes a value that lacks its end, and refuses what is no JSON", () => {
    const cut = JSON.stringify(report).slice(0, 50_000);
    expect(expectLaws(createJsonAnalyzer, cut, roomOf(1500)).text).toContain('"generator":"runner"');
    const analyzer = createJsonAnalyzer({ room: roomOf(1000), query: "" });
    analyzer.write(new TextEncoder().encode("{ this is: not JSON }"));
    expect(analyzer.wrongShape).toBe(true);
  });

  it("is known wherever what decides ends inside a number", () => {
    for (let shift = 0; shift < 20; shift++) {
      const numbers = Array.from({ length: 900 }, (_, n) => Math.sin(n));
      const bytes = new TextEncoder().encode(JSON.stringify({ name: "x".repeat(shift), numbers }));
      expect(detectShape(bytes)).toBe("json");
    }
  });

  it("holds all members of an object that is more than memory, and lets go of what is in the large ones", () => {
    const operation = (n: number) => ({ summary: `does ${n}`, responses: { ok: { text: "x".repeat(900) } } });
    const paths = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`/p/${n}`, { a: operation(n), b: [operation(n)] }]),
    );
    const parts = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`part${n}`, { ...paths }]));
    const description = { kind: "api", info: { title: "The shop", version: "1.1.4" }, parts, servers: ["one"] };
    const text = JSON.stringify({ ...description, components: parts, summary: { paths: 480 } });
    const shown = select(createJsonAnalyzer, text, roomOf(3000), "").text;
    expect(shown).toContain('"info":{ "title":"The shop", "version":"1.1.4" }');
    expect(shown).toContain('"summary":{ "paths":480 }');
    expect(shown).toContain('"parts":{');
    expect(shown).toContain('"components":{');
  });
});
