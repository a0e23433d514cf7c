import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RowScanner, SEGMENT_BYTES } from "../../../../src/preview/smart/log/row-scanner.ts";
import { type Word, WordAutomaton } from "../../../../src/preview/smart/log/word-automaton.ts";
import { COLOR, LETTER_STATUS } from "../../../../src/preview/smart/log/words.ts";

const WORDS: readonly Word[] = [
  { text: "error", bits: 1 },
  { text: "\nerr ", bits: 2 },
  { text: "0:00", bits: 4 },
  { text: "r", bits: 8 },
  { text: "größe", bits: 16 },
  { text: ":00:", bits: 32 },
  { text: "0:00:", bits: 0, hides: true },
  { text: "[31m", bits: COLOR, exact: true },
  { text: ";31m", bits: COLOR, exact: true },
  { text: "error:", bits: 0, rule: 3 },
  { text: "12:0", bits: 0, rule: 40 },
  { text: "00:00", bits: 0, rule: 100 },
];
const automaton = new WordAutomaton(WORDS);

interface SeenRow {
  readonly text: string;
  readonly mask: number;
  readonly line: number;
  readonly char: number;
  readonly rules: readonly number[] | undefined;
}

function rowsOf(chunks: readonly Uint8Array[]): SeenRow[] {
  const rows: SeenRow[] = [];
  const scanner = new RowScanner(automaton, 16_384);
  const onRow = (mask: number): boolean => {
    const { text, line, char } = scanner.row(0);
    rows.push({ text, mask, line, char, rules: numbersOf(scanner.foundRules) });
    return true;
  };
  scanner.listen({ onRow }, true);
  for (const chunk of chunks) scanner.write(chunk);
  scanner.end();
  return rows;
}

function numbersOf(bits: Int32Array | undefined): readonly number[] | undefined {
  if (bits === undefined) return undefined;
  return Array.from({ length: 128 }, (_, rule) => rule).filter(
    (rule) => (((bits[rule >> 5] as number) >> rule) & 1) === 1,
  );
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const seen = (text: string): SeenRow[] => rowsOf([encode(text)]);
const masks = (text: string): number[] => seen(text).map(({ mask }) => mask);

/** Places of a word in a row, where `0` is any digit. */
function ends(row: string, { text, exact }: Word): number[] {
  const source = text.replace("\n", "^").replaceAll("[", "\\[");
  const pattern = new RegExp(exact === true ? source : source.replaceAll("0", "\\d"), "gi");
  const places: number[] = [];
  for (let match = pattern.exec(row); match !== null; match = pattern.exec(row)) {
    places.push(match.index + match[0].length);
    pattern.lastIndex = match.index + 1;
  }
  return places;
}

function expectedMask(row: string): number {
  const hidden = WORDS.filter(({ hides }) => hides === true).flatMap((word) => ends(row, word));
  return WORDS.reduce((mask, word) => {
    const places = ends(row, word).filter((place) => !hidden.includes(place) || word.text === "error");
    return places.length > 0 ? mask | word.bits : mask;
  }, 0);
}

describe("a row has the bits of its words", () => {
  test("in any case of ASCII letters, with any digit, at the start of a line", () => {
    expect(masks("an ERROR\nerr x\nthe err x\n7:42\nGröße GRÖSSE\n")).toEqual([9, 10, 8, 4, 24]);
  });

  test("without those that a longer word hides", () => {
    expect(masks("a:12:\n7:12:\n")).toEqual([32, 4]);
  });

  test("and that of a lone letter at its end", () => {
    expect(masks("test E\ntest F\r\ntest X\n E\n")).toEqual([LETTER_STATUS, LETTER_STATUS, 0, 0]);
  });

  test("and that of a colour code only for red", () => {
    expect(masks("\u001b[31mx\n\u001b[32mx\n\u001b[1;31mx\n[31m\n\u001b[0mx;31m\n")).toEqual([COLOR, 0, COLOR, 0, 0]);
  });

  test("and the rules that require its words, unless control characters divide them", () => {
    expect(seen("an error: 12:01\nnothing\n\u001b[1merror:\n").map(({ rules }) => rules)).toEqual([
      [3, 40, 100],
      [],
      undefined,
    ]);
  });
});

test("a long line is cut into segments between characters", () => {
  const rows = seen(`${"一".repeat(SEGMENT_BYTES)}\nerror\n`);
  expect(rows[0]?.text).toBe("一".repeat(Math.floor(SEGMENT_BYTES / 3)));
  expect(rows.map(({ text }) => text).join("")).toBe(`${"一".repeat(SEGMENT_BYTES)}error`);
  expect(rows.at(-1)).toMatchObject({ mask: 9, line: 2, char: SEGMENT_BYTES + 1 });
});

test("knows rows again that differ in their numbers only, zero aside", () => {
  const hashes = (row: string): readonly number[] => {
    let found: readonly number[] = [];
    const scanner = new RowScanner(automaton, 16_384);
    const onRow = (): boolean => {
      found = [scanner.signature, scanner.fingerprint];
      return true;
    };
    scanner.listen({ onRow }, true);
    scanner.write(encode(`${row}\n`));
    scanner.end();
    return found;
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
    expect(hashes(other)[1]).not.toBe(known[1]);
  }
  expect(hashes("12 errors ix 345 files of the whole project, 0 left")[0]).not.toBe(known[0]);
});

describe("rows of any text", () => {
  const piece = fc.constantFrom(
    ..."error|error: |ERR |err |r|12:34|17:42:59 |007 0 |\n|\n|\n\n|\r\n|é|größe|\t|31m|plain text ".split("|"),
    "of no interest ".repeat(40),
    "一二三".repeat(40),
  );
  const text = fc.array(piece, { maxLength: 200, size: "max" }).map((parts) => parts.join(""));

  test("have the bits that a search for each word gives, and stand where they are", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (part, times) => {
        // Large enough for a search in several places at once.
        const all = part.repeat(times);
        const rows = seen(all).filter(({ text }) => text.length < SEGMENT_BYTES / 3);
        const lines = all.split("\n");
        let char = 0;
        const starts = lines.map((line) => {
          const start = char;
          char += line.length + 1;
          return start;
        });
        for (const row of rows.filter(({ line }) => (lines[line - 1] as string).length < SEGMENT_BYTES / 3)) {
          const line = lines[row.line - 1] as string;
          expect(row.text).toBe(line.replace(/\r$/, ""));
          expect(row.mask & ~LETTER_STATUS, JSON.stringify(line)).toBe(expectedMask(line));
          expect(row.char).toBe(starts[row.line - 1]);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("are the same in any chunks", () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(5000), { maxLength: 20 }), (part, cuts) => {
        const bytes = encode(part.repeat(8));
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const cut of [...cuts, bytes.length]) {
          chunks.push(bytes.subarray(at, at + cut));
          at += cut;
        }
        expect(rowsOf(chunks)).toEqual(rowsOf([bytes]));
      }),
      { numRuns: 60 },
    );
  });
});
