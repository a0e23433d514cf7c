import type { Shape } from "../../../src/preview/smart/detect-shape.ts";

/** A text that is no log, though it speaks of errors, and what a preview of it must name. */
export interface TextWithoutLog {
  readonly name: string;
  readonly shape: Shape;
  readonly text: string;
  /** What the preview says of the whole. */
  readonly title: RegExp;
  /** Lines of the text, or parts of them, that give its structure. */
  readonly structure: readonly string[];
}

const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join("\n");
const hash = (index: number): string =>
  (Math.imul(index + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, "a").repeat(5).slice(0, 40);
const day = (index: number): string => `2026-0${1 + (index % 8)}-${10 + (index % 18)}`;
const SUBJECTS = [
  "Fix the error that was raised when a file is missing",
  "Say which test failed, and why",
  "Add a retry after a timeout: connection refused",
  "Remove the fatal exception of the parser",
];
const subject = (index: number): string => `${SUBJECTS[index % SUBJECTS.length]} (#${index})`;
const AUTHORS = ["Ada Byron", "Grace Murray", "Alan Mathison"];
const author = (index: number): string => AUTHORS[index % AUTHORS.length] ?? "";
const MESSAGE =
  "    An error occurred when the cache was not found: ValueError: missing key.\n    FAILED tests are listed below.";
const STAT = " src/cart.c | 12 ++++++------\n src/errors.c | 3 +--\n 2 files changed, 15 insertions(+), 9 deletions(-)";
const PARAGRAPH =
  "When the file is not found the reader gives up with an error, and the caller must\n" +
  "decide whether that failure is fatal. It is not always so: a missing cache is no\n" +
  "reason to abort, and an exception that was expected is none at all.";
const LONG_PARAGRAPH =
  "When the file is not found the reader gives up with an error, and the caller must decide whether that failure is fatal. It is not always so. A missing cache is no reason to abort, and an exception that was expected is none at all.";

function history(name: string, text: string, structure: readonly string[], title = /^\[history: /): TextWithoutLog {
  return { name, shape: "history", text, title, structure };
}

function document(name: string, text: string, structure: readonly string[]): TextWithoutLog {
  return { name, shape: "prose", text, title: /^\[document: [\d,]+ lines, [\d,]+ (?:headings|paragraphs)/, structure };
}

function settings(name: string, text: string, structure: readonly string[]): TextWithoutLog {
  return { name, shape: "outline", text, title: /^\[outline: .*\d parts?/, structure };
}

const HISTORIES: readonly TextWithoutLog[] = [
  history(
    "git log",
    many(
      200,
      (i) =>
        `commit ${hash(i)}\nAuthor: ${author(i)} <a@example.org>\nDate:   Mon Nov 16 16:06:07 2026 +0000\n\n    ${subject(i)}\n\n${MESSAGE}\n`,
    ),
    [`${hash(0).slice(0, 12)} 2026-11-16 Ada Byron: ${subject(0)}`, subject(1), subject(199)],
    /^\[history: 200 commits, 2026-11-16 to 2026-11-16, 3 authors: /,
  ),
  history(
    "git log --stat",
    many(
      150,
      (i) =>
        `commit ${hash(i)}\nAuthor: ${author(i)} <a@example.org>\nDate:   ${day(i)} 10:00:00 +0200\n\n    ${subject(i)}\n\n${STAT}\n`,
    ),
    [`${subject(0)} (2 files, +15 −9)`, subject(149)],
    /^\[history: 150 commits, 2026-01-1\d to 2026-08-\d\d, 3 authors: /,
  ),
  history(
    "git log --oneline",
    many(400, (i) => `${hash(i).slice(0, 9)} ${subject(i)}`),
    [subject(0), subject(1), subject(399)],
  ),
  history(
    "git log --oneline --graph",
    many(200, (i) => `* ${hash(i).slice(0, 9)} ${i % 9 === 0 ? "(tag: v1) " : ""}${subject(i)}\n|\\`),
    [subject(0), subject(1)],
  ),
  history(
    "git log --graph",
    many(
      120,
      (i) =>
        `* commit ${hash(i)}\n| Author: ${author(i)} <a@example.org>\n| Date:   ${day(i)} 10:00:00 +0200\n| \n|     ${subject(i)}\n| `,
    ),
    [`Ada Byron: ${subject(0)}`, subject(1)],
  ),
  history(
    "git log --format=fuller",
    many(
      120,
      (i) =>
        `commit ${hash(i)}\nAuthor:     ${author(i)} <a@example.org>\nAuthorDate: ${day(i)} 10:00:00 +0200\nCommit:     B <b@example.org>\nCommitDate: 2026-01-01 10:00:00 +0200\n\n    ${subject(i)}\n`,
    ),
    [subject(0), subject(119)],
  ),
  history(
    "git log with a format",
    many(300, (i) => `${hash(i).slice(0, 8)}|${author(i)}|${day(i)}|${subject(i)}`),
    [subject(0)],
  ),
  history(
    "git log with dates first",
    many(300, (i) => `${day(i)} ${hash(i).slice(0, 8)} ${subject(i)}`),
    [subject(0)],
  ),
  history(
    "git reflog",
    many(300, (i) => `${hash(i).slice(0, 8)} HEAD@{${i}}: commit: ${subject(i)}`),
    [subject(0)],
  ),
  history(
    "git blame",
    many(
      300,
      (i) =>
        `${hash(i % 20).slice(0, 8)} (${author(i)} 2026-05-0${1 + (i % 9)} 10:00:00 +0200 ${String(i + 1).padStart(3)}) ${i % 30 === 0 ? `def step_${i}():` : `    raise ValueError("error ${i}")`}`,
    ),
    ["def step_0():"],
    /^\[blame: 300 lines of 20 commits, 2026-05-01 to 2026-05-09, 3 authors: /,
  ),
  history(
    "svn log",
    many(150, (i) => `${"-".repeat(72)}\nr${900 - i} | ada | ${day(i)} 10:00:00 +0200 (Mon) | 1 line\n\n${subject(i)}`),
    [`r900 2026-01-10 ada: ${subject(0)}`, subject(1)],
  ),
  history(
    "hg log",
    many(
      150,
      (i) =>
        `changeset:   ${900 - i}:${hash(i).slice(0, 12)}\nuser:        Ada <a@example.org>\ndate:        Mon Nov 16 16:06:07 2026 +0000\nsummary:     ${subject(i)}\n`,
    ),
    [subject(0), subject(1)],
  ),
  history(
    "Debian changelog",
    many(
      100,
      (i) =>
        `spill (1.${200 - i}-1) unstable; urgency=medium\n\n  * ${subject(i)}\n  * Fix a build failure.\n\n -- Ada Byron <a@example.org>  Mon, 16 Nov 2026 10:00:00 +0000\n`,
    ),
    ["spill (1.200-1)", "2026-11-16 Ada Byron", "spill (1.101-1)"],
    /^\[history: 100 releases, /,
  ),
  history(
    "GNU ChangeLog",
    many(120, (i) => `${day(i)}  ${author(i)}  <a@example.org>\n\n\t* cart.c (total): ${subject(i)}\n`),
    ["Ada Byron", subject(0)],
  ),
];

const DOCUMENTS: readonly TextWithoutLog[] = [
  document(
    "Markdown",
    `# The cart\n\n${many(40, (i) => `## Chapter ${i}: errors\n\n${PARAGRAPH}\n\n- error: one\n- failed: two\n`)}`,
    ["# The cart", "## Chapter 0: errors", "## Chapter 39: errors"],
  ),
  document(
    "Markdown that quotes logs",
    `# Troubleshooting\n\nWhat to do.\n\n${many(40, (i) => `## Problem ${i}\n\n\`\`\`\n2026-01-01 10:00:00 ERROR boom ${i}\nsrc/a.c:1:2: error: expected ';'\nTraceback (most recent call last):\n\`\`\`\n\n${PARAGRAPH}\n`)}`,
    ["# Troubleshooting", "## Problem 0", "## Problem 39"],
  ),
  document(
    "Markdown changelog",
    `# Changelog\n\n${many(60, (i) => `## [1.${60 - i}.0] - ${day(i)}\n\n### Fixed\n\n- Fix an error when the file is missing\n- The build failed: it no longer does\n`)}`,
    ["# Changelog", "## [1.60.0]"],
  ),
  document(
    "a frequently asked question list",
    `# FAQ\n\n${many(60, (i) => `### Why does step ${i} fail?\n\n${PARAGRAPH}\n`)}`,
    ["# FAQ", "### Why does step 0 fail?"],
  ),
  document("underlined headings", `The cart\n========\n\n${many(40, (i) => `Part ${i}\n------\n\n${PARAGRAPH}\n`)}`, [
    "The cart",
    "Part 0",
    "Part 39",
  ]),
  document(
    "reStructuredText",
    `########\nThe cart\n########\n\n${many(40, (i) => `Errors of part ${i}\n==================\n\n${PARAGRAPH}\n\n.. note:: failed\n`)}`,
    ["The cart", "Errors of part 0"],
  ),
  document("AsciiDoc", `= The cart\n\n${many(40, (i) => `== Failure ${i}\n\n${PARAGRAPH}\n`)}`, [
    "= The cart",
    "== Failure 0",
  ]),
  document(
    "a manual",
    `SPILL(1)                    General Commands Manual                    SPILL(1)\n\nNAME\n       spill - keeps errors\n\nSYNOPSIS\n       spill [options]\n\nDESCRIPTION\n${many(60, (i) => `       -e${i}    print an error and exit with status 1 when the file is\n              not found, which is fatal.\n`)}\nEXIT STATUS\n       1      failed.\n\nSEE ALSO\n       cat(1)\n`,
    ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "SEE ALSO"],
  ),
  document(
    "news",
    `Spillway, what is new\n\n${many(50, (i) => `CHANGES WITH ${90 - i}:\n\n        * The service no longer fails to start with a protocol error when\n          the file is not found. Previously, such services were allowed to\n          start even though a later reload could terminate the service.\n`)}`,
    ["CHANGES WITH 90:", "CHANGES WITH 41:"],
  ),
  document(
    "a licence",
    `                    PUBLIC LICENCE\n                 Version 3, 29 June 2007\n\n${many(40, (i) => `  ${i}. Section ${i}.\n\n  ${PARAGRAPH.replaceAll("\n", "\n")}\n`)}`,
    ["PUBLIC LICENCE", "  0. Section 0."],
  ),
  document(
    "a letter without headings",
    many(60, () => `${PARAGRAPH}\n`),
    ["When the file is not found the reader gives up"],
  ),
  document(
    "paragraphs of one line",
    many(60, (i) => `${LONG_PARAGRAPH} ${"So it was, and so it is. ".repeat(i % 4)}\n`),
    ["When the file is not found"],
  ),
  document(
    "a numbered specification",
    `The protocol of carts\n\nStatus of this text\n\n${many(40, (i) => `${1 + (i >> 3)}.${1 + (i % 8)}  Errors of kind ${i}\n\n   ${PARAGRAPH.replaceAll("\n", "\n   ")}\n`)}`,
    ["The protocol of carts", "1.1  Errors of kind 0"],
  ),
  document(
    "a Chinese document",
    `# 购物车\n\n${many(40, (i) => `## 第 ${i} 章 错误\n\n如果找不到文件，程序会报告错误并退出。这不一定是致命的失败，调用者可以自己决定。\n`)}`,
    ["# 购物车", "## 第 0 章 错误", "## 第 39 章 错误"],
  ),
];

const YAML_SERVICE = (i: number): string =>
  `  service-${i}:\n    image: registry/error-pages:${i}\n    restart: on-failure\n    healthcheck:\n      test: exit 1\n      retries: ${i}\n    environment:\n      - LOG_LEVEL=error\n      - FAILED=1`;

const SETTINGS: readonly TextWithoutLog[] = [
  settings("a compose file", `version: "3"\nservices:\n${many(60, YAML_SERVICE)}\nvolumes:\n  data: {}\n`, [
    "services:",
    "  service-0:",
    "volumes:",
  ]),
  settings(
    "manifests",
    many(
      40,
      (i) =>
        `---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: errors-${i}\n  labels:\n    app: failed\ndata:\n  level: error\n  message: "not found: ${i}"`,
    ),
    ["apiVersion: v1", "kind: ConfigMap"],
  ),
  settings(
    "a workflow",
    `name: build\non:\n  push:\n    branches: [main]\njobs:\n${many(40, (i) => `  job-${i}:\n    runs-on: ubuntu-latest\n    continue-on-error: true\n    steps:\n      - uses: actions/checkout@v4\n      - name: fail if error\n        run: |\n          if error; then\n            echo failed: ${i}\n          fi`)}\n`,
    ["name: build", "jobs:", "  job-0:"],
  ),
  settings(
    "an API description",
    `openapi: 3.0.0\ninfo:\n  title: Errors\n  version: "1"\npaths:\n${many(50, (i) => `  /errors/${i}:\n    get:\n      responses:\n        "404":\n          description: not found\n        "500":\n          description: error`)}\ncomponents:\n  schemas:\n    Error:\n      type: object\n`,
    ["openapi: 3.0.0", "paths:", "components:"],
  ),
  settings(
    "TOML",
    `title = "errors"\n\n${many(60, (i) => `[server.part${i}]\nhost = "failed-${i}"\non_error = "abort"\nretries = ${i}\n`)}`,
    ['title = "errors"', "[server.part0]"],
  ),
  settings(
    "a lock file",
    `# This file is generated.\nversion = 4\n\n${many(150, (i) => `[[package]]\nname = "error-${i}"\nversion = "1.0.${i}"\nsource = "registry"\nchecksum = "${hash(i)}"\n`)}`,
    ["# This file is generated.", '[[package]] · name = "error-0" · version = "1.0.0"'],
  ),
  settings(
    "YAML with comments that stand apart",
    many(
      90,
      (i) =>
        `# What happens here on error ${i} is written below\n\n- name: part ${i}\n  run:\n    on-error: abort\n    retries: ${i}\n`,
    ),
    ["- name: part 0", "    on-error: abort"],
  ),
  settings(
    "ini",
    many(80, (i) => `[part-${i}]\n; what to do on error\non_error = abort\nfailed=${i}\npath = /srv/not-found\n`),
    ["[part-0]", "on_error = abort"],
  ),
  settings(
    "properties",
    many(300, (i) => `errors.part${i}.message=not found: ${i}`),
    ["errors.part0.message"],
  ),
  settings(
    "HCL",
    many(
      60,
      (i) =>
        `resource "queue" "failed_${i}" {\n  name = "errors-${i}"\n  retention = 3600\n  tags = {\n    level = "error"\n  }\n}\n`,
    ),
    ['resource "queue" "failed_0" {'],
  ),
  settings(
    "a unit",
    many(
      50,
      (i) =>
        `[Unit]\nDescription=Errors ${i}\nAfter=network.target\n\n[Service]\nExecStart=/bin/false\nRestart=on-failure\n`,
    ),
    ["[Unit]", "[Service]"],
  ),
];

const DESCRIPTIONS: readonly TextWithoutLog[] = [
  {
    name: "descriptions of packages",
    shape: "outline",
    text: many(
      200,
      (i) =>
        `Package: lib-error-${i}\nVersion: 1.${i}-1\nPriority: optional\nDescription: error handling, part ${i}\n The library reports an error: what failed, and where.\n .\n AddressSanitizer: not found, fatal.\n`,
    ),
    title: /^\[outline: [\d,]+ lines, 201 parts\]/,
    structure: ["Package: lib-error-0", "Version: 1.0-1", "Package: lib-error-1"],
  },
  {
    name: "states of packages",
    shape: "outline",
    text: many(
      150,
      (i) =>
        `Package: errors${i}\nStatus: install ok installed\nVersion: 2.${i}\nConffiles:\n /etc/failed 0123\nDescription: says what failed\n`,
    ),
    title: /^\[outline: [\d,]+ lines, 151 parts\]/,
    structure: ["Package: errors0", "Status: install ok installed", "Package: errors149"],
  },
];

const outline = (name: string, text: string, structure: readonly string[]): TextWithoutLog => ({
  name,
  shape: "outline",
  text,
  title: /^\[outline: [\d,]+ lines, [\d,]+ parts\]/,
  structure,
});

const FILES: readonly TextWithoutLog[] = [
  outline(
    "a project in XML",
    `<?xml version="1.0"?>\n<project>\n${many(80, (i) => `  <plugin id="p${i}">\n    <onError>failed: ${i}</onError>\n    <level>error</level>\n  </plugin>`)}\n</project>\n`,
    ["<project>", '  <plugin id="p0">'],
  ),
  outline(
    "a style sheet",
    many(120, (i) => `.error-${i} > .failed {\n  color: red;\n  width: ${i}%;\n  transition: all 0.3s;\n}\n`),
    [".error-0 > .failed {", ".error-1"],
  ),
  outline(
    "a server's settings with comments",
    many(90, (i) => `# Too many open files are an error; connection ${i} is refused then.\nmaxclients-${i} 10000\n`),
    ["maxclients-0 10000"],
  ),
  outline(
    "messages and fields",
    `syntax = "proto3";\n\n${many(80, (i) => `message Failure${i} {\n  // The error that was fatal.\n  string error = 1;\n  int32 code = 2;\n}\n`)}`,
    ['syntax = "proto3";', "message Failure0 {"],
  ),
  outline(
    "a lock file by indentation",
    `# THIS FILE IS GENERATED\n\n${many(200, (i) => `left-error-${i}@^1.0.0:\n  version "1.0.${i}"\n  resolved "https://example.org/error-${i}.tgz"\n`)}`,
    ["# THIS FILE IS GENERATED", "left-error-0@^1.0.0:"],
  ),
  outline(
    "required modules",
    `module example.org/shop\n\ngo 1.24\n\nrequire (\n${many(300, (i) => `\texample.org/errors/e${i} v1.${i}.0+incompatible`)}\n)\n`,
    ["module example.org/shop", "require ("],
  ),
  outline(
    "translations",
    many(200, (i) => `#: src/cart.c:${i}\nmsgid "Error ${i}: not found"\nmsgstr "Fehler ${i}: nicht gefunden"\n`),
    ['msgid "Error 0: not found"'],
  ),
  outline(
    "the source of a manual",
    `.TH SHOP 1\n${many(60, (i) => `.SH PART ${i}\n.PP\nSays which test failed with an error,\nand why it is fatal.\n.RS 4\n\\fBerror:\\fR not found\n.RE`)}\n`,
    [".TH SHOP 1", ".SH PART 0"],
  ),
];

/** Texts that are no logs, of every shape that is read by its items. */
export const TEXTS_WITHOUT_LOG: readonly TextWithoutLog[] = [
  ...HISTORIES,
  ...DOCUMENTS,
  ...SETTINGS,
  ...DESCRIPTIONS,
  ...FILES,
];
