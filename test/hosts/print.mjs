// Prints one of the outputs that the agents are tried with: node print.mjs NAME. Each is the same at every run.
import { createHash } from "node:crypto";
import { writeSync } from "node:fs";

const digest = (text) => createHash("sha1").update(text).digest("hex");

/** Six lines of one compiler error, at two thirds of 3 MB. */
function* build() {
  const rows = 31_000;
  for (let row = 1; row <= rows; row++) {
    if (row === 18_431)
      yield [
        "error[E0277]: the trait bound `Ledger: Clone` is not satisfied (MARK-1)",
        "  --> crates/ledger/src/close.rs:219:24 (MARK-2)",
        "   |",
        "219 |     let snapshot = ledger.clone(); // MARK-3",
        "   |                    ^^^^^^ the trait `Clone` is not implemented for `Ledger` (MARK-4)",
        "   = help: consider annotating `Ledger` with `#[derive(Clone)]` (MARK-5)",
        "   = note: required by a bound in `Books::close_month` (MARK-6)",
        "",
      ].join("\n");
    const hash = digest(`build ${row}`);
    yield `   Compiling crate-${String(row % 613).padStart(3, "0")} v0.${row % 9}.${row % 7} (${row}/${rows}) target/debug/deps/${hash.slice(0, 24)}.rlib ${row % 83} ms\n`;
  }
}

/** 9,000 tests of which three fail, far apart; the end only counts them. */
function* tests() {
  const failing = new Map([
    [1_907, ["totals > adds tax once (MARK-1)", "expected 119 to be 138.04"]],
    [5_310, ["import > keeps the order of rows (MARK-2)", "expected [ 2, 1 ] to deeply equal [ 1, 2 ]"]],
    [8_201, ["export > closes the file (MARK-3)", "EBADF: bad file descriptor, close"]],
  ]);
  for (let test = 1; test <= 9_000; test++) {
    const failure = failing.get(test);
    if (failure === undefined)
      yield `ok ${test} - suite-${test % 307} > ${digest(`test ${test}`).slice(0, 20)} (${test % 31} ms)\n`;
    else
      yield `not ok ${test} - ${failure[0]}\n  ---\n  AssertionError: ${failure[1]}\n      at file:///shop/test/case-${test}.test.ts:${test % 97}:11\n  ...\n`;
  }
  yield "1..9000\n# tests 9000\n# pass 8997\n# fail 3\n";
}

/** 10 MB of JSON without one newline. */
function* line() {
  yield '{"rows":[';
  let bytes = 9;
  for (let row = 0; bytes < 10 * 1024 * 1024; row++) {
    const text = `${row === 0 ? "" : ","}{"id":${row},"sum":"${digest(`row ${row}`)}","open":${row % 3 === 0}}`;
    bytes += text.length;
    yield text;
  }
  yield '],"complete":"MARK-1"}';
}

/** 500 KB on standard error, with what went wrong in the middle and at the end. */
function* failing() {
  yield "connecting to db-7 (MARK-1)\n";
  for (let row = 0; row < 6_000; row++) {
    if (row === 3_000) yield 'ERROR: column "tenant" of relation "invoices" does not exist (MARK-2)\n';
    yield `row ${row}: ${digest(`fail ${row}`)} copied in ${row % 19} ms, checksum verified\n`;
  }
  yield "FATAL: migration 0042 was rolled back (MARK-3)\n";
}

/** Rows that are all alike; one is asked for. */
function* asked() {
  for (let row = 0; row < 20_000; row++)
    yield row === 13_370
      ? "posted ledger-7f3a with 41.20, closed by night run (MARK-1)\n"
      : `posted ledger-${digest(`row ${row}`).slice(0, 4)} with ${row % 97}.${10 + (row % 89)}, closed by night run\n`;
}

/** 300 MB of rows. */
function* huge() {
  const rows = 3_000_000;
  for (let row = 0; row < rows; row += 5_000) {
    let text = "";
    for (let next = row; next < row + 5_000; next++)
      text += `${String(next).padStart(8, "0")} ${next === 0 || next === rows - 1 ? `MARK-${next === 0 ? 1 : 2}` : "......"} ${"abcdefghij".repeat(8)}\n`;
    yield text;
  }
}

const OUTPUTS = {
  build: { print: build },
  "build-fails": { print: build, code: 101 },
  tests: { print: tests, code: 1 },
  line: { print: line },
  failing: { print: failing, code: 3, fd: 2 },
  asked: { print: asked },
  huge: { print: huge },
};

const { print, code = 0, fd = 1 } = OUTPUTS[process.argv[2]];
let pending = "";
for (const text of print()) {
  pending += text;
  if (pending.length >= 65_536) flush();
}
flush();
process.exit(code);

function flush() {
  let rest = Buffer.from(pending);
  pending = "";
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
