import { describe, expect, it } from "vitest";
import { detectShape, type Shape } from "../../../src/preview/smart/detect-shape.ts";

const repeat = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

const SAMPLES: readonly (readonly [Shape, string, string])[] = [
  ["json", "an object", JSON.stringify({ items: [{ id: 1, name: "a" }], next: null }, null, 2)],
  ["json", "one line", JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id })))],
  ["json", "a value per line", repeat(20, (id) => JSON.stringify({ id, level: "info" }))],
  [
    "json",
    "after a warning",
    `npm warn old lockfile\n${JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id })))}`,
  ],
  [
    "log",
    "a debugger's threads",
    `${repeat(12, (index) => `[New Thread 0x7f31${index}c0 (LWP ${900 + index})]`)}\n${repeat(30, (index) => `        value${index} = <optimized out>`)}`,
  ],
  [
    "log",
    "a compiler that quotes source",
    repeat(
      40,
      (index) =>
        `src/A.scala:${index}: warning: unchecked pattern\n def f${index}(x: Any) = x match { case l: List[String] => 1 }\n                 ^`,
    ),
  ],
  [
    "csv",
    "numbers under names and a rule",
    `id    city    total\n----  ------  ------\n${repeat(40, (index) => `${String(index + 1).padEnd(4)}  city${index % 9}   ${index}.5`)}`,
  ],
  [
    "log",
    "a typesetter",
    `This is pdfTeX, Version 3.14 (TeX Live 2022) (preloaded format=pdflatex)\nentering extended mode\n\n${repeat(20, (index) => `Overfull \\hbox (8.6pt too wide) in paragraph at lines ${index}--${index + 1}\n\\OT1/cmr/m/n/10 A paragraph that is set here and goes\non in the next line of what is printed below it\n`)}`,
  ],
  ["html", "a page", "<!DOCTYPE html>\n<html><head><title>x</title></head><body><p>Hello</p></body></html>"],
  ["diff", "git diff", "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"],
  [
    "diff",
    "git show",
    "commit 0123456789abcdef\nAuthor: A <a@b.c>\nDate: today\n\n    Fix\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-b\n+c\n",
  ],
  ["grep", "with file and line", repeat(30, (index) => `src/part${index % 4}.ts:${index}:const value = ${index};`)],
  ["grep", "two columns a line", repeat(30, (index) => `src/a.ts:${index >> 1}:${1 + (index % 2)}:a = a`)],
  [
    "grep",
    "files named in capitals first",
    `${repeat(30, (index) => `NEWS:${index}: - a pool for sockets`)}\n${repeat(20, (index) => `src/a.c:${index}:  pool();`)}`,
  ],
  ["grep", "numbers in names", repeat(30, (index) => `trace-74163-v8.txt:${index}:code,pool,${index}`)],
  ["grep", "minified lines", repeat(2, (index) => `dist/a.min.js:${index}:${"var pool=1;".repeat(2000)}`)],
  ["log", "levels", repeat(40, (index) => `ERROR:${index}: request failed`)],
  ["log", "a logger's places", repeat(40, (index) => `server/handler.go:${40 + (index % 3)}: INFO request ${index}`)],
  ["log", "hosts and times", repeat(40, (index) => `web01:12:34:${10 + index} GET /items/${index}`)],
  ["log", "a file and dates", repeat(40, (index) => `app.log:2024-05-06 12:34:${10 + index} INFO step ${index}`)],
  ["log", "progress over files", repeat(40, (index) => `[${index}/90] Compiling Core part${index}.swift`)],
  ["listing", "paths", repeat(40, (index) => `src/part${index % 5}/file${index}.ts`)],
  ["listing", "ls -l", repeat(20, (index) => `-rw-r--r-- 1 me me ${index}00 Jan  1 00:00 file${index}.txt`)],
  ["csv", "commas", `id,name,price\n${repeat(30, (index) => `${index},"a, b",${index}.5`)}`],
  ["csv", "two columns", `name,value\n${repeat(30, (index) => `key${index},${index}`)}`],
  ["log", "a comma in each line", `Now,then\n${repeat(30, (index) => `step ${index}, done`)}`],
  [
    "csv",
    "drawn in a box",
    `┌────┬────┬────┐\n│ id │ a  │ b  │\n├────┼────┼────┤\n${repeat(30, (index) => `│ ${index} │ x  │ y  │`)}`,
  ],
  [
    "csv",
    "drawn with signs",
    `+----+---+---+\n| id | a | b |\n+----+---+---+\n${repeat(30, (index) => `| ${index} | x | y |`)}`,
  ],
  ["log", "times", repeat(40, (index) => `2024-01-01T00:00:${10 + (index % 50)}.000Z INFO started ${index}`)],
  ["log", "maven", repeat(40, (index) => `[INFO] Downloading artifact ${index}`)],
  ["log", "compiler", repeat(30, (index) => `src/a.c:${index}:3: error: expected ';' before '}' token`)],
  ["log", "a bracket is not JSON", repeat(30, (index) => `[${index}.5] usb 1-1: new device`)],
  [
    "prose",
    "paragraphs",
    repeat(
      8,
      (index) =>
        `The ${index} quick brown foxes jump over the lazy dog and\nthen they run home again, for it is late.\n`,
    ),
  ],
  [
    "log",
    "wrapped warnings",
    repeat(
      20,
      (index) =>
        `warning: option ${index} is not known to this compiler and it will be\nignored in this build, see the manual\n`,
    ),
  ],
  [
    "log",
    "a client's exchange with a server, and a text that it got",
    `* Connected to a.example\n> GET /a HTTP/1.1\n> Host: a.example\n>\n< HTTP/1.1 200 OK\n< Content-Type: text/plain\n<\n\n${repeat(60, (index) => `Paragraph ${index} of a document goes on and on, line after line, until\nit is wrapped at last and ends here. And then another sentence follows,\nwhich is wrapped too.\n`)}`,
  ],
  [
    "log",
    "a sentence a line",
    repeat(20, (index) => `The ${index} quick brown foxes jump over the lazy dog and then they run home again.`),
  ],
  ["code", "a module", repeat(30, (index) => `export const value${index} = compute(${index});`)],
];

describe("detectShape", () => {
  for (const [shape, name, text] of SAMPLES) {
    it(`sees ${shape} in ${name}`, () => {
      expect(detectShape(new TextEncoder().encode(text))).toBe(shape);
    });
  }
});

describe("shapes that begin late", () => {
  it("a commit with a long message is a diff", () => {
    const message = Array.from({ length: 700 }, (_, line) => `    * Part ${line} of what was done.`);
    const patch = [
      "diff --git a/a.c b/a.c",
      "index 1111111..2222222 100644",
      "--- a/a.c",
      "+++ b/a.c",
      "@@ -1,2 +1,3 @@",
    ];
    const lines = ["commit 0123456789abcdef0123456789abcdef01234567", "Author: A <a@example.org>", "Date:   now", ""];
    const text = [...lines, ...message, "", ...patch, " int a;", "+int b;", " int c;", ""].join("\n");
    expect(detectShape(new TextEncoder().encode(text))).toBe("diff");
  });

  it("paths after their sizes are a listing", () => {
    const paths = Array.from(
      { length: 200 },
      (_, line) => `${String(line * 37).padStart(10)} src/part-${line % 9}/item-${line}.ts`,
    );
    expect(detectShape(new TextEncoder().encode(paths.join("\n")))).toBe("listing");
  });

  const shapeOf = (text: string): Shape => detectShape(new TextEncoder().encode(text));

  it.each(["→", "\t", ":"])(
    "a part of a file whose lines carry numbers and %j is source, wherever it begins",
    (sign) => {
      const documented = (line: number): string =>
        `${line + 577}${sign}    * parameters of the ${line}th kind, see above`;
      expect(shapeOf(`[File: src/a.java (4867 lines total)]\n${repeat(90, documented)}`)).toBe("code");
      const results = (line: number): string => `${line + 1}${sign}PASSED tests/test_a.py::test_${line}`;
      expect(shapeOf(repeat(90, results))).not.toBe("code");
    },
  );

  it("columns of which the first counts on are a table, and a log with numbers is no source", () => {
    expect(shapeOf(`id\tcity\ttotal\n${repeat(90, (line) => `${line}\tcity${line % 7}\t${line * 3}`)}`)).toBe("csv");
    expect(shapeOf(repeat(90, (line) => `${line}: 2026-01-02 10:00:00 INFO started`))).not.toBe("code");
  });

  it("matches in one file with numbers, or in many without, are search results", () => {
    expect(shapeOf(repeat(60, (line) => `${line * 9 + 4}:    call(${line}); // again`))).toBe("grep");
    expect(shapeOf(repeat(60, (line) => `./src/mod${line >> 2}/part.py:    value = read(${line})`))).toBe("grep");
    expect(shapeOf(repeat(60, (line) => `src/mod${line}/part.c:${line}:2: error: expected ';'`))).toBe("log");
  });

  it("names below folders that blank lines part are a listing", () => {
    const folders = ["src", "src/core", "src/deep/core", "tests"];
    const text = folders.map(
      (folder) => `${folder}:\n${repeat(12, (n) => (n % 3 === 0 ? `sub${n}` : `part${n}.ts`))}\n`,
    );
    expect(shapeOf(text.join("\n"))).toBe("listing");
    expect(
      shapeOf(repeat(60, (n) => `${"QWJjZGVm/2hpamts+W5vcHFy".repeat(3)}${String.fromCharCode(65 + (n % 26))}`)),
    ).not.toBe("listing");
  });

  it("what a test runner begins is a run, whatever its tests print", () => {
    const help = repeat(
      60,
      (n) => `\nSection ${n}:\n  --option-${n} <value>   Sets what the tool does in case ${n} of many.`,
    );
    const session = "============================= test session starts ==============================";
    expect(shapeOf(`${session}\nplatform linux\n${help}`)).toBe("log");
  });
});
