import { describe, expect, it } from "vitest";
import { preview } from "../../../src/preview/preview.ts";

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
  "log level": "2024-01-01 00:00:00,000 ERROR [main] com.acme.App: boom",
  logfmt: 'time="2024-01-01T00:00:00Z" level=error msg="boom"',
  logcat: "01-01 00:00:00.000  1702  2639 E ActivityManager: boom",
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
    const shown = preview(lines.join("\n"), { strategy: "smart", maxBytes: 4096 });
    expect(shown.text).toMatch(/× 4,9\d\d similar lines/);
  });

  it("finds an error deep inside one long line", () => {
    const text = `${"x".repeat(3_000_000)} fatal error: disk on fire ${"y".repeat(3_000_000)}`;
    const shown = preview(text, { strategy: "smart", maxBytes: 8000 });
    expect(shown.text).toContain("fatal error: disk on fire");
    expect(shown.omissions.every((omission) => omission.lines === 0)).toBe(true);
  });
});
