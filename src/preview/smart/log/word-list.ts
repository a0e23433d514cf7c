import { troubleSpellings } from "./languages/word-pattern.ts";
import type { Word } from "./word-automaton.ts";
import {
  ASSERT,
  COLOR,
  COMMAND,
  DIFF,
  ENUMERATION,
  ERROR,
  EXCEPTION,
  EXIT,
  FAIL,
  FATAL,
  KERNEL,
  LANGUAGE,
  LEVEL,
  LOCATION,
  MARK,
  NEGATION,
  STEP,
  SUMMARY,
  WARN,
} from "./words.ts";

const WORDS: readonly (readonly [bits: number, words: string])[] = [
  [ERROR, "error|err!|\nerr "],
  [FAIL, "fail|unsuccessful|broken|rejected|conflict|not ok"],
  [
    EXCEPTION,
    "exception|traceback|caused by|** (|uncaught|unhandled|backtrace|stacktrace|stack trace|panicked|badmatch|'exit'|{badarg|function_clause|case_clause|{undef,|crash",
  ],
  [
    FATAL,
    "fatal|panic|segmentation|segfault|sigsegv|sigabrt|core dumped|dumped core|abort|terminate called|killed|out of memory|outofmemory|oom-|critical|severe|emerg|stack overflow|stackoverflow|deadlock|insufficient memory|bus error|illegal instruction|double free|corrupt|no space left|sanitizer|runtime error|data race|race detected",
  ],
  [WARN, "warn|deprecat"],
  [
    NEGATION,
    "\n< http/0|http/0.0\" 000|not found|no such|curl: (|wget: |not be resolved|could not find|exceeded|no output has|\n! |cannot|can't|can not|could not|couldn't|couldn’t|can’t|unable|denied|refused|timeout|timed out|time out|not installed|not recognized|unrecognized|does not exist|doesn't exist|undefined|undeclared|unresolved|missing|invalid|unknown|unexpected|mismatch|not match|violat|unsupported|not supported|not allowed|not permitted|forbidden|unauthorized|no matching|nothing provides|unmet|unsatisf|incompatible|is required|must be|should be|not defined|never defined|no module|no rule|redefinition|duplicate|ambiguous|not declared|not in scope|overflow|leak|too many|too large|too long|unreachable|expired|not available|unavailable|no terminating|not a valid|not valid|incorrect|illegal|issues|violations|findings|is not|isn't|does not|do not|did not|has no |have no |not met|not satisf|out of date|out-of-date|outdated|whitespace|not formatted|n't formatted|not properly|deny(|the following |below ",
  ],
  [EXIT, "exit|non-zero|nonzero|***|elifecycle|returned 0|returning 0|status 0|code 0|stopped|terminated"],
  [ASSERT, "assert|expected|expect(|expecting|actual:|but got|\ne  "],
  [
    SUMMARY,
    "offense|problem 0|vulnerab|0 passed|0 passing|0 failed|failing|tests run|tests:|test result|ran 0|failures|summary|examples,|tests,|problems|offenses|build success|build fail|errors:|0 error|specs,|result:|test files|test suites",
  ],
  [MARK, "✗|✖|✘|×|●|❌|✕|⨯|not ok|[-]|[x]|(x)|[e]|<<< |__ "],
  [
    LOCATION,
    ":0:|:00:|:000:|:0000:|:00000:|(0,0)|(0,00)|(0,000)|(00,|(000,|column 0|0]:|, characters|.pl line|.pm line|.t line|.sh line|char:0|categoryinfo|\nrspec |:[0|0:0 |0:00 |0:000 |--> |0,0: |0,00: |, 0: |, col 0|0: 00: |0:  0: |0: 000: |:0 |:00 |:000 |:0000 |\n  line  |╭─[|┌─ |0 (error): |0 (warning): |0 (info): |0 (style): |0 (note): ",
  ],
  [ENUMERATION, "0) "],
  [LEVEL, ' e | f |\ne/|\nf/|\ne0000|\nf0000|level=|"level"|severity|alert|crit]|crit:|failure'],
  [
    KERNEL,
    "bug:|kernel bug|tainted|allocated in |freed in |remounting|kasan|kmsan|kcsan|ubsan|oops:|call trace|rip:|general protection|unable to handle|task hung|soft lockup|blocked for more|detected stall|problematic frame|siginfo|current thread|current compiletask|si_signo|==error|==warning|== invalid|== conditional|== process|uvm_fault|fatal trap|page fault|stopped at|possible |use-after-free|out-of-bounds|null pointer|native memory|java frames|native frames|vm_operation|double fault|rcu: |refcount_t|suspicious rcu|freed by|allocated by|pc is at|internal exc|\n# ",
  ],
  [DIFF, "diff --git|\n--- |\nindex: |would reformat|would be reformatted|non-matching|diff in |\n+++ |\n@@ "],
  [STEP, "\n#0 [|\n#00 [|\nstep 0/|\nstep 00/|\ntask [|\nplay [|\nrunning handler [|\n> task :|write(0"],
  [COMMAND, "\n$ |0k$ |m$ |\n+ |\nrun |##[group]run|\n> "],
];

// How a colour code ends that switches to red.
const RED = ["[31m", ";31m", "[91m", ";91m", "[31;1m", ";31;1m"];

// A time of day is no source location.
const HIDDEN = ["0:00:", "0:00 "];

// "  12 | ERROR | …", as a table of findings writes.
const PLACED = ["0 | error", "0 | warning"];

/** All words above. */
export function listWords(): Word[] {
  const words: Word[] = [];
  const add = (bits: number, texts: readonly string[]): void => {
    for (const text of texts) words.push({ text, bits });
  };
  for (const [bits, list] of WORDS) add(bits, list.split("|"));
  add(LANGUAGE, troubleSpellings());
  for (const text of RED) words.push({ text, bits: COLOR, exact: true });
  add(LOCATION, PLACED);
  for (const text of HIDDEN) words.push({ text, bits: 0, hides: true });
  return words;
}
