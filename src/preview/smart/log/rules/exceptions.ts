import { ASSERT, ERROR, EXCEPTION, FAIL, FATAL, KERNEL, LOCATION, NEGATION } from "../words.ts";
import type { Rule } from "./rule.ts";

const reason = "exception";
const following = "trace";

/** Exceptions, panics, crashes and their traces, by language. */
export const EXCEPTION_RULES: readonly Rule[] = [
  {
    needs: EXCEPTION,
    words: "traceback (most recent call last)",
    pattern: /^\s*Traceback \(most recent call last\)/,
    score: 80,
    reason: "traceback",
    following,
  },
  {
    needs: ERROR | EXCEPTION | FAIL,
    pattern:
      /^\s{0,8}(?:[a-z_$][\w$]*[./]){0,12}[A-Z]\w*(?:Error|Exception|Failure|Fault|Exit|Interrupt|Warning)(?:\s?\[\w+\])?(?::\s|\s*$| at \S)/,
    score: 86,
    reason,
    following,
  },
  {
    needs: EXCEPTION,
    words: "caused by: ",
    pattern: /^\s*(?:\[\w+\]\s+)?Caused by: /,
    score: 82,
    reason: "cause",
    following,
  },
  {
    needs: EXCEPTION,
    words: "exception in thread|exception:|unhandled|uncaught|unexpected exception",
    pattern:
      /^(?:Exception in thread|Exception:|Unhandled|Uncaught|Unexpected exception|UnhandledPromiseRejection|\(node:\d+\) Unhandled)/,
    score: 92,
    reason,
    following,
  },
  {
    needs: EXCEPTION,
    words: "unhandled|uncaught",
    pattern: /\b(?:[Uu]nhandled|[Uu]ncaught)\b.{0,60}(?:[Ee]xception|[Ee]rror|rejection)/,
    score: 88,
    reason,
    following,
  },
  {
    needs: EXCEPTION | FATAL,
    words:
      " panicked at|panic: |fatal error: all goroutines|fatal error: runtime|fatal error: unexpected signal|fatal error: concurrent",
    pattern:
      /\bthread '.{0,200}'(?: \(\d+\))? panicked at|^panic: |^fatal error: (?:all goroutines|runtime|unexpected signal|concurrent)/,
    score: 96,
    reason: "panic",
    following,
  },
  { needs: EXCEPTION, words: "** (", pattern: /^\s{0,4}\*\* \([A-Z]/, score: 93, reason, following },
  {
    needs: ERROR | FATAL,
    words: "fatal error:|parse error:",
    pattern: /^(?:PHP )?(?:Fatal|Parse|Catchable fatal|Recoverable fatal) error:/,
    score: 95,
    reason,
    following,
  },
  {
    needs: LOCATION | ERROR,
    words: "0:in `|0:in '",
    pattern: /^\S{1,300}:\d+:in [`'].{0,200}: .{1,400}\(\w*(?:Error|Exception|Exit)\)/,
    score: 92,
    reason,
    following,
  },
  {
    needs: EXCEPTION | ERROR,
    words: "{'exit'|{badmatch,|{badarg|{function_clause|{case_clause|{error,|{undef,",
    pattern: /\{'EXIT'|\{badmatch,|\{badarg|\{function_clause|\{case_clause|\{error,\s*\{|\{undef,/,
    score: 78,
    reason,
    following,
  },
  {
    needs: ERROR | EXCEPTION,
    pattern: /\b[A-Z]\w*(?:Error|Exception)\b(?:(?:\s?\[\w+\])?: \S|\)$)/,
    score: 72,
    reason,
    following,
  },
  {
    needs: EXCEPTION,
    pattern: /^(?:Error: |Error in |Error\b.{0,80}: )/,
    score: 84,
    reason,
    following,
  },
  {
    needs: FATAL | KERNEL,
    words:
      "segmentation fault|sigsegv|sigabrt|sigbus|sigill|bus error|illegal instruction|core dumped|terminate called|double free|stack smashing|heap corruption|free(): invalid",
    pattern:
      /\b(?:Segmentation fault|SIGSEGV|SIGABRT|SIGBUS|SIGILL|Bus error|Illegal instruction|core dumped|terminate called|double free|stack smashing|heap corruption|free\(\): invalid)/,
    score: 92,
    reason: "crash",
    following,
    before: 6,
  },
  {
    needs: FATAL | KERNEL | ERROR,
    words:
      "error: |warning: |addresssanitizer:|leaksanitizer:|memorysanitizer:|threadsanitizer:|undefinedbehaviorsanitizer:|data race|0== invalid read|0== invalid write|0== conditional jump|0== process terminating",
    pattern:
      /==\d+==\s?(?:ERROR|WARNING): |\b(?:Address|Leak|Memory|Thread|UndefinedBehavior)Sanitizer:|: runtime error: |\bDATA RACE\b|==\d+== (?:Invalid (?:read|write)|Conditional jump|Process terminating)/,
    score: 97,
    reason: "sanitizer",
    following,
  },
  {
    needs: FATAL,
    words:
      "out of memory|outofmemory|no space left on device|insufficient memory|killed process|cannot allocate memory|stack overflow|javascript heap",
    pattern:
      /\b(?:[Oo]ut of memory|OutOfMemory\w*|No space left on device|[Ii]nsufficient memory|Killed process|Cannot allocate memory|[Ss]tack overflow|JavaScript heap)/,
    score: 90,
    reason: "out of resources",
    following,
    before: 3,
  },
  {
    needs: ASSERT,
    words: "assertionerror|assertion ",
    pattern: /^(?:AssertionError|assertion .{1,200} failed|Assertion failed)/i,
    score: 88,
    reason: "assertion",
    following,
  },
  {
    needs: NEGATION,
    words: "importerror|modulenotfounderror|nameerror|no module named|cannot find module",
    pattern: /^(?:ImportError|ModuleNotFoundError|NameError)|No module named|Cannot find module/,
    score: 86,
    reason,
    following,
  },
];
