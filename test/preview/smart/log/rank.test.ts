import { describe, expect, it } from "vitest";
import { rankRows } from "../../../../src/preview/smart/log/rank.ts";
import type { Block } from "../../../../src/preview/smart/log/reservoir.ts";
import type { Candidate, Row } from "../../../../src/preview/smart/log/row.ts";
import { Relevance } from "../../../../src/query/relevance.ts";

const ROW_BYTES = 100;

function row(line: number, text: string): Row {
  const at = (line - 1) * ROW_BYTES;
  const place = { line, byte: at, char: at, bytes: ROW_BYTES, chars: ROW_BYTES };
  return { ...place, continues: false, inLine: false, raw: text, text, ascii: true };
}

function block(line: number, text: string, score: number, reason = "error"): Block {
  const rows = [{ row: row(line, text), factor: 1 }];
  return { score, reason, kind: line, occurrence: 1, ruled: false, rows, chars: text.length, order: line };
}

function rank(
  blocks: readonly Block[],
  latest: readonly Row[] = [],
  query = "",
  { head = [], tail = [] }: { readonly head?: readonly Row[]; readonly tail?: readonly Row[] } = {},
): (line: number) => number {
  const ends = { head, tail, latest: (rows = latest.length) => latest.slice(-rows) };
  const ranked = rankRows(blocks, ends, new Relevance(query), 1000 * ROW_BYTES);
  return (line) => ranked.find((candidate: Candidate) => candidate.row.line === line)?.value ?? 0;
}

describe("rows of a log", () => {
  it("are worth more when they name what a strong error names", () => {
    const others = [block(10, "loading parseConfig from cache", 40), block(20, "loading somethingElse from cache", 40)];
    const strong = rank([block(5, "error: cannot find 'parseConfig'", 95), ...others]);
    expect(strong(10)).toBeGreaterThan(strong(20) + 10);
    const weak = rank([block(5, "error: cannot find 'parseConfig'", 84), ...others]);
    expect(Math.abs(weak(10) - weak(20))).toBeLessThan(1);
    const alreadyStrong = rank([
      block(5, "error: cannot find 'parseConfig'", 95),
      block(10, "error in parseConfig", 90),
      block(20, "error in somethingElse", 90),
    ]);
    expect(Math.abs(alreadyStrong(10) - alreadyStrong(20))).toBeLessThan(2);
  });

  it("of a run that passed are worth less, but for what calls itself a failed test", () => {
    const blocks = [block(10, "connection refused", 80), block(20, "test_x failed", 80, "failed test")];
    const passed = [
      ...Array.from({ length: 40 }, (_, index) => row(900 + index, `test_case_${index} (shop.CartTests) ... ok`)),
      row(940, "Ran 40 tests in 3.1s"),
      row(941, ""),
      row(942, "OK"),
    ];
    const alone = rank(blocks);
    const passing = rank(blocks, passed);
    expect(passing(10) / alone(10)).toBeCloseTo(0.6, 1);
    expect(passing(20) / alone(20)).toBeCloseTo(0.8, 1);
    expect(passing(900)).toBeGreaterThan(passing(10));
  });

  it("are worth more when they answer the question", () => {
    const blocks = [block(10, "payment gateway replied late", 30), block(20, "shipping label printed twice", 30)];
    expect(rank(blocks, [], "why was the gateway late?")(10)).toBeGreaterThan(rank(blocks)(10) + 10);
    expect(rank(blocks, [], "why was the gateway late?")(20)).toBe(rank(blocks)(20));
  });

  it("fade when many of a kind came before, and later ones count more where none are strong", () => {
    const many = rank(Array.from({ length: 40 }, (_, index) => block(10 + 2 * index, `error ${index}`, 90)));
    expect(many(10)).toBeGreaterThan(many(50) * 1.3);
    const two = rank([block(10, "warning one", 50, "a"), block(900, "warning two", 50, "b")]);
    expect(two(900)).toBeGreaterThan(two(10));
  });

  it("fade less when few of their kind come after: the last says how it ended", () => {
    const many = rank(Array.from({ length: 40 }, (_, index) => block(10 + 2 * index, `error ${index}`, 90)));
    expect(many(10 + 2 * 39)).toBeGreaterThan(many(10 + 2 * 30) * 1.2);
    expect(many(10 + 2 * 39)).toBeGreaterThan(many(10 + 2 * 20) * 1.2);
  });

  it("name what belongs to the strongest errors first, when there are many of these", () => {
    const strongest = Array.from({ length: 8 }, (_, index) => block(100 + 10 * index, `fatal 'mainCause${index}'`, 99));
    const lesser = Array.from({ length: 8 }, (_, index) =>
      block(10 + 10 * index, `error 'sideEffect${index}'`, 86, "b"),
    );
    const others = [block(500, "reading mainCause7", 40, "c"), block(600, "reading sideEffect0", 40, "d")];
    const value = rank([...lesser, ...strongest, ...others]);
    expect(value(500)).toBeGreaterThan(value(600) + 10);
  });

  it("at both ends are worth something, the last more than the first, less the further in they stand", () => {
    const head = Array.from({ length: 30 }, (_, index) => row(1 + index, `begin ${index}`));
    const tail = Array.from({ length: 30 }, (_, index) => row(900 + index, `end ${index}`));
    const value = rank([], [], "", { head, tail });
    expect(value(1)).toBeGreaterThan(25);
    expect(value(1)).toBeGreaterThan(value(10) * 1.5);
    expect(value(10)).toBeGreaterThan(value(30));
    expect(value(929)).toBeGreaterThan(value(1) * 1.4);
    expect(value(929)).toBeGreaterThan(value(910) * 1.3);
    expect(value(929)).toBeLessThan(80);
  });

  it("are left out beside a strong error when they are noise", () => {
    const quiet = rank([block(5, "error: boom", 95), block(10, "a word", 12)]);
    expect(quiet(10)).toBe(0);
    expect(rank([block(10, "a word", 12)])(10)).toBeGreaterThan(0);
  });
});
