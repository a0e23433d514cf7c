import fc from "fast-check";
import { expect, test } from "vitest";
import { prefixEnd } from "../../../../../src/preview/smart/log/rules/prefix.ts";

const DAY = String.raw`\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|\s?[+-]\d\d:?\d\d)?\]?(?:\s|$)`;
/** All of it as one pattern, which takes long to compile. */
const PREFIX = new RegExp(
  [
    String.raw`^(?:[^\t]{1,80}\t[^\t]{1,80}\t(?=\d{4}-))?\ufeff?(?:\s{0,4}${DAY}`,
    String.raw`\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?(?:\s|$)`,
    String.raw`[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,80} [\w./-]{1,60}(?:\[\d{1,8}\])?:\s`,
    String.raw`#\d{1,4} (?:\d{1,6}\.\d{1,4} |(?=ERROR))`,
    String.raw`\d{1,5}\.\d{3} (?=[a-zA-Z])`,
    String.raw`\[\s{0,8}\d{1,8}\.\d{1,9}\](?:\[[^\]]{0,20}\])?\s`,
    String.raw`\[(?:pod\/[\w./-]{1,120}|[A-Za-z][\w.-]{0,20}[ :#-]\d{1,4})\]\s`,
    String.raw`[A-Za-z][\w.@/-]{0,40}\s{0,24}\|\s`,
    String.raw`(?:DEBUG|INFO) \w{1,40}\.py:\d{1,5}:\s{1,2}`,
    String.raw`@[\w-]{1,40}\/[\w.-]{1,60}:[\w.:-]{1,40}:\s){1,3}`,
  ].join("|"),
);

const PARTS = [
  "2024-05-01T10:11:12.123Z ",
  "[2024-05-01 10:11:12,5 +0200]",
  "10:11:12 ",
  "[10:11:12.123] ",
  "May  1 10:11:12 host sshd[12]: ",
  "Mai 01 10:11:12 host a/b: ",
  "#12 0.345 ",
  "#7 ERROR",
  "12.345 made",
  "[   12.345678][T1] ",
  "[pod/web-1/app] ",
  "[worker-3] ",
  "web_1   | ",
  "INFO | ",
  "May | ",
  "INFO app.py:12: ",
  "DEBUG app.py:12:  ",
  "@scope/name:build: ",
  "job\tstep\t2024-05-01T10:11:12Z ",
  "job\tstep\t2024- ",
];
const ODD = [
  "\ufeff",
  "\u00a0",
  "\u2003",
  " ",
  "  ",
  "\t",
  "[",
  "]",
  "|",
  "#",
  "@",
  "é",
  "x",
  "7",
  ":",
  "ERROR ",
  "INFO ",
  "\n",
];
const piece = fc.constantFrom(...PARTS, ...ODD);
const cut = fc
  .tuple(piece, fc.nat(12), fc.nat(12))
  .map(([text, from, less]) => text.slice(from > 6 ? 0 : from, text.length - (less > 6 ? 0 : less)));
const rows = fc.array(fc.oneof(piece, piece, cut), { maxLength: 6 }).map((parts) => parts.join(""));

test("what stands before a tool's words ends where one pattern of it all would end", () => {
  fc.assert(
    fc.property(rows, (row) => {
      expect(prefixEnd(row)).toBe(PREFIX.exec(row)?.[0].length ?? 0);
    }),
    { numRuns: 5000 },
  );
});

test("each kind of it is known, alone and up to three times", () => {
  for (const part of PARTS.filter((text) => text !== "job\tstep\t2024- ")) {
    const known = PREFIX.exec(part)?.[0].length ?? 0;
    expect(known, part).toBeGreaterThan(0);
    expect(prefixEnd(part), part).toBe(known);
  }
  expect(prefixEnd("10:11:12 ".repeat(4))).toBe(3 * "10:11:12 ".length);
});
