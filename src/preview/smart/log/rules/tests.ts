import {
  ASSERT,
  ENUMERATION,
  ERROR,
  EXCEPTION,
  FAIL,
  LETTER_STATUS,
  LEVEL,
  LOCATION,
  MARK,
  NEGATION,
  SUMMARY,
} from "../words.ts";
import type { Rule } from "./rule.ts";

const reason = "failed test";

/** Test runners: the failing test, its assertion, the totals. */
export const TEST_RULES: readonly Rule[] = [
  {
    needs: FAIL | ERROR,
    pattern: /^\s{0,4}(?:FAIL|FAILED|ERROR|XPASS)(?::\s+|\s+)(?!\()\S*(?:test|spec|Test|Spec|::|\()\S*/,
    score: 96,
    reason,
  },
  { needs: FAIL, pattern: /^\s{0,8}(?:FAIL|FAILED)\b(?::?\s+)(?!\(|to\b|with\b)\S/, score: 93, reason },
  { needs: FAIL | ERROR, words: "<<< failure!|<<< error!", pattern: /<<< (?:FAILURE|ERROR)!/, score: 96, reason },
  { needs: FAIL, words: "--- fail:", pattern: /^\s*--- FAIL:/, score: 96, reason },
  {
    needs: FAIL | ERROR,
    pattern: /(?:\.\.\.|:)\s{0,40}(?:FAIL|ERROR|FAILED|failed|not ok|\*+Failed|\*\*\*Exception)\b[^a-z]{0,40}$/,
    score: 92,
    reason,
  },
  {
    needs: FAIL | ERROR,
    pattern:
      /\S\s+(?:FAILED|FAIL|ERRORED|ERROR)!?(?:\s*[([].{0,60}[)\]]|\s+in [\d.]+\s?m?s|\s+\d+(?:\.\d+)?\s?m?s)?\s*$/,
    score: 88,
    reason,
  },
  {
    needs: FAIL | ERROR,
    pattern: /\[\s{0,4}(?:FAILED|FAIL|failed|(?<=\S\s*\[\s{0,4})ERROR)\s{0,4}\]/,
    score: 88,
    reason,
  },
  // Surefire's list of failures.
  {
    needs: ERROR,
    pattern: /^\[ERROR\]\s{2,}\S{1,300}(?::\d+ \S|\s»\s|:\d+->\S)/,
    score: 90,
    reason,
    before: 0,
  },
  { needs: MARK | FAIL, pattern: /^\s*not ok\b(?!.*# (?:TODO|SKIP|todo|skip))/, score: 92, reason },
  { needs: MARK, pattern: /^\s{0,40}(?:[✗✖✘✕⨯❌×]|\[[-xX✗✖✘]\]|\(\d+\/\d+\)\s.{0,20}\(X\))\s+\S/, score: 90, reason },
  { needs: MARK, pattern: /^\s{0,6}● \S/, score: 90, reason },
  { needs: LETTER_STATUS, pattern: /^\s{0,8}\S*test\S*\s+[EF]$/, score: 93, reason, following: "none", before: 0 },
  { needs: MARK, pattern: /^_{3,}\s?.{1,200}?\s?_{3,}$/, score: 72, reason: "test section", before: 0 },
  {
    needs: ENUMERATION,
    pattern: /^\s{0,12}\d{1,4}\)\s+(?:Error|Failure|test\b|\S+(?:::|#|Test|Spec))/,
    score: 88,
    reason,
  },
  { needs: ENUMERATION, pattern: /^\s{0,12}\d{1,4}\)\s+\S/, score: 70, reason: "numbered failure" },
  { needs: LOCATION, words: "rspec ", pattern: /^rspec \.?\/?\S+:\d+/, score: 84, reason },
  {
    needs: FAIL | ERROR | SUMMARY | NEGATION,
    words:
      "failure|error|failed test|failed example|failing tests|there was 0|there were 0|unsuccessful tests|the following tests failed|issues|problems|violations|offenses|findings",
    pattern:
      /^(?:\[(?:ERROR|error)\]\s)?\W{0,6}(?:Failures?|Errors?|Failed (?:tests?|examples?)|Tests in error|Failing tests|failures|There (?:was|were) \d+ (?:failure|error)s?|Unsuccessful tests|Summary of all failing tests|Failed Tests|Tests with errors|The following tests FAILED|Issues|Problems|Violations|Offenses|Findings)\b.{0,24}(?:[:(]|\d)\s*$/,
    score: 80,
    reason: "list of failures",
    before: 0,
  },
  {
    needs: ASSERT | FAIL,
    pattern: /\b[Aa]ssert\w*\b.{0,200}\bfail(?:ed|ure)\b|XCTAssert\w* failed|^Assertion\b/,
    score: 86,
    reason: "assertion",
  },
  {
    needs: ASSERT | FAIL,
    words: "failed asserting|expected |expected: |expecting",
    pattern: /^\s*(?:Failed asserting|Expected .{1,200}(?:to|but|got)|expected: |Expecting\b)/,
    score: 66,
    reason: "assertion",
  },
  {
    needs: ASSERT | ERROR | EXCEPTION | FAIL,
    pattern: /^E\s{2,12}\S/,
    score: 72,
    reason: "assertion",
    following: "none",
  },
  {
    needs: SUMMARY | FAIL | ERROR,
    pattern:
      /(?:^|[^\w.])[1-9]\d*\s+(?:\w+\s+)?(?:failed|failures?|failing|errored|errors?\b(?!.{0,3}lines)|tests? failed)\b/i,
    score: 76,
    reason: "summary",
    following: "none",
    before: 2,
  },
  {
    needs: SUMMARY | FAIL | ERROR | LEVEL,
    pattern: /\b(?:failures|errors|failed|fail|failing)\s*[=:]\s*[1-9]/i,
    score: 78,
    reason: "summary",
    following: "none",
    before: 2,
  },
  {
    needs: SUMMARY | FAIL,
    words: "failed (|failures!|test suites:|test suite:|result: fail|tests failed",
    pattern:
      /^\W{0,4}(?:FAILED \(|FAILURES!|Test Suites?:|test result: FAILED|Result: FAIL|Some tests failed|Tests failed)/i,
    score: 76,
    reason: "summary",
  },
  {
    needs: SUMMARY,
    pattern:
      /^\W{0,12}(?:\d+ (?:passed|passing|tests?|examples?|specs)\b|Ran \d+ tests?|Tests run:|Tests: |test result:|OK \(|Test Files|Tests\s+\d)/,
    score: 34,
    reason: "summary",
    following: "none",
    before: 0,
  },
  { needs: FAIL, words: "failed ", pattern: /^\s{1,4}Failed \S{1,300} \[[\d<]/, score: 94, reason },
  // A case of a report in XML that says so itself.
  {
    needs: FAIL | ERROR,
    words: 'result="fail|result="error|outcome="fail|outcome="error|status="fail|status="error',
    pattern:
      /<(?:test-?case|test|UnitTestResult|test-method)\s[^>]{0,600}?\b(?:result|outcome|status)="(?:[Ff]ail|[Ee]rror)/,
    score: 96,
    reason,
    before: 0,
  },
  { needs: FAIL, words: "failed test", pattern: /^\s{0,8}#\s+Failed test/, score: 92, reason },
  {
    needs: FAIL,
    words: "* failed|* exception|* timeout|* not run|*failed|*exception|*timeout|*not run",
    pattern: /\*{3} ?(?:FAILED|Failed|Exception|Timeout|Not Run)\b/,
    score: 92,
    reason,
  },
  {
    needs: FAIL | ERROR | LEVEL,
    pattern: /^(?:──|--|══|[─━═]{2,4})\s.{0,8}\b(?:Failure|Error)\b/,
    score: 92,
    reason,
  },
  {
    needs: FAIL,
    words: "test case |test failed|test errored|failure/error:|failure in: ",
    pattern: /^Test [Cc]ase .{1,300} failed\b|^Test (?:Failed|errored)\b|^Failure\/Error:|^\W{0,4}Failure in: /,
    score: 90,
    reason,
  },
  { needs: FAIL, words: "failure/error:", pattern: /^\s{0,8}Failure\/Error:/, score: 90, reason },
  { needs: FAIL, words: "failed example:", pattern: /^Failed example:/, score: 90, reason, before: 2 },
  {
    needs: FAIL,
    words: " failed",
    pattern: /^\W{0,4}(?:TEST|BUILD|ARCHIVE|COMPILE|INSTALL|DEPLOY)\w* FAILED\b/,
    score: 84,
    reason: "verdict",
    before: 8,
  },
  {
    needs: FAIL,
    words: "failed 0|looks like you failed",
    pattern: /\bFailed \d+\/\d+ (?:sub)?tests|Looks like you failed/,
    score: 84,
    reason: "summary",
  },
  {
    needs: LOCATION,
    words: "0]:",
    pattern: /^\s{0,8}\S{1,300}[#.]\S{1,200} \[\S{1,300}:\d+\]:\s*$/,
    score: 90,
    reason,
  },
  {
    needs: ASSERT,
    pattern: /^\s{0,8}Minitest::Assertion:|^>\s{3,}\S|^\s{0,8}expect\(/,
    score: 64,
    reason: "assertion",
  },
  { needs: MARK, words: "[e]", pattern: /\s\[E\]$/, score: 90, reason },
  {
    needs: SUMMARY | NEGATION,
    pattern: /\b[1-9]\d* (?:offenses?|problems?|violations?|issues?|vulnerabilit\w+|findings?)\b/,
    score: 70,
    reason: "summary",
    following: "none",
    before: 4,
  },
  {
    needs: ERROR | FAIL | SUMMARY,
    words: "errors:|failures:|problems:",
    pattern: /^.{0,60}\b(?:errors|failures|problems):\s*$/i,
    score: 74,
    reason: "list of failures",
    following: "list",
    before: 0,
  },
];
