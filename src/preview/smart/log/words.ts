import { type Automaton, type AutomatonWord, createAutomaton } from "./automaton.ts";
import { COLOR } from "./row-scanner.ts";

/** What a row may hold, one bit each; rules name the bits without which they cannot match. */
export const ERROR = 1 << 0;
export const FAIL = 1 << 1;
export const EXCEPTION = 1 << 2;
export const FATAL = 1 << 3;
export const WARN = 1 << 4;
export const NEGATION = 1 << 5;
export const EXIT = 1 << 6;
export const ASSERT = 1 << 7;
export const SUMMARY = 1 << 8;
export const MARK = 1 << 9;
export const LOCATION = 1 << 10;
export const ENUMERATION = 1 << 11;
export const LEVEL = 1 << 12;
export const KERNEL = 1 << 13;
export const DIFF = 1 << 14;
export const COMMAND = 1 << 15;
export const QUESTION = 1 << 29;

const WORDS: readonly (readonly [bits: number, words: string])[] = [
  [ERROR, "error|err!|errors|erreur|fehler|##[error]|::error|err]|:error"],
  [FAIL, "fail|fehlgeschlagen|unsuccessful|broken|rejected|conflict|not ok|✗ fail"],
  [
    EXCEPTION,
    "exception|traceback|caused by|** (|uncaught|unhandled|raised|throw|backtrace|stacktrace|stack trace|panicked|badmatch|'exit'|{badarg|function_clause|case_clause|undef,|core exited|crash",
  ],
  [
    FATAL,
    "fatal|panic|segmentation|segfault|sigsegv|sigabrt|core dumped|abort|terminate called|killed|out of memory|outofmemory|oom-|critical|severe|emerg|stack overflow|stackoverflow|deadlock|insufficient memory|bus error|illegal instruction|double free|corrupt|no space left|sanitizer|runtime error",
  ],
  [WARN, "warn|deprecat|caution"],
  [
    NEGATION,
    "not found|no such|cannot|can't|can not|could not|couldn't|couldn’t|can’t|unable|denied|refused|timeout|timed out|time out|not installed|not recognized|unrecognized|does not exist|doesn't exist|undefined|undeclared|unresolved|missing|invalid|unknown|unexpected|mismatch|not match|violat|unsupported|not supported|not allowed|not permitted|forbidden|unauthorized|no matching|nothing provides|requires|unmet|unsatisf|incompatible|is required|must be|should be|not defined|never defined|no module|no rule|redefinition|duplicate|ambiguous|not declared|out of scope|not in scope|overflow|leak|too many|too large|too long|unreachable|expired|not available|unavailable|skipping|no terminating|differ|not a valid|not valid|dead link|bad |wrong |incorrect|illegal",
  ],
  [EXIT, "exit|non-zero|nonzero|***|lifecycle|returned 0|status 0|code 0|stopped"],
  [
    ASSERT,
    "assert|expected|expect(|actual|to equal|to be|should|but got|got:|got |left:|right:|received|diff:|not equal",
  ],
  [
    SUMMARY,
    "passed|passing|failing|tests run|tests:|test result|ran 0|failures|summary|succeeded|examples,|tests,|problem|issues|offenses|findings|build success|build fail|finished|errors:|0 error|0 warning|specs,|verdict|result:",
  ],
  [MARK, "✗|✖|✘|×|●|❌|✕|⨯|not ok|[-]|[!]|[x]|<<<|>>>|!!!|__ |==="],
  [LOCATION, ":0:|:00:|:000:|:0000:|:00000:|(0,0)|(00,|(000,|line 0|:[0|#l0|.0 error|, line"],
  [ENUMERATION, "0) "],
  [LEVEL, ' e |e/| f |f/|<e>|[e]|[f]|level=|"level"|severity|/e(|alert|crit]|crit:|failure'],
  [
    KERNEL,
    "bug:|kasan|kmsan|kcsan|ubsan|oops|call trace|rip:|general protection|unable to handle|hung|soft lockup|stall|problematic frame|siginfo|current thread|current compiletask|si_signo|register|==0|==ERROR|undefined behavior|unauthorized access|uvm_fault|fault|trap|stopped at|lockdep|locking|deadlock|use-after-free|out-of-bounds|null pointer|null deref|native memory|java frames|native frames|vm_operation|kernel:|freeing|double fault|page fault|witness|circular|invalid wait|rcu:|refcount",
  ],
  [
    DIFF,
    "diff --git|--- a|+++ b|@@ -|--- expected|+++ actual|--- exp|+++ got|-expected|+actual|would reformat|would be reformatted|non-matching",
  ],
  [COLOR, "\u001b["],
  [COMMAND, "$ |+ |run |travis_time:start|##[group]|##[command]"],
];

// A time of day is no source location.
const HIDDEN = ["0:00:", "00:00:00", "0:00:00"];

let plain: Automaton | undefined;

/** The automaton of all words above, with those of a question. */
export function createWordAutomaton(terms: readonly string[]): Automaton {
  if (terms.length === 0) {
    plain ??= createAutomaton(listWords([]));
    return plain;
  }
  return createAutomaton(listWords(terms));
}

function listWords(terms: readonly string[]): AutomatonWord[] {
  const words: AutomatonWord[] = [];
  for (const [mask, list] of WORDS) for (const text of list.split("|")) words.push({ text, mask });
  for (const text of HIDDEN) words.push({ text, mask: 0, stop: true });
  for (const text of terms) words.push({ text: text.replace(/\d/g, "0"), mask: QUESTION });
  return words;
}
