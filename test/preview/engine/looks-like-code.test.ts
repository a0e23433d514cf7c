import { describe, expect, it } from "vitest";
import { guessLanguage } from "../../../src/preview/engine/looks-like-code.ts";
import { preview as show } from "../../../src/preview/index.ts";
import { detectShape } from "../../../src/preview/smart/detect-shape.ts";
import { LANGUAGES, type SampleLanguage, sampleSource } from "./languages.ts";

const repeat = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");
const shapeOf = (text: string): string => detectShape(new TextEncoder().encode(text));
const source = (name: string): string =>
  sampleSource(LANGUAGES.find((language) => language.name === name) ?? (LANGUAGES[0] as SampleLanguage));

const CODE: readonly (readonly [string, string])[] = [
  [
    "a long licence before it",
    `/*\n${repeat(120, (index) => ` * You may use, copy and change this in part ${index}, as is.`)}\n */\n${source("C")}`,
  ],
  [
    "a long docstring before it",
    `"""${repeat(90, (index) => `Part ${index} of the manual tells how orders are kept.`)}\n"""\n${source("Python")}`,
  ],
  [
    "a manual in a string before it",
    `DOCUMENTATION = '''\n${repeat(150, (index) => `  option${index}:\n    description: what it is for`)}\n'''\n${source("Python")}`,
  ],
  [
    "tests",
    repeat(40, (index) => `  it("adds ${index}", () => {\n    expect(add(${index}, 1)).toBe(${index + 1});\n  });`),
  ],
  [
    "a header",
    `#ifndef SHOP_H\n#define SHOP_H\n#include <stddef.h>\n\n${repeat(40, (index) => `int shop_part${index}(struct shop *shop, size_t count);`)}\n\n#endif`,
  ],
  ["several files in a row", `==> a.py <==\n${source("Python")}\n==> b.go <==\n${source("Go")}`],
];

const NO_CODE: readonly (readonly [string, string])[] = [
  [
    "a log with snippets",
    repeat(200, (index) =>
      index % 6 === 5
        ? `    return compute(${index}); }`
        : `2024-05-06 12:00:${10 + (index % 50)} INFO step ${index} done`,
    ),
  ],
  [
    "a compiler's output",
    repeat(
      60,
      (index) =>
        `src/a${index}.c:${index}:3: warning: unused variable 'x'\n   ${index} |   int x = ${index};\n      |       ^`,
    ),
  ],
  [
    "YAML",
    repeat(
      80,
      (index) =>
        `service${index}:\n  image: shop:${index}\n  ports:\n    - "80${index}:80"\n  environment:\n    MODE: live`,
    ),
  ],
  [
    "Markdown with code",
    repeat(
      30,
      (index) =>
        `## Part ${index}\n\nHow to use part ${index} of it.\n\n\`\`\`js\nfunction part${index}() {\n  return ${index};\n}\n\`\`\`\n`,
    ),
  ],
  [
    "prose",
    repeat(
      60,
      (index) => `The import of goods in the year ${1900 + index} was the class of its own, and from then on it fell.`,
    ),
  ],
  ["minified code", `${"function a(b){return b+1};".repeat(4000)}\n`],
  ["shell tracing", repeat(120, (index) => `+ echo step ${index}\n+ make -j4 part${index}`)],
  ["make's output", repeat(90, (index) => `gcc -O2 -Wall -c -o part${index}.o part${index}.c`)],
  ["an ini file", repeat(60, (index) => `[part${index}]\nname = ${index}\npath = /srv/${index}`)],
];

describe("guessLanguage", () => {
  it("sees every kind of line of a text that repeats itself", () => {
    const block = ["func part(n int) error {", "  total", "  rest", "  more", "  last", "}"];
    for (const period of [2, 3, 4, 5, 6]) {
      for (let turn = 0; turn < period; turn++) {
        const lines = Array.from({ length: 1200 }, (_, index) => block[(index + turn) % period] ?? "");
        const { language, telling } = guessLanguage(lines);
        expect(language, `${turn} of ${period}`).toBe("go");
        expect(telling).toBeGreaterThan(0.5 / period);
        expect(telling).toBeLessThan(2 / period);
      }
    }
  });
});

describe("looksLikeCode", () => {
  for (const [name, text] of CODE) it(`sees code in ${name}`, () => expect(shapeOf(text)).toBe("code"));
  for (const [name, text] of NO_CODE) it(`sees no code in ${name}`, () => expect(shapeOf(text)).not.toBe("code"));

  it("gives way when what began as code goes on as a log", () => {
    const script = source("Python");
    const log = repeat(20_000, (index) => `step ${index} of the nightly run took ${index % 7} s`);
    const preview = show(`${script}\n${log}\nError: the disk is full\n`, {
      strategy: "smart",
      maxBytes: 3000,
    });
    expect(preview.shape).not.toBe("code");
    expect(preview.text).toContain("Error: the disk is full");
  });
});
