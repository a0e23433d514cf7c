/** Failing test runs of many runners, made up: what a failed test prints is quoted at length between the runner's own lines. */

/** What tests print: each makes `count` lines of one kind of text, at the margin. */
export const QUOTED: Readonly<Record<string, (count: number) => string[]>> = {
  "functions of Python": (count) =>
    repeat(count, (at) => [
      `def load_${at}(self, path, mode="r"):`,
      `    """Reads part ${at} of the archive."""`,
      `    if path in self.parts:`,
      `        return self.parts[path]`,
      `    for entry in self.entries[${at}:]:`,
      `        self.parts[entry.name] = entry.read(mode)`,
      "",
    ]),
  "functions of TypeScript": (count) =>
    repeat(count, (at) => [
      `export function parse${at}(input: string): Node {`,
      `  const tokens = tokenize(input, { offset: ${at} });`,
      `  if (tokens.length === 0) throw new SyntaxError("nothing to parse");`,
      `  return tokens.map((token) => visit(token)).at(-1);`,
      `}`,
      "",
    ]),
  "functions of Go": (count) =>
    repeat(count, (at) => [
      `func (s *Store) Get${at}(ctx context.Context, key string) ([]byte, error) {`,
      `\tif err := ctx.Err(); err != nil {`,
      `\t\treturn nil, err`,
      `\t}`,
      `\treturn s.parts[${at}][key], nil`,
      `}`,
      "",
    ]),
  prose: (count) =>
    repeat(count, (at) => [
      `The harbour of town number ${at} was built in the summer of a dry year, and nobody had asked for it.`,
      "It has two piers, and a lamp that the keeper lights in the evening, whatever the weather may be.",
      "",
      "Whoever comes by sea sees the lamp first. The houses behind it are white, and their doors are blue.",
      "",
    ]),
  "prose with headings": (count) =>
    repeat(count, (at) => [
      `## Chapter ${at}`,
      "",
      `A paragraph on the harbour of town ${at}, which was built in the summer of a dry year.`,
      "- two piers",
      "- a lamp that the keeper lights",
      "",
    ]),
  "a table": (count) => ["id,name,price,state", ...repeat(count - 1, (at) => [`${at},Item ${at},${100 + at},listed`])],
  "a table in a frame": (count) => [
    "| id | name | price |",
    "|---|---|---|",
    ...repeat(count - 2, (at) => [`| ${at} | Item ${at} | ${at * 7} |`]),
  ],
  "columns of numbers": (count) => [
    "NAME        CPU   MEMORY",
    ...repeat(count - 1, (at) => [`worker-${String(at).padEnd(5)} ${String(at % 90).padEnd(5)} ${at * 3}Mi`]),
  ],
  JSON: (count) => [
    "{",
    ...repeat(count - 2, (at) => [`  "key-${at}": { "id": ${at}, "name": "item ${at}", "tags": ["a", "b"] },`]),
    `  "last": true`,
    "}",
  ],
  settings: (count) =>
    repeat(count, (at) => [
      `section_${at}:`,
      `  enabled: true`,
      `  interval: ${at}s`,
      `  target: host-${at}.example.org`,
    ]),
  paths: (count) => repeat(count, (at) => [`src/modules/part_${at}/index.ts`, `src/modules/part_${at}/index.d.ts`]),
  "hits of a search": (count) => repeat(count, (at) => [`src/part_${at}.py:${at + 3}:    return compute(${at})`]),
  "a diff": (count) => [
    "diff --git a/x.py b/x.py",
    "--- a/x.py",
    "+++ b/x.py",
    "@@ -1,9 +1,9 @@",
    ...repeat(count - 4, (at) => [`-    value = ${at}`, `+    value = ${at + 1}`]),
  ],
};

export interface Run {
  readonly text: string;
  /** Each names a failed test; one of them has to be shown. */
  readonly failed: readonly string[];
  /** Says how many failed. */
  readonly count: string;
}

type Runner = (quoted: readonly (readonly string[])[]) => Run;

/** One test fails for each list of quoted lines. */
export const RUNNERS: Readonly<Record<string, Runner>> = {
  pytest: (quoted) => {
    const failed = quoted.map(
      (_, at) => `FAILED tests/test_store.py::TestStore::test_part_${at} - AssertionError: assert ${at} == 7`,
    );
    const count = `=================== ${quoted.length} failed, 12 passed in 3.21s ===================`;
    const lines = [
      "============================= test session starts ==============================",
      "platform linux -- Python 3.12.3, pytest-8.1.1, pluggy-1.4.0",
      "rootdir: /app",
      `collected ${quoted.length + 12} items`,
      "",
      `tests/test_store.py ............${"F".repeat(quoted.length)}                              [100%]`,
      "",
      "=================================== FAILURES ===================================",
      ...quoted.flatMap((lines_, at) => [
        `____________________________ TestStore.test_part_${at} ____________________________`,
        "",
        ...lines_.map((line) => (line === "" ? "" : `    ${line}`)),
        `>       assert store.part(${at}) == 7`,
        `E       assert ${at} == 7`,
        "",
        `tests/test_store.py:${20 + at}: AssertionError`,
      ]),
      "=========================== short test summary info ============================",
      ...failed,
      count,
    ];
    return { text: lines.join("\n"), failed, count };
  },
  "pytest with captured output": (quoted) => {
    const failed = quoted.map((_, at) => `FAILED tests/test_store.py::test_part_${at} - KeyError: '${at}'`);
    const count = `${quoted.length} failed, 3 passed, 1 warning in 0.91s`;
    const lines = [
      `...${"F".repeat(quoted.length)}                              [100%]`,
      "=================================== FAILURES ===================================",
      ...quoted.flatMap((lines_, at) => [
        `_________________________________ test_part_${at} _________________________________`,
        `E   KeyError: '${at}'`,
        "----------------------------- Captured stdout call -----------------------------",
        ...lines_,
      ]),
      "=========================== short test summary info ============================",
      ...failed,
      count,
    ];
    return { text: lines.join("\n"), failed, count };
  },
  "pytest, one line a test": (quoted) => {
    const failed = quoted.map((_, at) => `tests/test_store.py::test_part_${at} FAILED [ ${at}%]`);
    const count = `========================= ${quoted.length} failed in 0.12s =========================`;
    const lines = ["collected items", "", ...quoted.flatMap((lines_, at) => [...lines_, failed[at] as string]), count];
    return { text: lines.join("\n"), failed, count };
  },
  unittest: (quoted) => {
    const failed = quoted.map(
      (_, at) => `${at % 2 === 0 ? "FAIL" : "ERROR"}: test_part_${at} (store.tests.StoreTests.test_part_${at})`,
    );
    const fails = Math.ceil(quoted.length / 2);
    const count =
      quoted.length === 1 ? "FAILED (failures=1)" : `FAILED (failures=${fails}, errors=${quoted.length - fails})`;
    const lines = [
      ...quoted.flatMap((lines_, at) => [
        "======================================================================",
        failed[at] as string,
        "----------------------------------------------------------------------",
        "Traceback (most recent call last):",
        `  File "/app/store/tests.py", line ${30 + at}, in test_part_${at}`,
        `    self.assertEqual(part, 7)`,
        `AssertionError: ${at} != 7`,
        "",
        "Stdout:",
        ...lines_,
      ]),
      "----------------------------------------------------------------------",
      `Ran ${quoted.length + 40} tests in 1.234s`,
      "",
      count,
    ];
    return { text: lines.join("\n"), failed, count };
  },
  jest: (quoted) => {
    const failed = quoted.map((_, at) => `  ● Store › part ${at} › returns seven`);
    const count = `Tests:       ${quoted.length} failed, 31 passed, ${quoted.length + 31} total`;
    const lines = [
      "FAIL src/store.test.ts",
      ...quoted.map((_, at) => `    ✕ part ${at} returns seven (${at + 3} ms)`),
      "",
      ...quoted.flatMap((lines_, at) => [
        failed[at] as string,
        "",
        "    expect(received).toBe(expected) // Object.is equality",
        "",
        "    Expected: 7",
        `    Received: ${at}`,
        "",
        ...lines_.map((line, number) => `    ${String(number + 1).padStart(4)} | ${line}`),
        `      at Object.toBe (src/store.test.ts:${at + 9}:20)`,
        "",
      ]),
      "Test Suites: 1 failed, 4 passed, 5 total",
      count,
      "Snapshots:   0 total",
      "Time:        2.871 s",
    ];
    return { text: lines.join("\n"), failed: ["FAIL src/store.test.ts", ...failed], count };
  },
  "jest with what the tests log": (quoted) => {
    const failed = quoted.map((_, at) => `  ● part ${at} returns seven`);
    const count = `Tests:       ${quoted.length} failed, ${quoted.length} total`;
    const lines = [
      ...quoted.flatMap((lines_, at) => [
        "  console.log",
        ...lines_,
        `      at log (src/store.ts:${at}:3)`,
        "",
        failed[at] as string,
        "",
        "    TypeError: Cannot read properties of undefined",
        "",
      ]),
      "Test Suites: 1 failed, 1 total",
      count,
    ];
    return { text: lines.join("\n"), failed, count };
  },
  vitest: (quoted) => {
    const failed = quoted.map((_, at) => ` FAIL  test/store.test.ts > Store > part ${at} returns seven`);
    const count = `      Tests  ${quoted.length} failed | 31 passed (${quoted.length + 31})`;
    const lines = [
      " RUN  v4.1.0 /app",
      "",
      ` ❯ test/store.test.ts (${quoted.length + 31} tests | ${quoted.length} failed) 12ms`,
      ...quoted.map((_, at) => `   × Store > part ${at} returns seven 3ms`),
      "",
      `⎯⎯⎯⎯⎯⎯⎯ Failed Tests ${quoted.length} ⎯⎯⎯⎯⎯⎯⎯`,
      "",
      ...quoted.flatMap((lines_, at) => [
        failed[at] as string,
        `AssertionError: expected ${at} to be 7 // Object.is equality`,
        "",
        ...lines_.map((line) => `    ${line}`),
        "",
      ]),
      " Test Files  1 failed | 4 passed (5)",
      count,
      "   Start at  10:11:12",
      "   Duration  1.52s",
    ];
    return { text: lines.join("\n"), failed, count };
  },
  mocha: (quoted) => {
    const failed = quoted.map((_, at) => `  ${at + 1}) Store`);
    const count = `  ${quoted.length} failing`;
    const lines = [
      "  Store",
      "    ✓ opens",
      ...quoted.flatMap((lines_, at) => [...lines_, `    ${at + 1}) returns part ${at}`]),
      "",
      "  1 passing (23ms)",
      count,
      "",
      ...quoted.flatMap((_, at) => [
        failed[at] as string,
        `       returns part ${at}:`,
        "",
        `      AssertionError [ERR_ASSERTION]: ${at} == 7`,
        `      at Context.<anonymous> (test/store.js:${at + 4}:14)`,
        "",
      ]),
    ];
    return {
      text: lines.join("\n"),
      failed: [...failed, ...quoted.map((_, at) => `    ${at + 1}) returns part ${at}`)],
      count,
    };
  },
  cargo: (quoted) => {
    const failed = quoted.map((_, at) => `test store::tests::part_${at} ... FAILED`);
    const count = `test result: FAILED. 12 passed; ${quoted.length} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.03s`;
    const lines = [
      `running ${quoted.length + 12} tests`,
      "test store::tests::opens ... ok",
      ...failed,
      "",
      "failures:",
      "",
      ...quoted.flatMap((lines_, at) => [
        `---- store::tests::part_${at} stdout ----`,
        ...lines_,
        `thread 'store::tests::part_${at}' panicked at src/store.rs:${at + 40}:9:`,
        "assertion `left == right` failed",
        `  left: ${at}`,
        " right: 7",
        "",
      ]),
      "failures:",
      ...quoted.map((_, at) => `    store::tests::part_${at}`),
      "",
      count,
    ];
    return {
      text: lines.join("\n"),
      failed: [...failed, ...quoted.map((_, at) => `---- store::tests::part_${at} stdout ----`)],
      count,
    };
  },
  go: (quoted) => {
    const failed = quoted.map((_, at) => `--- FAIL: TestPart${at} (0.0${at % 10}s)`);
    const count = "FAIL\texample.org/store\t0.123s";
    const lines = [
      ...quoted.flatMap((lines_, at) => [
        `=== RUN   TestPart${at}`,
        ...lines_,
        failed[at] as string,
        `    store_test.go:${at + 12}: got ${at}, want 7`,
      ]),
      "FAIL",
      count,
      "FAIL",
    ];
    return { text: lines.join("\n"), failed, count };
  },
  maven: (quoted) => {
    const failed = quoted.map((_, at) => `[ERROR]   StoreTest.part${at}:${at + 30} expected: <7> but was: <${at}>`);
    const count = `[ERROR] Tests run: ${quoted.length + 8}, Failures: ${quoted.length}, Errors: 0, Skipped: 0`;
    const lines = [
      "[INFO] Running org.example.StoreTest",
      ...quoted.flatMap((lines_, at) => [
        ...lines_,
        `[ERROR] org.example.StoreTest.part${at} -- Time elapsed: 0.003 s <<< FAILURE!`,
        `org.opentest4j.AssertionFailedError: expected: <7> but was: <${at}>`,
        `\tat org.example.StoreTest.part${at}(StoreTest.java:${at + 30})`,
      ]),
      "[ERROR] Failures: ",
      ...failed,
      count,
      "[INFO] BUILD FAILURE",
    ];
    return {
      text: lines.join("\n"),
      failed: [...failed, ...quoted.map((_, at) => `[ERROR] org.example.StoreTest.part${at} -- Time`)],
      count,
    };
  },
  gradle: (quoted) => {
    const failed = quoted.map((_, at) => `StoreTest > part${at}() FAILED`);
    const count = `${quoted.length + 8} tests completed, ${quoted.length} failed`;
    const lines = [
      "> Task :test",
      "",
      ...quoted.flatMap((lines_, at) => [
        "StoreTest > STANDARD_OUT",
        ...lines_.map((line) => `    ${line}`),
        "",
        failed[at] as string,
        `    org.opentest4j.AssertionFailedError at StoreTest.java:${at + 30}`,
        "",
      ]),
      count,
      "",
      "> Task :test FAILED",
      "",
      "FAILURE: Build failed with an exception.",
    ];
    return { text: lines.join("\n"), failed, count };
  },
  rspec: (quoted) => {
    const failed = quoted.map((_, at) => `rspec ./spec/store_spec.rb:${at + 9} # Store returns part ${at}`);
    const count = `${quoted.length + 20} examples, ${quoted.length} failure${quoted.length === 1 ? "" : "s"}`;
    const lines = [
      `....${"F".repeat(quoted.length)}`,
      "",
      "Failures:",
      "",
      ...quoted.flatMap((lines_, at) => [
        `  ${at + 1}) Store returns part ${at}`,
        `     Failure/Error: expect(part).to eq(7)`,
        "",
        "       expected: 7",
        `            got: ${at}`,
        ...lines_,
        `     # ./spec/store_spec.rb:${at + 9}:in 'block (2 levels) in <top (required)>'`,
        "",
      ]),
      "Finished in 0.04 seconds (files took 0.1 seconds to load)",
      count,
      "",
      "Failed examples:",
      "",
      ...failed,
    ];
    return {
      text: lines.join("\n"),
      failed: [...failed, ...quoted.map((_, at) => `  ${at + 1}) Store returns part ${at}`)],
      count,
    };
  },
  phpunit: (quoted) => {
    const failed = quoted.map((_, at) => `${at + 1}) App\\Tests\\StoreTest::testPart${at}`);
    const count = `Tests: ${quoted.length + 20}, Assertions: 61, Failures: ${quoted.length}.`;
    const lines = [
      "PHPUnit 10.5.9 by Sebastian Bergmann and contributors.",
      "",
      `....${"F".repeat(quoted.length)}   20 / 20 (100%)`,
      "",
      `There ${quoted.length === 1 ? "was 1 failure" : `were ${quoted.length} failures`}:`,
      "",
      ...quoted.flatMap((lines_, at) => [
        failed[at] as string,
        `Failed asserting that ${at} matches expected 7.`,
        ...lines_,
        "",
        `/app/tests/StoreTest.php:${at + 21}`,
        "",
      ]),
      "FAILURES!",
      count,
    ];
    return { text: lines.join("\n"), failed, count };
  },
  ctest: (quoted) => {
    const failed = quoted.map(
      (_, at) =>
        `${at + 1}/${quoted.length + 3} Test #${at + 1}: store_part_${at} ....................***Failed    0.01 sec`,
    );
    const count = `25% tests passed, ${quoted.length} tests failed out of ${quoted.length + 3}`;
    const lines = [
      "Test project /app/build",
      ...quoted.flatMap((lines_, at) => [`    Start ${at + 1}: store_part_${at}`, failed[at] as string, ...lines_, ""]),
      count,
      "",
      "The following tests FAILED:",
      ...quoted.map((_, at) => `\t${at + 1} - store_part_${at} (Failed)`),
      "Errors while running CTest",
    ];
    return {
      text: lines.join("\n"),
      failed: [...failed, ...quoted.map((_, at) => `\t${at + 1} - store_part_${at} (Failed)`)],
      count,
    };
  },
  dotnet: (quoted) => {
    const failed = quoted.map((_, at) => `  Failed Store.Tests.StoreTests.Part${at} [${at + 2} ms]`);
    const count = `Failed!  - Failed:     ${quoted.length}, Passed:    20, Skipped:     0, Total:    ${quoted.length + 20}, Duration: 41 ms - Store.Tests.dll (net8.0)`;
    const lines = [
      "Starting test execution, please wait...",
      ...quoted.flatMap((lines_, at) => [
        failed[at] as string,
        "  Error Message:",
        "   Assert.Equal() Failure: Values differ",
        "Expected: 7",
        `Actual:   ${at}`,
        "  Standard Output Messages:",
        ...lines_,
      ]),
      "",
      count,
    ];
    return { text: lines.join("\n"), failed, count };
  },
  tap: (quoted) => {
    const failed = quoted.map((_, at) => `not ok ${at + 1} - returns part ${at}`);
    const count = `# fail ${quoted.length}`;
    const lines = [
      "TAP version 13",
      ...quoted.flatMap((lines_, at) => [
        ...lines_,
        failed[at] as string,
        "  ---",
        "  operator: equal",
        "  expected: 7",
        `  actual:   ${at}`,
        "  ...",
      ]),
      `1..${quoted.length + 2}`,
      `# tests ${quoted.length + 2}`,
      "# pass 2",
      count,
    ];
    return { text: lines.join("\n"), failed, count };
  },
  googletest: (quoted) => {
    const failed = quoted.map((_, at) => `[  FAILED  ] StoreTest.Part${at} (0 ms)`);
    const count = ` ${quoted.length} FAILED TEST${quoted.length === 1 ? "" : "S"}`;
    const lines = [
      `[==========] Running ${quoted.length + 3} tests from 1 test suite.`,
      ...quoted.flatMap((lines_, at) => [
        `[ RUN      ] StoreTest.Part${at}`,
        ...lines_,
        `store_test.cc:${at + 14}: Failure`,
        "Expected equality of these values:",
        failed[at] as string,
      ]),
      `[==========] ${quoted.length + 3} tests from 1 test suite ran. (3 ms total)`,
      "[  PASSED  ] 3 tests.",
      `[  FAILED  ] ${quoted.length} tests, listed below:`,
      ...quoted.map((_, at) => `[  FAILED  ] StoreTest.Part${at}`),
      "",
      count,
    ];
    return { text: lines.join("\n"), failed: quoted.map((_, at) => `[  FAILED  ] StoreTest.Part${at}`), count };
  },
  minitest: (quoted) => {
    const failed = quoted.map((_, at) => `StoreTest#test_part_${at} [test/store_test.rb:${at + 8}]:`);
    const count = `${quoted.length + 20} runs, 44 assertions, ${quoted.length} failures, 0 errors, 0 skips`;
    const lines = [
      "Run options: --seed 1234",
      "",
      "# Running:",
      "",
      ...quoted.flatMap((lines_, at) => [
        ...lines_,
        "",
        `  ${at + 1}) Failure:`,
        failed[at] as string,
        "Expected: 7",
        `  Actual: ${at}`,
        "",
      ]),
      count,
    ];
    return { text: lines.join("\n"), failed, count };
  },
  node: (quoted) => {
    const failed = quoted.map((_, at) => `✖ returns part ${at} (${at}.31ms)`);
    const count = `ℹ fail ${quoted.length}`;
    const lines = [
      ...quoted.flatMap((lines_, at) => [...lines_, failed[at] as string]),
      `ℹ tests ${quoted.length + 3}`,
      "ℹ pass 3",
      count,
      "ℹ duration_ms 51.2",
      "",
      "✖ failing tests:",
      "",
      ...quoted.flatMap((_, at) => [
        `test at test/store.test.js:${at + 4}:1`,
        failed[at] as string,
        "  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
        "",
      ]),
    ];
    return { text: lines.join("\n"), failed, count };
  },
};

function repeat(count: number, block: (at: number) => readonly string[]): string[] {
  const lines: string[] = [];
  for (let at = 0; lines.length < count; at++) lines.push(...block(at));
  return lines.slice(0, Math.max(0, count));
}
