import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";
import { boundMereWords } from "../../../../src/preview/smart/log/mere-words.ts";
import type { Candidate, Row } from "../../../../src/preview/smart/log/row.ts";

const ROOM = 4000;
const show = (lines: readonly string[]) => preview(lines.join("\n"), { strategy: "smart", maxBytes: ROOM });

const row = (line: number, text: string): Row => ({
  line,
  byte: 100 * line,
  char: 100 * line,
  bytes: text.length + 1,
  chars: text.length + 1,
  continues: false,
  inLine: false,
  raw: text,
  text,
  ascii: true,
});
const found = (count: number, value: number, reason = "failure"): Candidate[] =>
  Array.from({ length: count }, (_, at) => ({
    row: row(at, "this is the place where some part of it has failed, once"),
    value,
    reason,
  }));

describe("boundMereWords", () => {
  const ends = [row(900, "a line"), row(901, "another line")];
  const unchanged = (candidates: readonly Candidate[]): number => candidates.filter(({ value }) => value === 50).length;

  it("leaves such rows a quarter of the room", () => {
    const kept = unchanged(boundMereWords(found(100, 50), ends, 4000));
    expect(kept).toBeGreaterThan(5);
    expect(kept * 60).toBeLessThanOrEqual(1000);
  });

  it("does nothing where the ends look like a log", () => {
    const timed = [...ends, row(902, "2026-05-04 12:41:41 done")];
    expect(unchanged(boundMereWords(found(100, 50), timed, 4000))).toBe(100);
  });

  it("does nothing where a form of some tool was found", () => {
    const candidates = [...found(100, 50), ...found(1, 95, "compiler error")];
    expect(unchanged(boundMereWords(candidates, ends, 4000))).toBe(100);
  });
});

/** A word for a number, so that no two lines are alike but for their numbers. */
const named = (index: number): string => [...String(index)].map((digit) => "abcdefghij"[Number(digit)]).join("");

const packages = Array.from(
  { length: 900 },
  (_, index) =>
    `ii  lib-part${index}-dev     1.${index}-2     amd64     ${index % 3 === 0 ? `says which error was found in ${named(index)}, and why it failed` : `a library of parts like ${named(index)}`}`,
);
const table = [
  "Desired=Unknown/Install/Remove",
  "| Status=Not/Inst/Conf-files",
  "||/ Name     Version     Architecture",
  ...packages,
];

describe("an output that merely speaks of trouble", () => {
  const { text } = show(table);

  it("keeps its head and its end", () => {
    expect(text.split("\n").slice(0, 3)).toEqual(table.slice(0, 3));
    expect(text).toContain(table.at(-1));
    expect(text).toContain(table.at(-6));
  });

  it("still shows some of what it says", () => {
    expect(text).toContain("error was found");
  });
});

describe("the first rows of a log", () => {
  const levels = Array.from(
    { length: 400 },
    (_, index) => `ERROR [pool] request r${index}q${index * 7} was lost on the way`,
  );

  it("are kept beside any number of lines of a level", () => {
    const { text } = show(["$ node server.mjs --port 8080", "server 3.1 on linux", "", ...levels]);
    expect(text.split("\n").slice(0, 2)).toEqual(["$ node server.mjs --port 8080", "server 3.1 on linux"]);
  });

  it("give way to what is surely wrong", () => {
    const long = "x".repeat(200);
    const errors = Array.from(
      { length: 4 },
      (_, index) => `src/part${index}.c:12:5: error: expected ';' before '${long}'`,
    );
    const { text } = preview(["begin", `build ${long}`, ...levels, ...errors, ...levels].join("\n"), {
      strategy: "smart",
      maxBytes: 1200,
    });
    for (const error of errors) expect(text).toContain(error.slice(0, 60));
  });
});
