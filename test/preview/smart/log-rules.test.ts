import { describe, expect, it } from "vitest";
import { preview } from "../../../src/preview/preview.ts";
import { createSmartAccumulator } from "../../../src/preview/smart/smart-accumulator.ts";

const NO_LIMITS = { maxLines: Infinity, maxBytes: Infinity, maxChars: Infinity, maxTokens: Infinity };

/** What runners put before each line, and frames that tools draw. */
const PREFIXES: Readonly<Record<string, string>> = {
  "time in brackets": "[2024-05-04T12:41:41.123Z] ",
  "time of day": "12:41:41 ",
  "job, step and time": "build\tRun tests\t2024-05-04T12:41:41.1234567Z ",
  syslog: "Nov 15 10:20:01 host1 builder[812]: ",
  "container step": "#14 12.31 ",
  service: "web_1       | ",
  worker: "[worker 3] ",
  "logger of a build tool": "DEBUG util.py:459:  ",
  package: "@acme/web:build: ",
  "seconds since boot": "[  244.123456] ",
};

/** Lines that decide without calling themselves an error. */
const QUIET: Readonly<Record<string, string>> = {
  formatter: "Diff in /srv/src/cart.rs at line 31:",
  "style check": "[warn] Code style issues found in the above file. Forgot to run Prettier?",
  "generated file": "docs/api.md is out of date. Run 'make docs' and commit the result.",
  coverage: 'Jest: "global" coverage threshold for branches (80%) not met: 79.31%',
  size: "  Package size limit has exceeded by 1.2 KB",
  "list of files": "The following files are not gofmt'ed:",
  whitespace: "src/cart.c: has trailing whitespace on line 31",
  requirement:
    "    - Root composer.json requires php ^8.2 but your php version (8.1.2) does not satisfy that requirement.",
  place: "Line 31 Column 1: Function total/1 has no local return",
  "dead link": "  [✖] docs/gone.md → Status: 400",
  "crossed test": "      (12/40) [EXECUTE] (X) [1, 2] should be equal to [1, 3]",
  "linter with indent": "    src/cart.lua:31:5: (W111) setting non-standard global variable total",
  box: "│ Error: Unsupported argument",
  race: "WARNING: DATA RACE",
  "access log": '10.0.0.7 - - [07/Mar/2025:04:00:07 +0000] "POST /api/charge HTTP/1.1" 502 157 "-" "curl/8.1"',
  "traced program": '4711 write(2, "cannot open ledger.db", 21) = 21',
  "grave finding": "   Severity: High   Confidence: Medium",
  "refused request": "< HTTP/1.1 503 Service Unavailable",
  "container build": '#12 ERROR: process "/bin/sh -c make install" did not complete successfully: exit code: 2',
};

/** What the tools of many languages print when something is wrong, one line that must be shown for each. */
const LINES: Readonly<Record<string, string>> = {
  gcc: "src/main.c:12:5: error: expected ';' before '}' token",
  ld: "/usr/bin/ld: main.o: undefined reference to `frobnicate'",
  cmake: "CMake Error at CMakeLists.txt:12 (find_package):",
  ctest: " 1/10 Test  #1: parser ..............***Failed    0.01 sec",
  gtest: "[  FAILED  ] ParserTest.Empty (0 ms)",
  javac: "/src/App.java:12: error: cannot find symbol",
  maven: "[ERROR] /src/main/java/App.java:[12,5] cannot find symbol",
  surefire: "[ERROR] com.acme.AppTest.adds -- Time elapsed: 0.1 s <<< FAILURE!",
  gradle: "com.acme.AppTest > adds FAILED",
  kotlin: "e: file:///src/App.kt:12:5 Unresolved reference: frobnicate",
  scalac: "[error] /src/Main.scala:12:5: type mismatch;",
  rustc: "error[E0308]: mismatched types",
  cargo: "test parser::tests::empty ... FAILED",
  "rust panic": "thread 'main' panicked at 'boom', src/main.rs:2:5",
  "rust panic with a thread id": "thread 'main' (10463) panicked at src/main.rs:2:5:",
  "kernel trap": "invalid opcode: 0000 [#1] PREEMPT SMP NOPTI",
  "kernel list": "list_add corruption. next->prev should be prev (ffff88a0), but was ffff88b0. (next=ffff88b0).",
  "mac kernel": "panic(cpu 2 caller 0xffffff8012345678): Kernel trap at 0xffffff80123, type 14=page fault",
  go: "./main.go:12:2: undefined: frobnicate",
  "go test": "--- FAIL: TestParser (0.00s)",
  "go panic": "panic: runtime error: index out of range [5] with length 3",
  ghc: "src/Parser.hs:12:5: error:",
  ocaml: 'File "parser.ml", line 12, characters 5-8:',
  tsc: "src/main.ts(10,5): error TS2304: Cannot find name 'frobnicate'.",
  eslint: "  12:5  error  'x' is defined but never used  no-unused-vars",
  webpack: "Module not found: Error: Can't resolve 'frobnicate' in '/src'",
  jest: "  ● Parser › parses nothing",
  vitest: " FAIL  src/parser.test.ts > parses nothing",
  mocha: "  1) Parser parses nothing:",
  tap: "not ok 3 - parses nothing",
  npm: "npm ERR! code ERESOLVE",
  "node exception": "TypeError: Cannot read properties of undefined (reading 'x')",
  pytest: "FAILED tests/test_parser.py::test_empty - assert 1 == 2",
  unittest: "FAIL: test_empty (test_parser.ParserTest)",
  "python exception": "KeyError: 'frobnicate'",
  pip: "ERROR: Could not find a version that satisfies the requirement frobnicate==9",
  mypy: "parser.py:12: error: Incompatible types in assignment  [assignment]",
  rspec: "rspec ./spec/parser_spec.rb:12 # Parser parses nothing",
  minitest: "ParserTest#test_empty [test/parser_test.rb:12]:",
  bundler: 'Bundler could not find compatible versions for gem "frobnicate":',
  phpunit: "1) ParserTest::testEmpty",
  php: "PHP Fatal error:  Uncaught Error: Call to undefined function frobnicate() in /src/a.php:12",
  composer: "Your requirements could not be resolved to an installable set of packages.",
  "test::more": "#   Failed test 'parses nothing'",
  elixir: "** (CompileError) lib/parser.ex:12: undefined function frobnicate/0",
  erlang: "src/parser.erl:12: syntax error before: '}'",
  dotnet: "Program.cs(12,13): error CS0103: The name 'frobnicate' does not exist in the current context",
  "dotnet test": "  Failed Acme.ParserTests.Empty [12 ms]",
  swift: "/src/parser.swift:12:5: error: use of undeclared identifier 'frobnicate'",
  xcodebuild: "** TEST FAILED **",
  clojure: "FAIL in (test-parser) (parser_test.clj:12)",
  julia: "Test Failed at /src/test/runtests.jl:12",
  testthat: "── 1. Failure: parses nothing (@test-parser.R#12)  ─────",
  pester: "[-] parses nothing 12ms",
  lua: "lua: parser.lua:12: attempt to index a nil value",
  latex: "! Undefined control sequence.",
  shell: "bash: frobnicate: command not found",
  make: "make: *** No rule to make target 'frobnicate'.  Stop.",
  apt: "E: Unable to locate package frobnicate",
  git: "fatal: unable to access 'https://example.org/': Could not resolve host: example.org",
  docker: 'ERROR: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 2',
  "github actions": "##[error]The template is not valid",
  asan: "==123==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010",
  segfault: "Segmentation fault (core dumped)",
  "kernel oops": "[   12.345678] BUG: unable to handle kernel NULL pointer dereference at 0000000000000010",
  "kernel segfault":
    "Nov 15 01:11:55 host1 kernel: [600.5] thumbs[512]: segfault at 18 ip 00007f1c sp 00007ffd error 4",
  "core dump": "Nov 15 01:12:14 host1 systemd-coredump[513]: Process 512 (thumbs) of user 1001 dumped core.",
  "unit failure": "Nov 15 00:49:55 host1 systemd[1]: shop.service: Main process exited, code=exited, status=1/FAILURE",
  "disk failure": "Nov 15 00:36:55 host1 kernel: [500.1] md/raid1:md0: Disk failure on sdb1, disabling device.",
  "file system": "Nov 15 00:25:53 host1 kernel: [700.0] EXT4-fs (sda1): Remounting filesystem read-only",
  "log level": "2024-01-01 00:00:00,000 ERROR [main] com.acme.App: boom",
  logfmt: 'time="2024-01-01T00:00:00Z" level=error msg="boom"',
  logcat: "01-01 00:00:00.000  1702  2639 E ActivityManager: boom",
  cucumber: '      expected to find text "Saved" in "Sign in" (RSpec::Expectations::ExpectationNotMetError)',
  ansible: 'fatal: [host1]: FAILED! => {"changed": false, "msg": "boom"}',
  red: "\u001b[31mthe widget is upside down\u001b[0m",
};

const noise = (count: number, from: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const step = from + index;
    return step % 50 === 0
      ? `warning: option ${step} is deprecated, error handling in lib/error.c is unchanged`
      : `[${step}/9000] Building object errors/exception_${step}.o with -Werror`;
  });

describe("a long build shows the one line that matters", () => {
  for (const [tool, line] of Object.entries(LINES)) {
    it(tool, () => {
      const text = [...noise(1500, 0), line, ...noise(1500, 1500)].join("\n");
      const shown = preview(text, { strategy: "smart", maxBytes: 4096 });
      const visible = line.replaceAll("\u001b[31m", "").replaceAll("\u001b[0m", "");
      expect(shown.text.split("\n")).toContain(visible);
      expect(shown.blocks.some((block) => block.startLine <= 1501 && block.endLine >= 1501)).toBe(true);
    });
  }

  for (const [name, prefix] of Object.entries(PREFIXES)) {
    it(`after a prefix: ${name}`, () => {
      const lines = [
        ...noise(1500, 0),
        "/srv/Pool.java:71: error: cannot find symbol",
        "  symbol:   class Foo",
        ...noise(1500, 1500),
      ];
      const shown = preview(lines.map((line) => prefix + line).join("\n"), { strategy: "smart", maxBytes: 4096 });
      expect(shown.text).toContain(`${prefix.split("\t").at(-1)}/srv/Pool.java:71: error: cannot find symbol`);
      expect(shown.text).toContain("  symbol:   class Foo");
      expect(shown.blocks.some((block) => block.reason === "compiler error")).toBe(true);
    });
  }

  for (const [name, line] of Object.entries(QUIET)) {
    it(`quiet: ${name}`, () => {
      const text = [...noise(1500, 0), line, ...noise(1500, 1500)].join("\n");
      expect(preview(text, { strategy: "smart", maxBytes: 4096 }).text.split("\n")).toContain(line);
    });
  }

  it("shows what a failed command printed, though none of it but the last line calls itself an error", () => {
    const said = [
      "The lock file names color-wheel 0.3.5.",
      "The manifest asks for color-wheel ~> 0.4.1.",
      "Wheels come from https://wheels.example/index",
      "Nothing was changed.",
    ];
    const lines = [
      ...noise(1500, 0),
      "$ wheels install",
      ...said,
      "Look at the manual, chapter 3.",
      "Or ask the maintainers of your wheels.",
      "ERROR: Service 'web' failed to build",
      'The command "wheels install" exited with 7.',
      ...noise(60, 1500),
    ];
    const shown = preview(lines.join("\n"), { strategy: "smart", maxBytes: 4096 });
    expect(shown.text.split("\n")).toEqual(expect.arrayContaining(["$ wheels install", ...said]));
  });

  it("comes with the row before it that names its cause, however many warnings have that form", () => {
    const warnings = Array.from(
      { length: 400 },
      (_, index) => `src/part${index}.cpp:3:26: warning: unused 'x${index}'`,
    );
    const from = "src/orders.cpp:6:41:   required from here";
    const error = "/usr/include/bits/algo.h:1938:50: error: no match for 'operator-'";
    const shown = preview([...warnings, from, error, ...warnings].join("\n"), { strategy: "smart", maxBytes: 4096 });
    expect(shown.text).toContain(`${from}\n${error}`);
  });

  it("stands on the first screen, whatever the room", () => {
    const lines = [...noise(20_000, 0), "src/a.ts(3,1): error TS1005: ';' expected.", ...noise(20_000, 20_000)];
    const shown = preview(lines.join("\n"), { strategy: "smart", maxBytes: 51_200, maxLines: 2000 });
    const at = shown.text.split("\n").indexOf("src/a.ts(3,1): error TS1005: ';' expected.");
    expect(at).toBeGreaterThan(0);
    expect(at).toBeLessThan(40);
    expect(shown.text.split("\n").length).toBeLessThan(80);
  });

  it("3 MB with one compiler error in the middle fit 8 KB, with the error, its context and the verdict", () => {
    const lines = [
      ...noise(25_000, 0),
      "src/parser.c: In function 'parse':",
      "src/parser.c:120:9: error: too few arguments to function 'next_token'",
      "  120 |     t = next_token();",
      "      |         ^~~~~~~~~~",
      ...noise(25_000, 25_000),
      "make: *** [Makefile:12: all] Error 2",
    ];
    const shown = preview(`${lines.join("\n")}\n`, { strategy: "smart", maxBytes: 8192 });
    expect(shown.source.bytes).toBeGreaterThan(3_000_000);
    expect(shown.kept.bytes).toBeLessThanOrEqual(8192);
    for (const index of [25_000, 25_001, 25_002, 25_003, lines.length - 1]) {
      expect(shown.text).toContain(lines[index]);
    }
  });

  it("says how often a line came that is shown but a few times", () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `worker ${index} failed: connection refused`);
    const shown = preview(["ready", ...lines].join("\n"), { strategy: "smart", maxBytes: 4096 });
    expect(shown.text).toContain(
      "\n… 4,998 lines omitted: lines 3-5000; all like the one above …\nworker 4999 failed: connection refused",
    );
  });

  it("says how often a line came whose numbers go up and down", () => {
    const lines = Array.from(
      { length: 5000 },
      (_, index) => `worker ${1 + ((index * 7919) % 5003)} failed: connection refused`,
    );
    const shown = preview(lines.join("\n"), { strategy: "smart", maxBytes: 4096 });
    expect(shown.text).toMatch(/… 4,[89]\d\d lines omitted: lines \d+-\d+; all like the one above …/);
  });

  it("finds an error deep inside one long line", () => {
    const text = `${"x".repeat(3_000_000)} fatal error: disk on fire ${"y".repeat(3_000_000)}`;
    const shown = preview(text, { strategy: "smart", maxBytes: 8000 });
    expect(shown.text).toContain("fatal error: disk on fire");
    expect(shown.omissions.every((omission) => omission.lines === 0)).toBe(true);
  });
});

describe("a test run that passed", () => {
  const results = Array.from({ length: 600 }, (_, index) => `test_case_${index} (shop.tests.CartTests) ... ok`);
  const text = [...noise(800, 0), ...results, "", "Ran 600 tests in 3.1s", "", "OK"].join("\n");
  const shown = preview(text, { strategy: "smart", maxBytes: 8000 });

  it("shows results from all over the list, and the verdict", () => {
    const numbers = [...shown.text.matchAll(/^test_case_(\d+) .* ok$/gm)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(80);
    for (let part = 0; part < 4; part++) {
      expect(numbers.some((number) => number >= part * 150 && number < (part + 1) * 150)).toBe(true);
    }
    expect(shown.text).toContain("Ran 600 tests in 3.1s");
  });

  it("says why, and spends no room on what came before the tests but its first rows", () => {
    expect(shown.blocks.some((block) => block.reason === "result")).toBe(true);
    expect(shown.blocks.every((block) => block.startLine > 700 || block.endLine <= 3)).toBe(true);
    expect(shown.shape).toBe("test run");
  });

  it("is not one in which a test failed", () => {
    const failed = text
      .replace("\nOK", "\nFAILED (failures=1)")
      .replace("test_case_300 (shop.tests.CartTests) ... ok", "test_case_300 (shop.tests.CartTests) ... FAIL");
    const other = preview(failed, { strategy: "smart", maxBytes: 8000 });
    expect(other.text).toContain("test_case_300 (shop.tests.CartTests) ... FAIL");
    expect(other.blocks.some((block) => block.reason === "result")).toBe(false);
  });
});

describe("markers outside", () => {
  it("leave nothing but lines of the output", () => {
    const lines = [...noise(1500, 0), "src/main.c:12:5: error: expected ';'", ...noise(1500, 1500)];
    const accumulator = createSmartAccumulator({ limits: { ...NO_LIMITS, maxBytes: 2000 }, strategy: "smart" });
    accumulator.write(new TextEncoder().encode(lines.join("\n")));
    const shown = accumulator.finish({ markers: "outside" });
    const known = new Set(lines);
    expect(shown.text.split("\n").every((line) => known.has(line))).toBe(true);
    expect(shown.text).toContain("src/main.c:12:5: error: expected ';'");
    expect(shown.kept.lines + shown.omissions.reduce((sum, omission) => sum + omission.lines, 0)).toBe(3001);
  });

  it("hold for outlined shapes too", () => {
    const rows = Array.from({ length: 3000 }, (_, index) => `  { "id": ${index}, "state": "fine" },`);
    const text = ["[", ...rows, '  { "id": 3000, "state": "fine" }', "]"].join("\n");
    const accumulator = createSmartAccumulator({ limits: { ...NO_LIMITS, maxBytes: 2000 }, strategy: "smart" });
    accumulator.write(new TextEncoder().encode(text));
    const known = new Set(text.split("\n"));
    const shown = accumulator.finish({ markers: "outside" });
    expect(shown.text).not.toBe("");
    expect(shown.text.split("\n").every((line) => known.has(line))).toBe(true);
  });
});
