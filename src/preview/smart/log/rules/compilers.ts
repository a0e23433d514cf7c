import { ERROR, EXCEPTION, EXIT, FAIL, FATAL, LEVEL, LOCATION, MARK, NEGATION, WARN } from "../words.ts";
import type { Rule } from "./rule.ts";

const reason = "compiler error";

/** Compilers, linkers, linters and build tools. */
export const COMPILER_RULES: readonly Rule[] = [
  // gcc, clang, javac, swiftc, ghc, tsc --pretty, nim: place, then the word.
  {
    needs: ERROR | FATAL,
    pattern:
      /^[^\s:]{1,300}?(?::\[?\d+(?:[,:]\d+)?\]?|\(\d+(?:,\d+)?\))\s?:?\s{0,4}(?:-\s)?(?:fatal |internal |syntax |parse )?error\b/i,
    score: 98,
    reason,
  },
  // Maven and sbt write the place after their level.
  {
    needs: ERROR,
    pattern: /^\[(?:ERROR|error)\]\s+(?:\[Error\]\s)?\S{1,300}\.\w{1,8}:\[?\d+/,
    score: 98,
    reason,
  },
  // rustc, msbuild, tsc, dotnet, solidity: a code after the word.
  {
    needs: ERROR,
    pattern: /(?:^|[\s:)])error(?:\s+[A-Z]{1,6}\d{2,6}|\[[A-Z]{1,2}\d{3,5}\]|\s\(\d{1,5}\))\s*:?/i,
    score: 97,
    reason,
  },
  {
    needs: ERROR,
    pattern: /^error(?:\[\w+\])?: (?!aborting|could not compile|process|build failed|command|recipe|script)/,
    score: 94,
    reason,
  },
  { needs: LOCATION | NEGATION, pattern: /^e: \S/, score: 95, reason },
  { needs: ERROR, words: "cmake error", pattern: /^CMake Error\b/, score: 95, reason },
  {
    needs: ERROR | MARK,
    pattern: /^\s{1,8}\d{1,6}:\d{1,5}\s+(?:error|✖)\s/,
    score: 95,
    reason: "linter error",
  },
  {
    needs: LOCATION | WARN,
    pattern: /^\s{1,8}\d{1,6}:\d{1,5}\s+(?:warning|⚠)\s/,
    score: 24,
    reason: "linter warning",
  },
  {
    needs: NEGATION | EXIT | FATAL | ERROR | EXCEPTION | FAIL,
    words:
      "undefined reference to|unresolved external|ld returned 0|cannot find -l|duplicate symbol|symbol(s) not found|multiple definition of|undefined symbols|collect0: |linker command failed",
    pattern:
      /\bundefined reference to\b|\bunresolved external\b|\bld returned [1-9]|\bcannot find -l|\bduplicate symbols?\b|symbol\(s\) not found|multiple definition of|\bUndefined symbols\b|collect2: |linker command failed/,
    score: 92,
    reason: "linker error",
  },
  // A code with its severity under the line that it is about.
  {
    needs: LOCATION,
    words: "0 (error): |0 (warning): |0 (info): |0 (style): |0 (note): ",
    pattern: /(?:^|\s)[A-Z]{1,6}\d{2,6} \((?:error|warning|info|style|note)\): \S/,
    score: 70,
    reason: "linter message",
    following: "none",
    before: 2,
  },
  // A scanner's finding, and how grave it is.
  {
    needs: LEVEL,
    words: "severity",
    pattern:
      /^\s{0,8}(?:[*>•-]\s)?(?:Severity|SEVERITY|severity)\s{0,8}[:=]\s{0,8}["']?(?:high|critical|severe|blocker|error)\b/i,
    score: 84,
    reason: "grave finding",
    before: 2,
  },
  { needs: FAIL, words: "failed: ", pattern: /^FAILED: \S/, score: 90, reason: "build step failed" },
  {
    needs: EXIT,
    words: ": *** ",
    pattern: /^\s*(?:\S*\/)?g?n?make(?:\[\d+\])?: \*\*\* /,
    score: 72,
    reason: "make stopped",
    before: 8,
  },
  {
    needs: NEGATION | LOCATION,
    words: "no rule|not remade|nothing|no such",
    pattern: /^\s*(?:\S*\/)?g?n?make(?:\[\d+\])?: .*(?:No rule|not remade|Nothing|No such)/i,
    score: 70,
    reason: "make stopped",
  },
  // A place with a message and no level: go, erlang, older ghc, most linters.
  {
    needs: LOCATION,
    pattern:
      /^(?:\w:)?[\w./\\@+~-]{1,300}\.[a-zA-Z]\w{0,9}:\d+(?::\d+)?:\s*(?:[Ww]arning|WARNING|W\d+|note|info|style)\b/,
    score: 27,
    reason: "compiler warning",
  },
  {
    needs: LOCATION,
    pattern: /^\s{0,8}(?:\w:)?[\w./\\@+~-]{1,300}\.[a-zA-Z]\w{0,9}:\d+(?:(?::\d+)?:(?:\s+\S|\s*$)|:\d+(?:\s|$))/,
    score: 66,
    reason: "message at a source line",
  },
  {
    needs: LOCATION | NEGATION,
    words: "0, column 0|0, col 0|0 column 0|0 col 0",
    pattern: /\bat line \d+, column \d+|^\s{0,6}(?:at )?[Ll]ine \d+,? [Cc]ol(?:umn)? \d+/,
    score: 56,
    reason: "message at a source line",
  },
  {
    needs: ERROR | FAIL | NEGATION,
    words:
      "module not found|module build failed|module parse failed|error in |syntaxerror|parse error|compilation failed|compilation error|compile error|* what went wrong|could not compile",
    pattern:
      /^(?:Module (?:not found|build failed|parse failed)|ERROR in |SyntaxError|Parse error|Compilation (?:failed|error)|Compile error|\* What went wrong|COMPILATION ERROR|\[ERROR\] COMPILATION ERROR|Could not compile|error: could not compile)/i,
    score: 88,
    reason,
  },
  {
    needs: FAIL | ERROR,
    words: "> task |execution failed for task|failed to execute goal|build failed|build failure",
    pattern:
      /^(?:\[\w+\]\s+)?(?:> Task \S+ FAILED|Execution failed for task|Failed to execute goal|FAILURE: Build failed|Build FAILED|BUILD FAILED|BUILD FAILURE)/,
    score: 86,
    reason: "build failure",
  },
  {
    needs: LOCATION,
    words: ", characters",
    pattern: /^File ".{1,300}", lines? [\d-]{1,12}, characters/,
    score: 92,
    reason,
  },
  {
    needs: LOCATION,
    pattern: /^\w[\w.-]{1,23}: \S{1,300}:\d+:(?:\d+:)? \S/,
    score: 74,
    reason: "message at a source line",
  },
  {
    needs: LOCATION,
    words: " line 0",
    pattern: /\bat \S{1,300} line \d+[.,]|^In \S{1,300} line \d+:/,
    score: 68,
    reason: "message at a source line",
  },
  {
    needs: ERROR,
    words: ": line 0|syntax error",
    pattern: /: line \d+: .{0,200}(?:error|not found|unexpected)|\bsyntax error\b/i,
    score: 82,
    reason,
  },
  {
    needs: LOCATION,
    words: " char:0|+ categoryinfo",
    pattern: /^At (?:line:\d+|\S{1,300}:\d+) char:\d+|^\s{0,4}\+ CategoryInfo/,
    score: 60,
    reason: "message at a source line",
  },
  { needs: NEGATION | ERROR, pattern: /^! \S/, score: 84, reason },
  { needs: ERROR | WARN, words: "treated as error", pattern: /treated as errors?\b/, score: 84, reason, before: 6 },
  {
    needs: ERROR,
    words:
      "compilation error|compile error|build error|linker error|link error|parse error|type error|configuration error",
    pattern: /^\W{0,4}(?:Compilation|Compile|Build|Link(?:er)?|Parse|Type|Configuration) error\b/i,
    score: 86,
    reason,
  },
];
