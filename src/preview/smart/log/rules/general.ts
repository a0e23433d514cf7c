import { DIFF, ERROR, EXCEPTION, FAIL, FATAL, NEGATION, WARN } from "../words.ts";
import type { Rule } from "./rule.ts";

/** Words that tell of trouble in any language and tool; part of an identifier, a path or a flag they do not count. */
export const GENERAL_RULES: readonly Rule[] = [
  {
    needs: ERROR,
    pattern: /^\W{0,4}(?:[\w.-]{1,24}: )?(?:fatal |internal |unexpected |syntax )?errors?\b\s?:/i,
    score: 86,
    reason: "error",
  },
  { needs: ERROR, pattern: /(?<![\w./\\-])(?:errors?|ERR!?)(?:: |\s-\s)/i, score: 66, reason: "error" },
  {
    needs: ERROR,
    pattern: /(?<![\w./\\-]|\b0 |[Nn]o |without |\bsin |ning[uú]n )(?:errors?|ERR)(?![\w./\\(=-])/i,
    score: 46,
    reason: "error",
  },
  {
    needs: FATAL,
    pattern: /^\W{0,4}(?:[\w.-]{1,24}: )?(?:fatal|panic|critical)\b\s?:/i,
    score: 88,
    reason: "fatal error",
  },
  {
    needs: FATAL,
    pattern:
      /(?<![\w./\\-])(?:fatal|panic|aborted|aborting|abort|killed|critical|severe|corrupt(?:ed)?)(?![\w./\\(=-])/i,
    score: 58,
    reason: "fatal error",
  },
  {
    needs: FAIL,
    pattern: /(?<![\w./\\-])[Ff]ailed (?:to|with|on|because|in)\b|(?:failed|failure|FAILED|FAILURE)(?:!|:|\.?\s*$)/,
    score: 64,
    reason: "failure",
  },
  {
    needs: FAIL,
    pattern: /(?<![\w./\\-]|\b0 |[Nn]o )(?:[Ff]ail(?:ed|ure|ures|s|ing)?|FAIL(?:ED|URE)?|unsuccessful)(?![\w./\\(=-])/,
    score: 50,
    reason: "failure",
  },
  {
    needs: FAIL,
    pattern: /(?<![\w./\\-])(?:CONFLICT|conflicts?|rejected|broken)(?![\w./\\(=-])/,
    score: 46,
    reason: "failure",
  },
  {
    needs: EXCEPTION,
    pattern: /(?<![\w/\\-])(?:exception|Exception|EXCEPTION|backtrace|stack trace|crash(?:ed)?)(?![\w/\\(=-])/,
    score: 48,
    reason: "exception",
  },
  {
    needs: NEGATION,
    words:
      "no such file|command not found|could not |could n't |couldnot |couldn't |can not |cannot |can't |unable to|permission denied|connection refused|connection reset|timed out|timedout|time out|timeout|not currently installed|not installed|not recognized|does not exist|doesn't exist|formatted|gofmt|sorted|up to date|up to-date|up-to date|up-to-date|out of date|out of-date|out-of date|out-of-date|not satisf|not met|not expected|not match|n't satisf|n't met|n't expected|n't match|exceeded by|style issues|trailing whitespace|is below|are below|falls below|fall below|not in scope|never defined|is not defined|no matching|nothing provides",
    pattern:
      /No such file|command not found|[Cc]ould ?n[o']t (?:find|resolve|load|open|connect|read|write|transfer|determine|create)|[Cc](?:an ?no|an')t (?:find|resolve|load|open|connect|access|locate|import|read)|[Uu]nable to|[Pp]ermission denied|[Cc]onnection (?:refused|reset|timed out)|timed? ?out\b|not (?:currently )?installed|not recognized|does(?: not|n't) exist|(?:not|n't)(?: properly| correctly)? (?:formatted|gofmt|sorted|up[ -]to[ -]date)|out[ -]of[ -]date|(?:not|n't) (?:satisf|met\b|expected\b|match)|exceeded by|style issues|trailing whitespace|(?:is|are|falls?) below|[Nn]ot in scope|never defined|is not defined|No matching|nothing provides/,
    score: 60,
    reason: "something missing or refused",
  },
  {
    needs: NEGATION,
    words:
      "not found|cannot|can't|could not|denied|refused|undefined|undeclared|unresolved|missing|invalid|unknown|unexpected|mismatch|violat|unsupported|not supported|not allowed|incompatible|is required|must be|illegal|incorrect|unsatisf|unmet|is not|isn't|does not|did not|has no|have no|deny|denies",
    pattern:
      /(?<![\w./\\-])(?:not found|cannot|can't|could not|denied|refused|undefined|undeclared|unresolved|missing|invalid|unknown|unexpected|mismatch|violat\w+|unsupported|not supported|not allowed|incompatible|is required|must be|illegal|incorrect|unsatisf\w+|unmet|incorrectly|is not|isn't|does not|did not|has no|have no|den(?:y|ies))(?![\w/\\(=-])/i,
    score: 38,
    reason: "something missing or refused",
  },
  {
    needs: DIFF,
    words: "diff --git |--- |index: ",
    pattern: /^diff --git |^--- (?:a\/|[Ee]xpected)|^--- [^\s:]{2,300}(?:\s+\d{4}-\d\d-.{0,40})?\s*$|^Index: \S/,
    score: 52,
    reason: "difference",
  },
  {
    needs: DIFF,
    words: "would be reformat|would reformat|non-matching|diff in ",
    pattern: /would (?:be )?reformat|^Non-matching|^Diff in \S/i,
    score: 70,
    reason: "difference",
  },
  {
    needs: WARN,
    pattern: /(?<![\w./\\-])(?:warnings?|deprecat\w+)(?![\w./\\(=-])/i,
    score: 16,
    reason: "warning",
    following: "none",
    before: 0,
  },
  {
    needs: ERROR | FATAL,
    pattern: /^[\w.-]{1,24}: (?:fatal: )?(?:[Ee]rror|ERROR|fatal)\b/,
    score: 82,
    reason: "error",
  },
  {
    needs: ERROR,
    words: "an error occurred|an error has occurred|an error was encountered",
    pattern: /\b[Aa]n error (?:occurred|has occurred|was encountered)/,
    score: 76,
    reason: "error",
  },
  {
    needs: NEGATION,
    words: "the following ",
    pattern:
      /^\W{0,4}[Tt]he following .{3,120}\b(?:not|n't|no|fail\w*|missing|differ\w*|unformatted|unused|unmet|broken|invalid|needs?|should|must)\b.{0,80}:\s*$/,
    score: 78,
    reason: "list of failures",
    following: "list",
  },
];
