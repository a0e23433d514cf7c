import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { searchPassages } from "../../../src/artifacts/search/search-passages.ts";
import { temporaryFolder } from "../../support/folder.ts";

const root = temporaryFolder("blamed-file");

const BEFORE = Array.from(
  { length: 400 },
  (_, at) => `[${at}/800] Compiling packages/part-${at}/src/file-${at}.ts (${at} ms)`,
);
const AFTER = Array.from({ length: 400 }, (_, at) => `[${at + 400}/800] Writing files of part ${at}`);

/** What a tool prints of one failure, the line that names its file, and how the output ends. */
const TOOLS: Record<string, { readonly says: string[]; readonly answer: string; readonly end: string[] }> = {
  tsc: {
    says: ["packages/billing/src/invoice.ts:214:17 - error TS2345: Argument of type 'string' is not assignable."],
    answer: "invoice.ts:214",
    end: ["Found 1 error in 40000 files."],
  },
  "tsc without colours": {
    says: ["src/app/main.ts(12,5): error TS2304: Cannot find name 'foo'."],
    answer: "main.ts(12,5)",
    end: ["error Command failed with exit code 2."],
  },
  gcc: {
    says: ["src/log.c:9:3: warning: unused variable 'x'", "src/parse.c:31:10: error: 'y' undeclared"],
    answer: "parse.c:31",
    end: ["compilation terminated.", "make: *** [Makefile:14: all] Error 1"],
  },
  rustc: {
    says: [
      "warning: unused import",
      " --> src/lib.rs:1:5",
      "  |",
      "error[E0308]: mismatched types",
      "   --> src/pool.rs:412:9",
      "    |",
    ],
    answer: "src/pool.rs:412",
    end: ['error: could not compile `demo` (bin "demo") due to 1 previous error; 1 warning emitted'],
  },
  "rustc with the code and its note": {
    says: [
      "error[E0502]: cannot borrow `*self` as mutable because it is also borrowed as immutable",
      "   --> crates/ledger/src/post.rs:118:9",
      "    |",
      "117 |         let first = &self.entries[0];",
      "118 |         self.flush();",
      "    |         ^^^^^^^^^^^^ mutable borrow occurs here",
      "",
      "For more information about this error, try `rustc --explain E0502`.",
    ],
    answer: "post.rs:118",
    end: ["error: could not compile `ledger` (lib) due to 1 previous error"],
  },
  go: {
    says: [
      "# example.com/app/server",
      "server/route.go:27:9: undefined: handler",
      "FAIL\texample.com/app/server [build failed]",
    ],
    answer: "route.go:27",
    end: ["FAIL"],
  },
  javac: {
    says: ["src/main/java/App.java:17: error: cannot find symbol", "    foo();", "    ^"],
    answer: "App.java:17",
    end: ["1 error", "BUILD FAILED in 3s"],
  },
  maven: {
    says: ["[ERROR] /home/u/app/src/main/java/Shop.java:[33,14] incompatible types"],
    answer: "Shop.java:[33,14]",
    end: ["[ERROR] Failed to execute goal maven-compiler-plugin:3.8.1:compile: Compilation failure"],
  },
  dotnet: {
    says: ["/src/Api/Program.cs(5,13): error CS0103: The name 'x' does not exist [/src/Api/Api.csproj]"],
    answer: "Program.cs(5,13)",
    end: ["    0 Warning(s)", "    1 Error(s)"],
  },
  python: {
    says: [
      "Traceback (most recent call last):",
      '  File "/app/jobs/load.py", line 3',
      "    def x(:",
      "SyntaxError: invalid syntax",
    ],
    answer: 'load.py", line 3',
    end: ["1 file failed, 799 files compiled"],
  },
  eslint: {
    says: ["", "/home/u/app/src/cart.js", "  3:1  error  'x' is not defined  no-undef", ""],
    answer: "/home/u/app/src/cart.js",
    end: ["✖ 1 problem (1 error, 0 warnings)"],
  },
  webpack: {
    says: ["ERROR in ./src/views/list.tsx 5:2", "Module not found: Can't resolve './row'"],
    answer: "list.tsx",
    end: ["webpack 5.90.0 compiled with 1 error in 2931 ms"],
  },
  jest: {
    says: ["FAIL src/cart/total.test.ts", "  ● adds up", "    expect(received).toBe(expected)"],
    answer: "total.test.ts",
    end: ["Test Suites: 1 failed, 79 passed, 80 total", "Ran all test suites."],
  },
  pytest: {
    says: ["FAILED tests/test_cart.py::test_total - assert 3 == 4"],
    answer: "tests/test_cart.py",
    end: ["=== 1 failed, 799 passed in 12.3s ==="],
  },
  swift: {
    says: ["/app/Sources/App/Store.swift:88:12: error: cannot convert value"],
    answer: "Store.swift:88",
    end: ["error: fatalError"],
  },
};
const QUESTIONS = ["which file failed to compile?", "What file has the error?", "which source file is broken"];

describe.each(Object.entries(TOOLS))("of %s", (name, { says, answer, end }) => {
  it.each(QUESTIONS)("%s is answered with the line that names the file", async (question) => {
    const path = join(root, `${name.replaceAll(" ", "-")}.log`);
    writeFileSync(path, [...BEFORE, ...says, ...AFTER, ...end, ""].join("\n"));
    const [first] = await searchPassages(path, question, { limit: 3 });
    expect(first?.quote).toContain(answer);
  });

  it("also where the output ends with the failure", async () => {
    const path = join(root, `${name.replaceAll(" ", "-")}-last.log`);
    writeFileSync(path, [...BEFORE, ...says, ...end, ""].join("\n"));
    for (const question of QUESTIONS) {
      const [first] = await searchPassages(path, question, { limit: 3 });
      expect(first?.quote).toContain(answer);
    }
  });
});

it("does not blame a file of a warning", async () => {
  const path = join(root, "warnings.log");
  writeFileSync(
    path,
    "src/a.c:1:2: warning: unused\nsrc/b.c:1:2: note: here\nok\nok\nok\nok\nok\nok\nld: error: undefined symbol\n",
  );
  const [first] = await searchPassages(path, "which file failed?");
  expect(first?.quote).toBe("ld: error: undefined symbol");
});
