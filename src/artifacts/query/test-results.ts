import { isObject } from "../../bytes/json/is-object.ts";
import type { LineReader } from "./line-rows.ts";
import type { SqlValue, TableSink } from "./table-writer.ts";

interface TestResult {
  readonly name: string;
  readonly status?: string | undefined;
  readonly seconds?: number | undefined;
  readonly message?: string | undefined;
}

const STATUS: Readonly<Record<string, string>> = {
  pass: "passed",
  passed: "passed",
  ok: "passed",
  "✓": "passed",
  "✔": "passed",
  "√": "passed",
  fail: "failed",
  failed: "failed",
  "not ok": "failed",
  "×": "failed",
  "✗": "failed",
  "✕": "failed",
  "✖": "failed",
  error: "error",
  skip: "skipped",
  skipped: "skipped",
  ignored: "skipped",
  "↓": "skipped",
  "○": "skipped",
  disabled: "skipped",
  xfail: "xfailed",
  xpass: "xpassed",
  "expected failure": "xfailed",
};

/** Result lines of test runners; groups are `name`, `status`, `seconds` or `ms`, and `message`. */
const FORMS: readonly RegExp[] = [
  // pytest, verbose and in its summary
  /^(?<name>\S+\.py::\S.*?) (?<status>PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b/,
  /^(?<status>FAILED|ERROR|PASSED|XFAIL|XPASS) (?<name>\S+\.py(?:::\S.*?)?)(?: - (?<message>.*))?$/,
  // go test
  /^\s*--- (?<status>PASS|FAIL|SKIP): (?<name>\S+) \((?<seconds>[\d.]+)s\)/,
  // cargo test
  /^test (?<name>\S.*?) \.\.\. (?<status>ok|FAILED|ignored)\b/,
  // unittest
  /^(?<name>\w\S* \([\w.]+\))(?: .*)? \.\.\. (?<status>ok|FAIL|ERROR|skipped|expected failure)\b/,
  /^(?<status>FAIL|ERROR): (?<name>\w+ \([\w.]+\))/,
  // GoogleTest
  /^\[\s+(?<status>OK|FAILED|SKIPPED)\s+\] (?<name>\S+?)(?:,.*)? \((?<ms>\d+) ms/,
  // CTest
  /^\s*\d+\/\d+ Test\s+#\d+: (?<name>\S+) \.*\s*(?:\*\*\*)?(?<status>Passed|Failed|Skipped|Exception|Timeout|Not Run).*?(?<seconds>[\d.]+) sec/,
  // Gradle
  /^(?<name>\S+ > .+) (?<status>PASSED|FAILED|SKIPPED)$/,
  // TAP
  /^\s*(?<status>not ok|ok) \d+(?: -)? (?<name>[^#\n]*?)\s*(?:# (?:time=(?<ms>[\d.]+)ms.*|.*))?$/,
  // vitest, Jest, Mocha, node --test
  /^\s*(?<status>[✓✔√×✗✕✖↓○]) (?<name>\S.*?)(?:\s+\((?:\d+ tests?[^)]*)\))?(?:\s+\(?(?:(?<ms>[\d.]+) ?ms|(?<seconds>[\d.]+) ?s)\)?)?\s*$/,
];
/** pytest --durations */
const DURATION = /^(?<seconds>\d+\.\d+)s (?:call|setup|teardown)\s+(?<name>\S.*)$/;
/** Maven tells of a class in numbers. */
const MAVEN =
  /Tests run: \d+, Failures: (?<failures>\d+), Errors: (?<errors>\d+), Skipped: \d+, Time elapsed: (?<seconds>[\d.]+) s.*(?:-- in|- in) (?<name>\S+)/;
/** How a runner introduces itself, whose results come at the end. */
const RUNNER = /^=+ test session starts =+|^Ran \d+ tests? in |^\s*RUN\s+v\d+\.\d+|^TAP version 1[34]/;
const JUNIT_TAG = /<(\/?)(testcase|failure|error|skipped)\b([^>]*)>/g;
const LEAST_RESULTS = 3;
/** Other tools mark single lines with the signs of test runners. */
const LEAST_SHARE = 0.05;
const MOST_TESTS = 500_000;

/** The result that a line tells; undefined if none. */
function resultOf(text: string): TestResult | undefined {
  for (const form of FORMS) {
    const groups = form.exec(text)?.groups;
    if (groups === undefined) continue;
    const { name = "", status = "", seconds, ms, message } = groups;
    // "failing tests:" is a heading.
    if (name === "" || name.endsWith(":")) continue;
    const time = seconds !== undefined ? Number(seconds) : ms !== undefined ? Number(ms) / 1000 : undefined;
    return { name, status: STATUS[status.toLowerCase()] ?? status.toLowerCase(), seconds: time, message };
  }
  const maven = MAVEN.exec(text)?.groups;
  if (maven === undefined) return undefined;
  const failed = Number(maven.failures) + Number(maven.errors) > 0;
  return { name: maven.name ?? "", status: failed ? "failed" : "passed", seconds: Number(maven.seconds) };
}

/** Collects results by test, since runners tell of one several times; emits them at the end. */
class Results {
  readonly #tests = new Map<string, TestResult>();
  readonly #sink: TableSink;

  constructor(sink: TableSink) {
    this.#sink = sink;
  }

  add(result: TestResult): void {
    const known = this.#tests.get(result.name);
    if (known === undefined && this.#tests.size >= MOST_TESTS) return;
    this.#tests.set(result.name, {
      name: result.name,
      status: result.status ?? known?.status,
      seconds: result.seconds ?? known?.seconds,
      message: result.message ?? known?.message,
    });
  }

  end(): void {
    const table = this.#sink.table("rows");
    const anyMessage = [...this.#tests.values()].some(({ message }) => message !== undefined);
    for (const { name, status, seconds, message } of this.#tests.values()) {
      const fields: [string, SqlValue][] = [
        ["name", name],
        ["status", status ?? null],
        ["seconds", seconds ?? null],
      ];
      if (anyMessage) fields.push(["message", message ?? null]);
      table.add(new Map(fields));
    }
  }
}

/** Reads the results of test runners; undefined if the sample holds none. */
export function testReader(sample: readonly string[], sink: TableSink): LineReader | undefined {
  const results = new Results(sink);
  if (sample.some((line) => line.includes("<testsuite"))) return junitReader(results);
  const found = sample.filter((line) => resultOf(line) !== undefined).length;
  const filled = sample.filter((line) => line.trim() !== "").length;
  const isRun = found > 0 && sample.some((line) => RUNNER.test(line));
  if (!isRun && (found < LEAST_RESULTS || found < LEAST_SHARE * filled)) return undefined;
  return {
    kind: "tests",
    line(text) {
      const result = resultOf(text);
      if (result !== undefined) results.add(result);
      const { name, seconds } = DURATION.exec(text)?.groups ?? {};
      if (name !== undefined) results.add({ name, seconds: Number(seconds) });
    },
    end: () => results.end(),
  };
}

function junitReader(results: Results): LineReader {
  let open: TestResult | undefined;
  const finish = (): void => {
    if (open !== undefined) results.add(open);
    open = undefined;
  };
  return {
    kind: "tests",
    line(text) {
      for (const [, closing, tag = "", attributes = ""] of text.matchAll(JUNIT_TAG)) {
        if (tag !== "testcase") {
          const status = tag === "failure" ? "failed" : tag;
          if (open !== undefined && closing === "")
            open = { ...open, status, message: attribute(attributes, "message") ?? open.message };
          continue;
        }
        finish();
        if (closing !== "") continue;
        const [owner, name = "", time] = ["classname", "name", "time"].map((key) => attribute(attributes, key));
        open = {
          name: owner === undefined || owner === "" ? name : `${owner}.${name}`,
          status: "passed",
          seconds: time === undefined || time === "" ? undefined : Number(time.replaceAll(",", "")),
        };
        if (attributes.endsWith("/")) finish();
      }
    },
    end() {
      finish();
      results.end();
    },
  };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", "#10": "\n" };

function attribute(attributes: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1];
  return value?.replace(/&(\w+|#10);/g, (whole, entity: string) => ENTITIES[entity] ?? whole);
}

const GO_STATUS: Readonly<Record<string, string>> = { pass: "passed", fail: "failed", skip: "skipped" };

/** Reads the events of `go test -json`; undefined if the values are none. */
export function goTestReader(sample: readonly unknown[], sink: TableSink): ((event: unknown) => void) | undefined {
  const isEvent = (value: unknown): boolean =>
    isObject(value) && "Action" in value && "Package" in value && "Time" in value;
  if (!sample.some(isEvent)) return undefined;
  return (event) => {
    if (!isObject(event)) return;
    const { Action: action, Test: name, Package: owner, Elapsed: seconds } = event;
    const status = GO_STATUS[String(action)];
    if (status === undefined || typeof name !== "string") return;
    const fields: [string, SqlValue][] = [
      ["name", name],
      ["status", status],
      ["seconds", typeof seconds === "number" ? seconds : null],
      ["package", String(owner)],
    ];
    sink.table("rows").add(new Map(fields));
  };
}
