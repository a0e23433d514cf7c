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
  { needs: NEGATION, pattern: /^< HTTP\/\d\S* [45]\d\d\b/, score: 90, reason: "refused request", before: 0 },
  // What a traced program told its user: `write(2, "cannot open…`.
  {
    needs: STEP,
    pattern: /^(?:\[pid\s{1,6}\d{1,8}\]\s|\d{1,8}\s{1,6})?(?:\d\S{0,20}\s)?write\(2(?:<[^>]{0,80}>)?, "(?!"|\\n")/,
    score: 88,
    reason: "written to the standard error",
    following: "none",
    before: 6,
  },
  // What a server wrote of its own failures, as most of them do: `"GET / HTTP/1.1" 500 12`.
  {
    needs: NEGATION,
    pattern: /"[A-Z]{3,8} \S{1,2000} HTTP\/\d\.\d" 5\d\d /,
    score: 82,
    reason: "failed request",
    following: "none",
    before: 0,
  },
  {
    needs: NEGATION,
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
    pattern:
      /\bBUG: |\bKASAN\b|\bKMSAN\b|\bKCSAN\b|\bkernel BUG at\b|\bBUG [\w-]{1,60} \((?:Not t|T)ainted|\bOops: |general protection fault|unable to handle|Kernel panic|\bpanic: |WARNING: CPU: |\bUBSAN: |soft lockup|blocked for more than|possible (?:recursive|circular)|detected stall|page fault (?:trap|in)|Fatal trap|double fault|uvm_fault|rcu: INFO|refcount_t:|suspicious RCU|\bKERNEL PANIC\b|\bpanic\(cpu \d/,
    score: 96,
    reason: "kernel report",
    following: "trace",
  },
  // The row before names the place.
  {
    needs: NEGATION | ERROR | FATAL | EXCEPTION,
    pattern:
      /\b(?:invalid opcode|divide error|stack segment|segment not present|alignment check): \d{4} \[#\d|\blist_(?:add|del) corruption|\binvalid wait context|\bfatal (?:page|protection|integer divide|double) fault|\bfatal exception: |\bUnhandled (?:kernel )?fault/,
    score: 95,
    reason: "kernel report",
    following: "trace",
  },
  {
    needs: KERNEL | FATAL | FAIL | ERROR | EXIT,
    pattern:
      /\bsegfault at [\da-f]+ |\bdumped core\b|\bI\/O error, dev |Remounting filesystem read-only|\b[Dd]isk failure\b|\bFail event detected|\bMain process exited, code=\w+, status=(?!0)|: Failed with result '|\[Hardware Error\]/,
    score: 86,
    reason: "system failure",
    following: "none",
    before: 2,
  },
  {
    needs: KERNEL,
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
    pattern:
      /\bexited with (?:code |status )?(?:code: )?[1-9]|\bexit(?:ed)?(?: with)?(?: code| status|: code)(?: of)?[:=]?\s*\(?[1-9]|returned (?:a )?non-?zero|non-?zero (?:exit|status|code)|returned (?:exit )?(?:code|status) [1-9]|returning [1-9]\d{0,2}$|Bad exit status|Command failed\b|^exit [1-9]/i,
    score: 60,
    reason: "exit status",
    following: "none",
    before: 30,
  },
  {
    needs: EXIT,
    pattern: /ELIFECYCLE|^error Command failed|\bError [1-9]\d*\s*$/,
    score: 56,
    reason: "exit status",
    before: 8,
  },
  {
    needs: ERROR,
    pattern: /^(?:##\[error\]|::error|##vso\[task\.logissue type=error|\[error\] )(?!.{0,20}[Pp]rocess completed)/,
    score: 96,
    reason: "annotated error",
  },
  {
    needs: ERROR,
    pattern: /^npm ERR! (?:code|errno|4|5|missing|peer|notarget|Could not|Failed|Cannot|Test failed)/i,
    score: 68,
    reason: "package manager error",
  },
  { needs: NEGATION | ERROR, pattern: /^E: \S/, score: 88, reason: "package manager error" },
  { needs: ERROR, pattern: /^(?:npm|yarn|pnpm|bun) (?:ERR!|error) /, score: 60, reason: "package manager error" },
  {
    needs: NEGATION,
    pattern:
      /^curl: \(\d+\)|^wget: |requirements could not be resolved|could not be resolved|No matching (?:version|distribution)|Could not find (?:a version|gem|compatible|artifact|method|a declaration)|could not find compatible/,
    score: 82,
    reason: "package manager error",
  },
  {
    needs: NEGATION,
    pattern: /^\S{1,100}: (?:line )?(?:\d+: )?\S{1,100}: (?:command )?not found|: command not found/,
    score: 84,
    reason: "something missing or refused",
  },
  { needs: FAIL, pattern: /^CONFLICT \(/, score: 86, reason: "conflict" },
  {
    needs: FATAL | EXIT | NEGATION,
    pattern:
      /exceeded the maximum|No output has been received|has been terminated|timed out after|exceeded (?:the )?(?:time|memory|limit)/i,
    score: 86,
    reason: "time limit",
    before: 8,
  },
];
