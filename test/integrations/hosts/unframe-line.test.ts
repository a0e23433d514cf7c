import { expect, it } from "vitest";
import { unframeLine } from "../../../src/cli/shell/adopt-output.ts";

it.each([
  ["npm test", "npm test"],
  [
    "source /home/u/.claude/shell-snapshots/snapshot-bash-1.sh 2>/dev/null || true && eval 'npm test' < /dev/null && pwd -P >| /tmp/cwd",
    "npm test",
  ],
  [`shopt -u extglob && eval 'echo '"'"'a b'"'"' && ls' \\< /dev/null && pwd -P >| /tmp/c`, "echo 'a b' && ls"],
  [`eval 'echo '\\''hi'\\''' && pwd -P >| /tmp/c`, "echo 'hi'"],
  [`eval "echo \\"hi\\" \\$HOME" < /dev/null && pwd -P >| /tmp/c`, 'echo "hi" $HOME'],
  ["eval 'one\ntwo' && pwd -P >| /tmp/c", "one\ntwo"],
  ["shopt -u promptvars nullglob; { make all; }; __code=$?; pgrep -g 0 >/tmp/p 2>&1; exit $__code;", "make all"],
  ["{ make all\n}; __code=$?; exit $__code;", "make all"],
  ["shopt -u promptvars nullglob; make all", "make all"],
  ['eval "$(ssh-agent -s)" && make', 'eval "$(ssh-agent -s)" && make'],
  ["{ echo one; } | cat", "{ echo one; } | cat"],
])("of %j is %j", (framed, line) => {
  expect(unframeLine(framed)).toBe(line);
});
