import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../../src/artifacts/memory-store.ts";
import { createSpillway } from "../../../src/index.ts";
import { createAccumulator } from "../../../src/preview/accumulator.ts";
import { preview } from "../../../src/preview/preview.ts";
import { QUOTED, RUNNERS } from "./failing-runs.ts";

const FAILED_TESTS = [1, 6];
const QUOTED_LINES = [80, 900];
const PROMPT = `${"The store loses parts of an archive when two of them are opened for writing. ".repeat(20)}Find out why and mend it; run the tests first.`;

describe.each(Object.entries(RUNNERS))("a failing run of %s", (_, runner) => {
  it.each(Object.entries(QUOTED))("that quotes %s shows a failed test and the count", (__, quote) => {
    for (const tests of FAILED_TESTS) {
      for (const lines of QUOTED_LINES) {
        const run = runner(Array.from({ length: tests }, () => quote(lines)));
        for (const query of [undefined, "why does the test fail?", PROMPT]) {
          for (const maxBytes of [8000, 4096]) {
            const { text, shape } = preview(run.text, { strategy: "smart", maxBytes, ...(query && { query }) });
            const about = `${tests} tests, ${lines} lines, ${maxBytes} bytes, read as ${shape}, asked ${query?.slice(0, 20)}`;
            expect(
              run.failed.some((line) => text.includes(line)),
              `a failed test: ${about}`,
            ).toBe(true);
            expect(text, `the count: ${about}`).toContain(run.count);
          }
        }
      }
    }
  });
});

const escapeMarkup = (line: string): string =>
  line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** What runs the tests of others puts before each of their lines. */
const PREFIXES: Readonly<Record<string, (at: number) => string>> = {
  "Compose, with a number": () => "web_1  | ",
  "Compose, aligned": () => "app-1    | ",
  BuildKit: (at) => `#12 ${(3 + at * 0.013).toFixed(3)} `,
  "GitHub Actions": (at) => `2024-05-01T12:${String(10 + (at % 50))}:01.1234567Z `,
  "gh run view": (at) => `test (3.12)\tRun tests\t2024-05-01T12:${String(10 + (at % 50))}:01.1234567Z `,
  "a worker": () => "[worker 3] ",
  "a service in brackets": () => "[api] ",
  "a package of a monorepo": () => "@acme/store:test: ",
  "a folder of a monorepo": () => "packages/store test: ",
  syslog: (at) => `May 01 12:${String(10 + (at % 50))}:00 host ci[123]: `,
};
const prefixed = (lines: readonly string[], prefix: (at: number) => string): string =>
  lines.map((line, at) => prefix(at) + line).join("\n");

describe.each(Object.entries(PREFIXES))("a failing run behind the prefix of %s", (_, prefix) => {
  it.each(Object.entries(RUNNERS))("of %s shows a failed test and the count", (__, runner) => {
    for (const [quoted, quote] of Object.entries(QUOTED)) {
      const run = runner([quote(120), quote(60)]);
      const { text, shape } = preview(prefixed(run.text.split("\n"), prefix), { strategy: "smart", maxBytes: 4096 });
      const about = `quotes ${quoted}, read as ${shape}`;
      expect(
        run.failed.some((line) => text.includes(line)),
        `a failed test: ${about}`,
      ).toBe(true);
      expect(text, `the count: ${about}`).toContain(run.count);
    }
  });
});

describe("a page that is nothing but the log of a failing run", () => {
  it.each(Object.entries(RUNNERS))("of %s shows a failed test and the count", (_, runner) => {
    for (const [quoted, quote] of Object.entries(QUOTED)) {
      const run = runner([quote(120), quote(60)]);
      const page = `<!DOCTYPE html>\n<html><head><title>Build 12</title></head><body>\n<div class="nav"><a href="/">Home</a></div>\n<h1>Console output</h1>\n<pre class="console">${escapeMarkup(run.text)}</pre></body></html>\n`;
      const { text, shape } = preview(page, { strategy: "smart", maxBytes: 4096 });
      const about = `quotes ${quoted}, read as ${shape}`;
      const failed = run.failed.some((line) => text.includes(escapeMarkup(line)) || text.includes(line));
      expect(failed, `a failed test: ${about}`).toBe(true);
      expect(text, `the count: ${about}`).toContain(run.count);
    }
  });

  it("but an article that quotes a run is still a page", () => {
    const run = RUNNERS.pytest?.([QUOTED.prose?.(20) ?? []]);
    const paragraphs = Array.from(
      { length: 200 },
      (_, at) => `<p>The harbour of town ${at} was built in a dry year.</p>`,
    );
    const page = `<html><body><article>${paragraphs.join("\n")}<pre>${run?.text}</pre></article></body></html>`;
    expect(preview(page, { strategy: "smart", maxBytes: 4096 }).shape).toBe("html");
  });
});

/** A program of tests that only know the end of a command as its result, after text of one shape. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  "an exception of Python": [
    "Traceback (most recent call last):",
    '  File "/app/report.py", line 41, in <module>',
    "    print(rows[index])",
    "IndexError: list index out of range",
  ],
  "a panic of Rust": [
    "thread 'main' panicked at src/main.rs:12:9:",
    "index out of bounds: the len is 3 but the index is 7",
  ],
  "a refused connection": [
    'psql: error: connection to server at "db" (10.0.0.7), port 5432 failed: Connection refused',
  ],
};
const UNLIKE_LOGS = ["functions of Python", "prose", "a table", "columns of numbers", "settings", "paths"];

describe("a command that failed after it printed text of another shape", () => {
  for (const [what, end] of Object.entries(ENDS)) {
    it.each(UNLIKE_LOGS)(`shows ${what} after %s`, async (quoted) => {
      const text = [...(QUOTED[quoted]?.(1500) ?? []), ...end].join("\n");
      const outcome = { kind: "failure", message: "the command ended with exit code 1", exitCode: 1 } as const;
      for (const maxBytes of [8000, 4096]) {
        const spillway = createSpillway({ maxBytes, store: createMemoryStore(), env: {}, config: false });
        const governed = await spillway.govern(text, { tool: "shell", outcome });
        expect(governed.kind === "bounded" && governed.preview.text).toContain(end.at(-1));
      }
    });
  }

  it.each(["a diff", "hits of a search", "JSON"])(
    "keeps the shape of %s, whose programs answer by exit code",
    (quoted) => {
      const text = (QUOTED[quoted]?.(1500) ?? []).join("\n");
      const options = { strategy: "smart", maxBytes: 8000 } as const;
      expect(preview(text, { ...options, failed: true }).text).toBe(preview(text, options).text);
    },
  );
});

describe("a failing run in a long output", () => {
  it.each(["functions of Python", "prose", "settings", "a table"])(
    "is found anywhere between %s, in any chunks",
    (quoted) => {
      const filler = QUOTED[quoted]?.(20_000) ?? [];
      for (const place of [0.02, 0.5, 0.97]) {
        const at = Math.floor(place * filler.length);
        const run = [
          "=== FAILURES ===",
          "FAILED tests/test_store.py::test_part - KeyError: 7",
          "=== 1 failed, 3 passed in 0.41s ===",
        ];
        const bytes = new TextEncoder().encode([...filler.slice(0, at), ...run, ...filler.slice(at)].join("\n"));
        const limits = { maxLines: 2000, maxBytes: 8000, maxChars: Infinity, maxTokens: Infinity };
        const texts = [bytes.length, 65_536, 7919, 511].map((step) => {
          const accumulator = createAccumulator({ limits, strategy: "smart" });
          for (let from = 0; from < bytes.length; from += step) accumulator.write(bytes.subarray(from, from + step));
          return accumulator.finish().text;
        });
        expect(new Set(texts).size).toBe(1);
        expect(texts[0]).toContain(run[1]);
        expect(texts[0]).toContain(run[2]);
      }
    },
  );
});

describe("what only speaks of failing tests keeps its shape", () => {
  const chapter = QUOTED["prose with headings"]?.(300) ?? [];
  it.each([
    [
      "a manual that quotes a run",
      [...chapter, "```text", "FAILED tests/x.py::test_y - E", "=== 1 failed in 0.10s ===", "```", ...chapter],
      "prose",
    ],
    [
      "a manual with numbered steps",
      [...chapter, ...["1) open it", "", "2) read it", "", "3) close it", ""], ...chapter],
      "prose",
    ],
    [
      "source with such words in strings",
      [...(QUOTED["functions of Python"]?.(300) ?? []), 'FAILED = "FAILED tests/x.py::test_y"', "ERROR = 'error'"],
      "code",
    ],
  ] as const)("%s", (_, lines, shape) => {
    expect(preview(lines.join("\n"), { strategy: "smart", maxBytes: 4096 }).shape).toBe(shape);
  });
});

describe("logs of failing runs that agents met", () => {
  // A folder of such logs, which are not part of the project; without it this is skipped.
  const folder = process.env.SPILLWAY_TEST_LOGS ?? "";
  it.skipIf(folder === "")("show a failed test and nearly always the count", () => {
    for (const maxBytes of [8000, 4096]) {
      let counts = 0;
      const names = readdirSync(folder);
      for (const name of names) {
        const log = readFileSync(path.join(folder, name), "utf8");
        const shown = preview(log, { strategy: "smart", maxBytes }).text;
        expect(shown, name).toMatch(/^(?:FAILED .*::|ERROR .*::|FAIL: |ERROR: )/m);
        if (/\b[1-9]\d* (?:failed|errors?)\b.* in [\d.]+|^FAILED \(.*(?:failures|errors)=/m.test(shown)) counts++;
      }
      expect(counts / names.length).toBeGreaterThanOrEqual(0.95);
    }
  });
});
