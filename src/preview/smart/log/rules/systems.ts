import { ERROR, EXCEPTION, EXIT, FAIL, FATAL, KERNEL, LEVEL, NEGATION, STEP, WARN } from "../words.ts";
import type { Rule } from "./rule.ts";

/** A command that a runner echoes before its output. */
export const COMMAND_LINE = /^(?:\$ \S|##\[group\]Run |Run \S|\+ \S|> \S+@\S+ \w)/;

/** Log levels, kernels, virtual machines. */
export const SYSTEM_RULES: readonly Rule[] = [
  {
    needs: ERROR | FATAL | LEVEL,
    pattern: /(?:^|[\s[<|:(])(?:ERROR|FATAL|SEVERE|CRITICAL|CRIT|EMERG|ALERT|PANIC)(?=[\s\]>|:)]|$)/,
    score: 74,
    reason: "log level",
    before: 0,
  },
  {
    needs: LEVEL,
    pattern:
      /^(?:\d\d-\d\d\s+\d\d:\d\d:\d\d\.\d+\s+\d+\s+\d+\s+|\d\d-\d\d\s+\d\d:\d\d:\d\d\.\d+:?\s+)?[EF](?:\/|\s)\w\S{0,60}\s{0,20}[:(]/,
    score: 80,
    reason: "log level",
    before: 0,
  },
  {
    needs: LEVEL | ERROR | FATAL,
    pattern:
      /^[EF]\d{4} \d\d:\d\d|\blevel=["']?(?:error|fatal|crit|panic)|"(?:level|severity)":\s*"(?:error|fatal|crit|emerg|alert)|\s(?:-|\|)\s(?:error|fatal|critical)\s(?:-|\|)\s/i,
    score: 80,
    reason: "log level",
    before: 0,
  },
  {
    needs: ERROR | FATAL,
    pattern: /^\s{0,4}\[?(?:error|fatal|severe|critical)\]?(?::|\s)\s*\S/i,
    score: 80,
    reason: "log level",
  },
  // What `curl -v` was answered; the headers after a refusal tell why, and when to come again.
  {
    needs: NEGATION,
    words: "< http/0",
    pattern: /^< HTTP\/\d\S* [45]\d\d\b/,
    score: 90,
    reason: "refused request",
    before: 0,
  },
  // What a traced program told its user: `write(2, "cannot open…`.
  {
    needs: STEP,
    words: "write(0",
    pattern: /^(?:\[pid\s{1,6}\d{1,8}\]\s|\d{1,8}\s{1,6})?(?:\d\S{0,20}\s)?write\(2(?:<[^>]{0,80}>)?, "(?!"|\\n")/,
    score: 88,
    reason: "written to the standard error",
    following: "none",
    before: 6,
  },
  // What a server wrote of its own failures, as most of them do: `"GET / HTTP/1.1" 500 12`.
  {
    needs: NEGATION,
    words: ' http/0.0" 000 ',
    pattern: /"[A-Z]{3,8} \S{1,2000} HTTP\/\d\.\d" 5\d\d /,
    score: 82,
    reason: "failed request",
    following: "none",
    before: 0,
  },
  {
    needs: NEGATION,
    words: "< http/0",
    pattern: /^< HTTP\/\d\S* [123]\d\d\b/,
    score: 62,
    reason: "answered request",
    following: "none",
    before: 0,
  },
  {
    needs: WARN,
    pattern: /(?:^|[\s[<|:(])(?:WARN|WARNING|Warning|warning)(?=[\s\]>|:)]|$)/,
    score: 24,
    reason: "warning",
    following: "none",
    before: 0,
  },
  {
    needs: KERNEL | FATAL | WARN,
    words:
      "bug: |kasan|kmsan|kcsan|kernel bug at| (not tainted| (tainted|oops: |general protection fault|unable to handle|kernel panic|panic: |warning: cpu: |ubsan: |soft lockup|blocked for more than|possible recursive|possible circular|detected stall|page fault trap|page fault in|fatal trap|double fault|uvm_fault|rcu: info|refcount_t:|suspicious rcu|panic(cpu 0",
    pattern:
      /\bBUG: |\bKASAN\b|\bKMSAN\b|\bKCSAN\b|\bkernel BUG at\b|\bBUG [\w-]{1,60} \((?:Not t|T)ainted|\bOops: |general protection fault|unable to handle|Kernel panic|\bpanic: |WARNING: CPU: |\bUBSAN: |soft lockup|blocked for more than|possible (?:recursive|circular)|detected stall|page fault (?:trap|in)|Fatal trap|double fault|uvm_fault|rcu: INFO|refcount_t:|suspicious RCU|\bKERNEL PANIC\b|\bpanic\(cpu \d/,
    score: 96,
    reason: "kernel report",
    following: "trace",
  },
  // The row before names the place.
  {
    needs: NEGATION | ERROR | FATAL | EXCEPTION,
    words:
      "invalid opcode: 0|divide error: 0|stack segment: 0|segment not present: 0|alignment check: 0|list_add corruption|list_del corruption|invalid wait context|fatal page fault|fatal protection fault|fatal integer divide fault|fatal double fault|fatal exception: |unhandled kernel fault|unhandled fault",
    pattern:
      /\b(?:invalid opcode|divide error|stack segment|segment not present|alignment check): \d{4} \[#\d|\blist_(?:add|del) corruption|\binvalid wait context|\bfatal (?:page|protection|integer divide|double) fault|\bfatal exception: |\bUnhandled (?:kernel )?fault/,
    score: 95,
    reason: "kernel report",
    following: "trace",
  },
  {
    needs: KERNEL | FATAL | FAIL | ERROR | EXIT,
    words:
      "segfault at |dumped core|i/o error, dev |remounting filesystem read-only|disk failure|fail event detected|main process exited, code=|: failed with result '|[hardware error]",
    pattern:
      /\bsegfault at [\da-f]+ |\bdumped core\b|\bI\/O error, dev |Remounting filesystem read-only|\b[Dd]isk failure\b|\bFail event detected|\bMain process exited, code=\w+, status=(?!0)|: Failed with result '|\[Hardware Error\]/,
    score: 86,
    reason: "system failure",
    following: "none",
    before: 2,
  },
  {
    needs: KERNEL,
    words: "rip: |call trace:|pc is at|freed |allocated |stopped at",
    pattern: /\bRIP: |Call Trace:|\bPC is at|(?:Freed|Allocated) (?:by task|in \S{1,120} age=)|Stopped at\s/,
    score: 82,
    reason: "kernel report",
    following: "trace",
  },
  {
    needs: KERNEL | FATAL | EXCEPTION,
    pattern:
      /^#\s+(?:A fatal error|There is insufficient|Native memory|SIG\w+ \(|EXCEPTION_|Internal Error|Out of Memory|Problematic frame|[CVJjv]\s+\[|[CVJj]\s+\d)/,
    score: 94,
    reason: "virtual machine crash",
  },
  {
    needs: KERNEL,
    words:
      "siginfo:|si_signo|current thread|current compiletask|vm_operation|problematic frame|native frames|java frames|internal exceptions",
    pattern:
      /^(?:siginfo:|si_signo|Current thread\b|Current CompileTask|VM_Operation|Problematic frame|Native frames|Java frames|Internal exceptions)/,
    score: 88,
    reason: "virtual machine crash",
    before: 0,
  },
  // What a long build is made of, for what room is left over.
  {
    needs: STEP,
    pattern:
      /^#\d{1,3} \[[^\]]{0,60}\d\/\d{1,3}\] \S|^Step \d{1,3}\/\d{1,3} :|^(?:TASK|PLAY|RUNNING HANDLER) \[|^> Task :/,
    score: 20,
    reason: "step",
    following: "none",
    before: 0,
  },
  // The end of a failed command: what explains it stands before.
  {
    needs: EXIT | FAIL | ERROR,
    words:
      "exited with 0|exited with code|exited with status|exited with: code|exited code|exited status|exited: code|exit with code|exit with status|exit with: code|exit code|exit status|exit: code|returned a non-zero|returned a nonzero|returned non-zero|returned nonzero|non-zero exit|non-zero status|non-zero code|nonzero exit|nonzero status|nonzero code|returned code 0|returned status 0|returning 0|command failed|exit 0",
    pattern:
      /\bexited with (?:code |status )?(?:code: )?[1-9]|\bexit(?:ed)?(?: with)?(?: code| status|: code)(?: of)?[:=]?\s*\(?[1-9]|returned (?:a )?non-?zero|non-?zero (?:exit|status|code)|returned (?:exit )?(?:code|status) [1-9]|returning [1-9]\d{0,2}$|Bad exit status|Command failed\b|^exit [1-9]/i,
    score: 60,
    reason: "exit status",
    following: "none",
    before: 30,
  },
  {
    needs: EXIT,
    words: "elifecycle|error command failed|error 0",
    pattern: /ELIFECYCLE|^error Command failed|\bError [1-9]\d*\s*$/,
    score: 56,
    reason: "exit status",
    before: 8,
  },
  {
    needs: ERROR,
    words: "##[error]|::error|##vso[task.logissue type=error|[error] ",
    pattern: /^(?:##\[error\]|::error|##vso\[task\.logissue type=error|\[error\] )(?!.{0,20}[Pp]rocess completed)/,
    score: 96,
    reason: "annotated error",
  },
  {
    needs: ERROR,
    words:
      "npm err! code|npm err! errno|npm err! 0|npm err! missing|npm err! peer|npm err! notarget|npm err! could not|npm err! failed|npm err! cannot|npm err! test failed",
    pattern: /^npm ERR! (?:code|errno|4|5|missing|peer|notarget|Could not|Failed|Cannot|Test failed)/i,
    score: 68,
    reason: "package manager error",
  },
  { needs: NEGATION | ERROR, pattern: /^E: \S/, score: 88, reason: "package manager error" },
  {
    needs: ERROR,
    words: "npm err! |npm error |yarn err! |yarn error |bun err! |bun error ",
    pattern: /^(?:npm|yarn|pnpm|bun) (?:ERR!|error) /,
    score: 60,
    reason: "package manager error",
  },
  {
    needs: NEGATION,
    words:
      "curl: (0|wget: |could not be resolved|no matching version|no matching distribution|could not find a version|could not find gem|could not find compatible|could not find artifact|could not find method|could not find a declaration",
    pattern:
      /^curl: \(\d+\)|^wget: |requirements could not be resolved|could not be resolved|No matching (?:version|distribution)|Could not find (?:a version|gem|compatible|artifact|method|a declaration)|could not find compatible/,
    score: 82,
    reason: "package manager error",
  },
  {
    needs: NEGATION,
    words: ": command not found|: not found",
    pattern: /^\S{1,100}: (?:line )?(?:\d+: )?\S{1,100}: (?:command )?not found|: command not found/,
    score: 84,
    reason: "something missing or refused",
  },
  { needs: FAIL, words: "conflict (", pattern: /^CONFLICT \(/, score: 86, reason: "conflict" },
  {
    needs: FATAL | EXIT | NEGATION,
    words:
      "exceeded the maximum|no output has been received|has been terminated|timed out after|exceeded the time|exceeded the memory|exceeded the limit|exceeded time|exceeded memory|exceeded limit",
    pattern:
      /exceeded the maximum|No output has been received|has been terminated|timed out after|exceeded (?:the )?(?:time|memory|limit)/i,
    score: 86,
    reason: "time limit",
    before: 8,
  },
];
