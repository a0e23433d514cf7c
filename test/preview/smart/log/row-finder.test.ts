import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Automaton, createAutomaton } from "../../../../src/preview/smart/log/automaton.ts";
import { STATE_NUMBERS } from "../../../../src/preview/smart/log/automaton-plan.ts";
import { CompiledFinder } from "../../../../src/preview/smart/log/compiled-finder.ts";
import { PlainFinder } from "../../../../src/preview/smart/log/plain-finder.ts";
import {
  ASKED,
  COLOR,
  CONTINUES,
  CONTROL,
  FIND_BYTES,
  LETTER_STATUS,
  POSITION_MASK,
  RETURN,
  ROW_END,
  ROW_FINDS,
  ROW_FLAGS,
  ROW_HIGH,
  ROW_LOW,
  ROW_MASK,
  ROW_NUMBERS,
  ROW_RULES,
  ROW_SIGNATURE,
  type RowFinder,
  RULE_BANKS,
  SEGMENT_BYTES,
  STATE_SHIFT,
  WIDE,
} from "../../../../src/preview/smart/log/row-finder.ts";

const automaton = createAutomaton([
  { text: "error", mask: 1 },
  { text: "\nerr ", mask: 2 },
  { text: "0:00", mask: 4 },
  { text: "r", mask: 8 },
  { text: "plain text plain text plain text", mask: 16 },
  ...["\u001b[00", "\u001b[0;", "\u001b[;0"].map((text) => ({ text, mask: COLOR })),
  { text: "[00", mask: 32 },
  { text: "error:", mask: 1, bank: 1 },
  { text: "12:0", mask: 4, bank: RULE_BANKS },
  { text: "asked", mask: 1, bank: 1 + RULE_BANKS },
]);
const piece = fc.constantFrom(
  "error",
  "error: ",
  "ERR ",
  "err ",
  "r",
  "12:34",
  "007 0 ",
  "\n",
  "\n\n",
  "\r\n",
  " E\n",
  " F\r\n",
  "é",
  "\u0007",
  "\t",
  "\u001b[0m",
  "\u001b[1;31m",
  "\u001b[31",
  "asked",
  "plain text ",
  "一二三".repeat(300),
  "of no interest ".repeat(400),
);

describe.each(["compiled", "plain"] as const)("the %s finder", (kind) => {
  const create = (): RowFinder => (kind === "plain" ? new PlainFinder() : requireCompiled());

  test("tells words and lines apart", () => {
    const finder = create();
    find(finder, "err é error\n\u001b 1:23\né", automaton);
    expect(findsOf(finder, automaton)).toEqual([
      [1, 8],
      [2, 8],
      [3, 2],
      [8, 8],
      [9, 8],
      [11, 9],
      [12, 0],
      [18, 4],
      [19, 0],
    ]);
  });

  test("tells of each row its end, its words and what kinds of bytes are in it", () => {
    const rows = (text: string): unknown[] => {
      const finder = create();
      find(finder, text, automaton);
      return Array.from({ length: finder.count }, (_, row) => [
        finder.rows[row * ROW_NUMBERS + ROW_END],
        finder.rows[row * ROW_NUMBERS + ROW_MASK],
        finder.rows[row * ROW_NUMBERS + ROW_FLAGS],
      ]);
    };
    expect(rows("an error\r\ntest E\n\n\ttab")).toEqual([
      [10, 9, RETURN],
      [17, LETTER_STATUS, 0],
      [18, 0, 0],
      [22, 0, CONTINUES],
    ]);
    expect(rows("é\n\u007f\nasked\n")).toEqual([
      [3, 0, WIDE],
      [5, 0, CONTROL],
      [11, 0, ASKED],
    ]);
    expect(rows("\u001b[31mx\n\u001b[32mx\n\u001b[1;91mx\n\u001b[31\nm")).toEqual([
      [7, COLOR | 32, CONTROL],
      [14, 32, CONTROL],
      [23, COLOR, CONTROL],
      [28, 32, CONTROL],
      [29, 0, CONTINUES],
    ]);
    // What is another word too says so, whatever the colour.
    expect(rows("\u001b[K\n\u001b[;31m\n\u001b[41m\n")).toEqual([
      [4, 0, CONTROL],
      [11, COLOR, CONTROL],
      [17, 32, CONTROL],
    ]);
    expect(rows(`${"一".repeat(SEGMENT_BYTES)}\n`).slice(0, 2)).toEqual([
      [SEGMENT_BYTES - 2, 0, WIDE | CONTINUES],
      [2 * SEGMENT_BYTES - 2 - 2, 0, WIDE | CONTINUES],
    ]);
  });

  test("knows rows again that differ in their numbers only, zero aside", () => {
    const hashes = (row: string): readonly (number | undefined)[] => {
      const finder = create();
      find(finder, `${row}\n`, automaton);
      return [ROW_SIGNATURE, ROW_HIGH, ROW_LOW].map((number) => finder.rows[number]);
    };
    const known = hashes("12 errors in 345 files of the whole project, 0 left");
    expect(hashes("70 errors in 123 files of the whole project, 00 left")).toEqual(known);
    expect(hashes("00 errors in 345 files of the whole project, 0 left")[0]).toBe(known[0]);
    for (const other of [
      "0 errors in 345 files of the whole project, 0 left",
      "12 errors in 345 files of the whole project, 1 left",
      "12 errors in 345 files of the whole project, 0 lef",
      "12 errors in 345 files of the whole projecT, 0 left",
    ]) {
      expect(hashes(other).slice(1)).not.toEqual(known.slice(1));
    }
    expect(hashes("12 errors ix 345 files of the whole project, 0 left")[0]).not.toBe(known[0]);
  });

  test("goes on in the middle of a word", () => {
    const finder = create();
    const bytes = new TextEncoder().encode("an error");
    finder.find(bytes, 5, bytes.length, true, true, automaton);
    expect(findsOf(finder, automaton)).toEqual([
      [0, 8],
      [2, 9],
    ]);
  });

  test("takes another automaton at any time, of any size", () => {
    const finder = create();
    const words = Array.from({ length: 500 }, (_, index) => ({ text: `${"xyz".repeat(index % 9)}${index}!`, mask: 1 }));
    const large = createAutomaton(words);
    for (let turn = 0; turn < 2; turn++) {
      find(finder, "error 499!\n", automaton);
      expect(findsOf(finder, automaton)).toHaveLength(4);
      find(finder, "error 499!\n", large);
      expect(findsOf(finder, large)).toEqual([
        [9, 1],
        [10, 0],
      ]);
    }
  });
});

test("the compiled finder, which reads several places at once, finds what the plain one finds", () => {
  const compiled = requireCompiled();
  const plain = new PlainFinder();
  const pieces = fc.array(piece, { maxLength: 120, size: "max" });
  fc.assert(
    fc.property(pieces, fc.nat(200), fc.boolean(), fc.boolean(), (texts, skipped, cut, last) => {
      const bytes = new TextEncoder().encode(`${texts.join("")}${cut ? "" : "\n"}`);
      const from = Math.min(skipped, bytes.length);
      const to = Math.min(bytes.length, from + FIND_BYTES);
      compiled.find(bytes, from, to, from > 0, last, automaton);
      plain.find(bytes, from, to, from > 0, last, automaton);
      expect(rowsOf(compiled)).toEqual(rowsOf(plain));
      expect(findsOf(compiled, automaton)).toEqual(findsOf(plain, automaton));
    }),
    { numRuns: 500 },
  );
});

test("every byte may be a find, and a row", () => {
  const compiled = requireCompiled();
  compiled.find(new Uint8Array(FIND_BYTES).fill(114), 0, FIND_BYTES, false, true, automaton);
  expect(compiled.finds[FIND_BYTES - 1]).toBe(compiled.finds[FIND_BYTES - 2]! + 1);
  compiled.find(new Uint8Array(FIND_BYTES).fill(10), 0, FIND_BYTES, false, true, automaton);
  expect(compiled.count).toBe(FIND_BYTES);
  expect(compiled.rows[(FIND_BYTES - 1) * ROW_NUMBERS + ROW_END]).toBe(FIND_BYTES);
});

function requireCompiled(): CompiledFinder {
  const finder = CompiledFinder.create();
  if (finder === undefined) throw new Error("WebAssembly did not take the module");
  return finder;
}

function find(finder: RowFinder, text: string, words: Automaton): void {
  const bytes = new TextEncoder().encode(text);
  finder.find(bytes, 0, bytes.length, false, true, words);
}

/** The numbers of each row; of one without words, no hashes. */
function rowsOf({ rows, count }: RowFinder): unknown[] {
  return Array.from({ length: count }, (_, row) => {
    const numbers = [...rows.subarray(row * ROW_NUMBERS, row * ROW_NUMBERS + ROW_RULES + RULE_BANKS)];
    return numbers[ROW_MASK] === 0 ? numbers.slice(0, ROW_SIGNATURE) : numbers;
  });
}

function findsOf(finder: RowFinder, words: Automaton): unknown[] {
  const { rows, count, finds } = finder;
  const { masks } = finder.tablesOf(words);
  const known = count === 0 ? 0 : (rows[(count - 1) * ROW_NUMBERS + ROW_FINDS] as number);
  return Array.from(finds.subarray(0, known), (packed) => [
    packed & POSITION_MASK,
    masks[(packed >>> STATE_SHIFT) * STATE_NUMBERS],
  ]);
}
