import { describe, expect, it } from "vitest";
import { createJsonAnalyzer } from "../../../../src/preview/smart/json/create-json-analyzer.ts";
import { expectLaws, roomOf, select } from "../shape-laws.ts";

const preview = (value: unknown, chars: number, query = ""): string =>
  select(createJsonAnalyzer, JSON.stringify(value), roomOf(chars), query).text;
const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const prose = "An error in the parser may be critical when a crafted file fails to load. ".repeat(5);

describe("items of JSON", () => {
  it("are shown with what names them, the gravest class first, however long their prose", () => {
    const findings = many(300, (n) => ({
      Description: prose,
      Status: "fixed",
      Severity: n % 60 === 31 ? "CRITICAL" : n % 2 === 0 ? "HIGH" : "LOW",
      VulnerabilityID: `CVE-2024-${1000 + n}`,
      References: many(6, (link) => `https://example.com/${n}/${link}`),
    }));
    const text = preview({ Results: [{ Target: "image", Vulnerabilities: findings }] }, 2500);
    for (const n of [31, 91, 151, 211, 271]) expect(text).toContain(`"CVE-2024-${1000 + n}"`);
    expect(text).toContain('"Target":"image"');
  });

  it("of a stream of events show the words that say what went wrong", () => {
    const line = (Action: string, Test: string, Output?: string): string =>
      JSON.stringify({ Action, Package: "example.com/shop/cart", Test, Output });
    const events = many(400, (n) => line("output", `TestMissing${n % 90}`, "--- going on\n"));
    events[123] = line("output", "TestMissing7", "panic: cart is sealed [recovered]\n");
    events[300] = line("fail", "TestMissing8");
    const { text } = select(createJsonAnalyzer, events.join("\n"), roomOf(4000), "");
    expect(text).toContain("panic: cart is sealed [recovered]");
    expect(text).toMatch(/"Action":"fail".*"TestMissing8"|"TestMissing8".*"Action":"fail"/);
  });

  it("matter where the list is one of errors or warnings, whatever they say", () => {
    const assets = many(30, (n) => ({ name: `pear${n}.css`, size: n }));
    const modules = many(120, (n) => ({
      identifier: `/orchard/pear${n}.js`,
      kind: n % 50 === 7 ? "rare" : "usual",
      size: n,
      cached: false,
      issuer: { name: `pear ${n}`, path: `/orchard/${n}` },
    }));
    const warnings = [{ place: "./basket", note: "plum is not exported" }];
    const errors = [{ place: "./tree", note: "no quince" }];
    const text = preview({ hash: "b28", version: "5.1", assets, modules, warnings, errors }, 500);
    expect(text).toContain("plum is not exported");
    expect(text).toContain("no quince");
  });

  it("name the file before the line", () => {
    const results = many(1000, (n) => {
      const line = n === 525 ? 20 : n % 12;
      const region = { endColumn: n % 7, endLine: line, startColumn: n % 5, startLine: line };
      const uri = `file:///orchard/pear${n % 50}.py`;
      return {
        level: "error",
        locations: [{ physicalLocation: { artifactLocation: { uri }, region } }],
        message: { text: n === 525 ? "evaluates what it reads" : `too long ${n % 18}` },
        ruleId: n === 525 ? "S307" : `E${n % 18}`,
      };
    });
    expect(preview({ runs: [{ results }] }, 1200)).toContain("pear25.py");
  });

  it("take the severity nearest to their surface, not one of their parts", () => {
    const findings = many(200, (n) => ({
      id: `F-${n}`,
      severity: n === 140 ? "critical" : "low",
      sources: [{ name: "vendor", severity: n === 140 ? "low" : "critical" }],
    }));
    const text = preview(findings, 900);
    expect(text).toContain('"F-140"');
    expect(text.indexOf('"severity":"critical"')).toBeGreaterThan(0);
  });

  it("say nothing grave once a status clears them", () => {
    const checks = many(200, (n) => ({ check: `C-${n}`, severity: "critical", status: n === 77 ? "FAIL" : "PASS" }));
    expect(preview(checks, 600)).toContain('"C-77"');
  });

  for (const [name, grade] of [
    ["numbers", (n: number) => (n === 120 ? 2 : 1)],
    ["numbers in strings", (n: number) => (n === 120 ? "9.8" : "3.1")],
    ["nested labels", (n: number) => ({ Label: n === 120 ? "CRITICAL" : "MEDIUM" })],
  ] as const) {
    it(`are graded by ${name}`, () => {
      expect(
        preview(
          many(200, (n) => ({ ruleName: `rule-${n}`, severity: grade(n) })),
          700,
        ),
      ).toContain('"rule-120"');
    });
  }

  it("of an audit are the failed ones, whose score is 0 of 1", () => {
    const audits = Object.fromEntries(
      many(120, (n) => [
        `audit-${n}`,
        {
          title: n % 30 === 7 ? `Does not do thing ${n}` : `Does thing ${n}`,
          description: prose,
          score: n % 30 === 7 ? 0 : n % 4 === 0 ? null : 1,
          details: { items: many(4, (part) => ({ url: `https://example.com/${n}/${part}`, size: 100 * part })) },
        },
      ]),
    );
    const text = preview({ version: "5.0.0", audits }, 2500);
    for (const n of [7, 37, 67, 97]) expect(text).toContain(`"Does not do thing ${n}"`);
  });

  it("with scores beyond 1 are the graver the higher these are", () => {
    const findings = many(200, (n) => ({ id: `CVE-2024-${1000 + n}`, score: n === 150 ? 9.8 : n % 9 === 1 ? 0 : 4.2 }));
    expect(preview({ findings }, 1200)).toContain('"CVE-2024-1150"');
  });

  it("may be the members of a map", () => {
    const packages = Object.fromEntries(
      many(300, (n) => [`pkg-${n}`, { via: [`pkg-${n + 1}`], severity: n === 222 ? "high" : "low", fix: true }]),
    );
    const text = preview({ version: 2, packages }, 900);
    expect(text).toMatch(/"pkg-222":\{[^}]*"severity":"high"/);
    expect(text).toMatch(/… \d+ more keys …/);
  });

  it("stand out by a rare value, a rare key or a list that is not empty, where nothing grades them", () => {
    const plain = (n: number) => ({ name: `n-${n}`, verified: n === 81, found: n === 133 ? [{ id: "ID-7" }] : [] });
    const text = preview(
      many(200, (n) => ({ ...plain(n), ...(n === 164 ? { deprecated: "use another" } : {}) })),
      900,
    );
    for (const shown of ['"n-81"', '"n-133"', '"ID-7"', '"n-164"', '"use another"']) expect(text).toContain(shown);
  });

  it("of a test report are the failed ones, with their messages and whose they are", () => {
    const testResults = many(30, (file) => ({
      name: `src/part-${file}.test.ts`,
      assertionResults: many(10, (n) => {
        const failed = file === 17 && n === 4;
        const failureMessages = failed ? ["Error: expected 3 to be 4"] : [];
        return { title: `case ${n}`, status: failed ? "failed" : "passed", failureMessages };
      }),
    }));
    const text = preview({ success: false, testResults }, 1200);
    expect(text).toMatch(/"src\/part-17\.test\.ts"[\s\S]*"case 4"[\s\S]*expected 3 to be 4/);
  });

  it("come one of each kind before a second of any, in whichever list they stand", () => {
    const files = many(40, (file) => ({
      filePath: `src/part-${file}.js`,
      messages: many(12, (n) => ({
        ruleId: file === 33 && n === 5 ? "no-sparse-arrays" : file % 9 === 4 && n === 2 ? "no-eval" : "no-unused-vars",
        severity: 2,
        message: `'value${file}_${n}' is not as it should be`,
      })),
    }));
    const text = preview(files, 1500);
    for (const rule of ["no-sparse-arrays", "no-eval", "no-unused-vars"]) expect(text).toContain(rule);
  });

  it("stay when what stands before them in their object is heavy", () => {
    const heavy = many(20, (suite) => ({
      suite,
      cases: many(400, (n) => ({ title: `case ${n}`, took: n, ok: true })),
    }));
    const settings = Object.fromEntries(many(14, (n) => [`setting${n}`, n]));
    const text = preview(
      { ...settings, passing: heavy, broken: [{ title: "loses the lease", status: "failed" }] },
      2000,
    );
    expect(text).toContain("loses the lease");
    expect(text).toContain('"passing":[');
  });

  it("keep their own members when a list around them is thinned", () => {
    const list = many(900, (n) => ({ rule: `Rule/Number${n}`, text: `what ${n} says `.repeat(40), at: { line: n } }));
    const text = preview(
      many(8, () => ({ list })),
      3000,
      "where does Rule/Number713 occur?",
    );
    expect(text).toMatch(/"Rule\/Number713"[\s\S]{0,200}what 713 says/);
  });

  it("are not grave for a word in a path or in the name of a package", () => {
    const modules = many(120, (n) => ({
      source: n % 7 === 0 ? `lib/exception/error-${n}.js` : `lib/part-${n}.js`,
      couldNotResolve: n === 88,
    }));
    const licenses = Object.fromEntries(
      many(90, (n) => [`${n % 5 === 0 ? "errors" : "part"}-${n}@1.0.${n}`, { path: "x" }]),
    );
    const text = preview({ modules, licenses }, 1200);
    expect(text).toContain("lib/part-88.js");
    expect(text.match(/exception/g)?.length ?? 0).toBeLessThan(4);
  });

  it("may be members that a question names, however deep", () => {
    const time = Object.fromEntries(many(300, (n) => [`5.${n}.0`, `2024-01-${10 + (n % 20)}T08:00:00.${n}Z`]));
    const document = { name: "tool", dist: { tags: many(50, (n) => `5.${n}.0`) }, time };
    expect(preview(document, 1500, "When was version 5.217.0 published?")).toContain(
      '"5.217.0":"2024-01-27T08:00:00.217Z"',
    );
  });

  it("of a map may be named by their key in a question", () => {
    const schemas = Object.fromEntries(many(200, (n) => [`part_${n}_info`, { type: "object", size: n }]));
    expect(preview({ schemas }, 900, "what is the size of part_143_info?")).toMatch(
      /"part_143_info":\{[^}]*"size":143/,
    );
  });

  it("that are numbers stand in rows, with exact counts between", () => {
    const { text } = expectLaws(createJsonAnalyzer, JSON.stringify(many(5000, (n) => n)), roomOf(2000));
    expect(text.split("\n").length).toBeLessThan(8);
    const left = [...text.matchAll(/… ([\d,]+) (?:more )?items?: [\d-]+ …/g)].map((match) =>
      Number(match[1]?.replace(",", "")),
    );
    const shown =
      text
        .slice(text.indexOf("\n"))
        .replace(/…[^…]*…/g, "")
        .match(/\d+/g) ?? [];
    expect(left.reduce((sum, count) => sum + count, shown.length)).toBe(5000);
  });

  it("are ranked by the question as strongly late as early", () => {
    const rows = many(4000, (n) => ({ id: n, text: n % 2 === 0 ? "about the scheduler" : "about nothing" }));
    const odd = rows.map((row) => (row.id === 3901 ? { ...row, text: "the scheduler lost its lease" } : row));
    expect(preview(odd, 1500, "why was the scheduler lease lost?")).toContain("lost its lease");
  });

  it("leave room for what a report says beside its lists", () => {
    const cause = (n: number) => (n % 3 === 0 ? { kind: "error", text: `failed ${n}` } : {});
    const test = (n: number) => ({
      title: `gives ${n} to who asks`,
      file: `unit/part-${n % 9}.spec.js`,
      cause: cause(n),
    });
    const report = { stats: { suites: 590, tests: 500, ms: 5965 }, tests: many(500, test), pending: [], failures: [] };
    const text = preview({ ...report, passes: many(400, test) }, 1500);
    expect(text).toContain('"stats":{ "suites":590, "tests":500, "ms":5965 }');
  });

  it("whose status is that of a request that failed come before others", () => {
    const entries = many(200, (n) => ({
      request: { url: `/asset/${n}`, note: n % 2 === 0 ? "an error is shown on this page" : "shows a page" },
      response: { status: n % 9 === 7 ? 404 : 200 },
    }));
    const shown = preview({ log: { entries } }, 1500).match(/"status":\d+/g) ?? [];
    expect(shown.length).toBeGreaterThan(5);
    expect(new Set(shown)).toEqual(new Set(['"status":404']));
  });

  it("may be the members of a wide object, however little these have in common", () => {
    const objects = many(180, (n) => [
      `thing_${n}`,
      Object.fromEntries(many(6, (m) => [`part${(n * 7 + m) % 90}`, { size: n }])),
    ]);
    const resources = {
      ...Object.fromEntries(objects),
      refund: { id: "re_1", amount: 100, state: "succeeded", reason: null },
    };
    expect(preview({ resources }, 1500, "what is the state of the refund?")).toMatch(
      /"refund":\{[^}]*"state":"succeeded"/,
    );
  });

  it("begin with the first where they are all of the document, however grave others are", () => {
    const words = many(120, (n) => String.fromCharCode(97 + (n % 26)).repeat(3 + n / 26));
    const incidents = words.map((word, n) => ({
      id: 900 - n,
      title: `About ${word}`,
      state: n % 2 === 1 ? "failed" : "ok",
    }));
    expect(preview(incidents, 1200)).toContain('"title":"About aaa"');
  });
});
