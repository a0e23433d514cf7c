import { describe, expect, it } from "vitest";
import { detectShape, type Shape } from "../../../../src/preview/smart/detect-shape.ts";

const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join("\n");

const section = (index: number): string =>
  `## Part ${index} of the pool\n\nA pool keeps its sockets open, and hands them out again when they are idle.\n`;
const quoted = (index: number): string =>
  `\`\`\`sh\n$ pool --part ${index}\n2024-01-01T00:00:00Z INFO part ${index}\n\`\`\`\n`;

const SAMPLES: readonly (readonly [Shape, string, string])[] = [
  [
    "prose",
    "documents that begin with a comment",
    `<!--\nKeep it short, <b>please</b>.\n-->\n\n<!-- -->\n<p>\n\n${times(20, section)}`,
  ],
  [
    "prose",
    "a first page with badges",
    `<p align="center">\n  <img src="a.svg">\n  <a href="b">c</a>\n</p>\n\n# Pool\n\n${times(20, section)}`,
  ],
  ["prose", "headings over what is quoted", times(20, (index) => `# part-${index}.sh\n\n${quoted(index)}`)],
  [
    "prose",
    "fences within fences",
    times(20, (index) => `${section(index)}\n\`\`\`\`md\n${quoted(index)}const a = 1;\nimport b from "b";\n\`\`\`\`\n`),
  ],
  [
    "prose",
    "entries that begin alike",
    times(10, (index) => `## v2.${index}.0\n\n${times(12, (entry) => `* **Dependency Update** of part ${entry}`)}\n`),
  ],
  [
    "prose",
    "sentences that go on with words of programs",
    times(
      10,
      (index) =>
        `${section(index)}It calls the\nfunction that you gave it as often as there is need, and the\nclass that you named then gets to know of it.\n`,
    ),
  ],
  [
    "prose",
    "numbered links",
    `${times(8, section)}\n${times(30, (index) => `[${index}]: https://pool.test/${index}`)}`,
  ],
  [
    "prose",
    "tables",
    times(8, (index) => `${section(index)}\n| a | b |\n|---|---|\n${times(9, (row) => `| ${row} | x |`)}\n`),
  ],
  [
    "prose",
    "headings underlined by what may be a fence",
    times(
      9,
      (index) =>
        `Part ${index}\n~~~~~~~~~\n\nA pool keeps its sockets open, and\nhands them out again when they are idle.\n`,
    ),
  ],
  [
    "html",
    "a page that quotes headings",
    `<html>\n<body>\n<pre>\n# one\n\n# two\n\n</pre>\n${times(60, (index) => `<p>Paragraph ${index}</p>`)}\n</body>\n</html>`,
  ],
  [
    "log",
    "rows between headings",
    times(20, (index) => `# step ${index}\n\n${times(9, (row) => `2024-01-01T00:00:0${row}Z INFO row ${row}`)}\n`),
  ],
  [
    "log",
    "what a runner prints",
    times(20, (index) => `### Run ${index}\n${times(6, (row) => `$ step ${row}\nsrc/a.c:${row}:1: warning: unused`)}`),
  ],
  [
    "outline",
    "settings under comments",
    times(20, (index) => `# Part ${index}\npool_${index}_size = ${index}\npool_${index}_name = "x"\n`),
  ],
];

describe("Markdown", () => {
  for (const [shape, name, text] of SAMPLES) {
    it(`is told from what it may be taken for: ${shape} in ${name}`, () => {
      expect(detectShape(new TextEncoder().encode(text))).toBe(shape);
    });
  }
});
