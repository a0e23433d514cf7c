import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";

type Write = (at: number, rule: number) => string;

/** 600 messages of two rules, and one each of six others among them. */
function report(write: Write): string {
  const lines = Array.from({ length: 600 }, (_, at) => write(at, at % 2));
  [90, 170, 260, 340, 430, 520].forEach((at, index) => {
    lines[at] = write(at, index + 2);
  });
  return lines.join("");
}

const NAMES = ["no-console", "quotes", "eqeqeq", "no-undef", "no-var", "use-isnan", "no-eval", "curly"];
const WORDS = ["alpha", "beta", "gamma", "delta", "omega", "sigma", "kappa"];
const word = (at: number): string => `${WORDS[at % 7]}${WORDS[(at * 3) % 5]}`;

describe("one of each rule before a second", () => {
  it.each<[string, Write, (rule: number) => string]>([
    [
      "a code after the place",
      (at, rule) => `src/${word(at)}.py:${at}:1: E${rule}01 ${NAMES[rule]} about ${word(at)}\n`,
      (rule) => `E${rule}01 `,
    ],
    [
      "a code after the word",
      (at, rule) => `src/${word(at)}.ts(${at},4): error TS23${rule}9: ${NAMES[rule]}: no '${word(at)}' here.\n`,
      (rule) => `TS23${rule}9:`,
    ],
    [
      "a name in brackets",
      (at, rule) => `src/${word(at)}.py:${at}: error: Bad "${word(at)}"  [${NAMES[rule]}]\n`,
      (rule) => `[${NAMES[rule]}]`,
    ],
    [
      "a name at the end",
      (at, rule) => `  ${at}:7  ${rule % 3 === 0 ? "error  " : "warning"}  About ${word(at)}  ${NAMES[rule]}\n`,
      (rule) => `  ${NAMES[rule]}`,
    ],
    [
      "a code under its line",
      (at, rule) =>
        `In ${word(at)} line ${at}:\n  echo ${word(at)}\n  ^-- SC20${rule}6 (info): ${NAMES[rule]}, about ${word(at)}.\n\n`,
      (rule) => `SC20${rule}6 (`,
    ],
  ])("with %s", (_, write, named) => {
    const { text } = preview(report(write), { strategy: "smart", maxChars: 4096 });
    for (let rule = 0; rule < 8; rule++) expect(text).toContain(named(rule));
  });
});
