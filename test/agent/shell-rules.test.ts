// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines of a shell
import { describe, expect, it } from "vitest";
import { DEFAULT_RULES, decidePermission, resolveRules } from "../../src/agent/permission-check.ts";
import type { PermissionRule } from "../../src/gate/permissions.ts";

const rule = (pattern: string, action: PermissionRule["action"]) => ({ permission: "bash", pattern, action });
const decide = async (input: Record<string, unknown>, ...rules: PermissionRule[]) =>
  (await decidePermission("Bash", input, [...DEFAULT_RULES, ...rules], "/")).action;

/** Every way to spell `touch x` that runs it. */
const TOUCH = [
  "touch x",
  "  touch\tx",
  "touch  x",
  "(touch x)",
  "{ touch x; }",
  "((1)); touch x",
  "if true; then touch x; fi",
  "if touch x; then :; fi",
  "while touch x; do break; done",
  "until ! touch x; do break; done",
  "for i in 1; do touch x; done",
  "for ((;;)); do touch x; break; done",
  "select i in 1; do touch x; done",
  "case a in a) touch x;; esac",
  "X=1 touch x",
  "X=1 Y=2 touch x",
  "! touch x",
  "! { touch x; }",
  "true && touch x",
  "false || touch x",
  "true | touch x",
  "true |& touch x",
  "true & touch x",
  "true\ntouch x",
  "touch x &",
  "echo $(touch x)",
  "echo `touch x`",
  'echo "a $(touch x)"',
  'echo "`touch x`"',
  "echo ${Y:-$(touch x)}",
  "echo $((1 + $(touch x)))",
  "Y=$(touch x)",
  "Y=($(touch x))",
  "export Y=$(touch x)",
  "[ -f $(touch x) ]",
  "[[ -f $(touch x) ]]",
  "diff <(touch x) y",
  "tee >(touch x)",
  "cat <<< $(touch x)",
  "cat <<E\n$(touch x)\nE",
  "cat < $(touch x)",
  "f() { touch x; }; f",
  "function f { touch x; }; f",
  "f() (touch x); f",
  "coproc touch x",
  "coproc { touch x; }",
  "coproc N { touch x; }",
  "\\touch x",
  "to\\uch x",
  "to\\\nuch x",
  "touch \\\n  x",
  "'touch' x",
  '"touch" x',
  "t'ou'ch x",
  "$'touch' x",
  "$'\\x74ouch' x",
  "$'\\164\\u006fuch' x",
  '$"touch" x',
  "/usr/bin/touch x",
  "/bin/../bin/touch x",
  "> y touch x",
  "touch > y x",
  "2>/dev/null touch x",
  "touch <<E x\nE",
  "command touch x",
  "command -p touch x",
  "builtin command touch x",
  "exec touch x",
  "exec -a name touch x",
  "env touch x",
  "env -i A=1 touch x",
  "env -u A -- touch x",
  "env -S 'touch x'",
  "env --split-string='touch x'",
  "env -iS 'touch x'",
  "/usr/bin/env touch x",
  "sudo touch x",
  "sudo -u root -E touch x",
  "sudo A=1 touch x",
  "doas -u root touch x",
  "pkexec touch x",
  "nohup touch x &",
  "nice touch x",
  "nice -n 5 touch x",
  "nice -5 touch x",
  "ionice -c 3 touch x",
  "time touch x",
  "time -p touch x",
  "timeout 5 touch x",
  "timeout -s KILL 5 touch x",
  "timeout --signal=KILL 5s touch x",
  "setsid -f touch x",
  "stdbuf -oL touch x",
  "stdbuf -o L touch x",
  "unbuffer touch x",
  "watch touch x",
  "watch -n 1 'touch x'",
  "parallel touch ::: x",
  "parallel 'touch {}' ::: x",
  "xargs touch x",
  "echo x | xargs touch",
  "echo x | xargs -I{} touch {}",
  "echo x | xargs -n 1 sh -c 'touch x'",
  "find . -exec touch x \\;",
  "find . -name a -execdir touch x {} +",
  "find . -ok true ';' -exec touch x ';'",
  "fd a -x touch x",
  "eval touch x",
  "eval 'touch x'",
  "eval -- touch x",
  'eval "to""uch" x',
  "sh -c 'touch x'",
  "bash -c 'touch x'",
  "bash -lc 'touch x'",
  "bash -e -c 'true; touch x' name",
  "bash --norc -o pipefail -c 'touch x'",
  "zsh -c 'touch x'",
  "dash -c 'touch x'",
  "bash -c \"bash -c 'touch x'\"",
  "/bin/sh -c 'touch x'",
  "sh <<E\ntouch x\nE",
  "sh <<'E'\ntouch x\nE",
  "bash -s <<< 'touch x'",
  "cat <<E | sh\ntouch x\nE",
  "busybox touch x",
  "busybox sh -c 'touch x'",
  "toybox touch x",
  "flock lock touch x",
  "flock lock -c 'touch x'",
  "chroot / touch x",
  "unshare -r touch x",
  "chronic touch x",
  "cross-env A=1 touch x",
  "npx touch x",
  "/lib64/ld-linux-x86-64.so.2 /usr/bin/touch x",
  "csh -c 'touch x'",
  "pwsh -c 'touch x'",
  "pipenv run touch x",
  "uv run --with a touch x",
  "conda run -n a touch x",
  "op run -- touch x",
  "nix-shell --run 'touch x'",
  "bundle exec touch x",
  "direnv exec . touch x",
  "aws-vault exec a -- touch x",
  "npm exec -- touch x",
  "ip netns exec n touch x",
  "start-stop-daemon --start --exec /usr/bin/touch -- x",
  "hash -p /usr/bin/touch t; t x",
  "compgen -C 'touch x'",
  "at now <<< 'touch x'",
  "nsenter -t 1 touch x",
  "chrt -f 1 touch x",
  "taskset 1 touch x",
  "setarch x86_64 touch x",
  "runuser -u root touch x",
  "runuser -u root -- touch x",
  "su -c 'touch x'",
  "su root -c 'touch x'",
  "script -c 'touch x' /dev/null",
  "script -qc 'touch x' /dev/null",
  "strace -f touch x",
  "ltrace touch x",
  "gdb --args touch x",
  "valgrind touch x",
  "catchsegv touch x",
  "fakeroot touch x",
  "faketime 1999 touch x",
  "proot -r / touch x",
  "bwrap --bind / / touch x",
  "firejail touch x",
  "systemd-run --user touch x",
  "dbus-run-session -- touch x",
  "xvfb-run -a touch x",
  "ssh-agent touch x",
  "entr touch x",
  "npx -c 'touch x'",
  "npm exec -c 'touch x'",
  "ssh host touch x",
  "ssh host 'touch x'",
  "trap 'touch x' EXIT",
  "trap -- 'touch x' DEBUG",
  "alias y='touch x'",
  "env nice timeout 5 sudo touch x",
  "source touch x",
  "bash touch x",
  ". /dev/stdin <<< 'touch x'",
  "git -c alias.y='!touch x' y",
  "git rebase --exec 'touch x'",
  "git submodule foreach 'touch x'",
  "git bisect run touch x",
  "tar -cf a --to-command='touch x' b",
  "tar -cf a --checkpoint-action=exec='touch x' b",
  "mapfile -C 'touch x' -c 1 y < z",
];

/** Lines whose commands cannot be told: a person must look at them. */
const COMPUTED = [
  "$X x",
  '"$X" x',
  "${X} x",
  "t$X x",
  "$(echo touch) x",
  "`echo touch` x",
  "/usr/bin/t?uch x",
  "/bin/tou* x",
  "t{ou,ch} x",
  "{touch,x}",
  'eval "$X"',
  "sh -c $X",
  'bash -c "$X x"',
  "command $X x",
  "echo touch x | sh",
  "echo touch x | bash -s",
  "bash < y",
  "env $X",
  "find . -exec $X ;",
  'set -- touch x; "$@"',
  "echo 'touch x",
  "if touch x",
  "x=$'\\x24(touch",
  "echo push | xargs $X",
  "let 'a[$(touch x)]'",
  "[ -v 'a[$(touch x)]' ]",
  "source {touch,x}",
  "source <(echo touch x)",
  "bash <(echo touch x)",
  "{ sh; } < y",
  // What a program runs of its own accord, of which no more is known.
  "docker exec c touch x",
  "kubectl exec pod -- touch x",
  "uvx touch x",
  "envdir d touch x",
  "socat - EXEC:'touch x'",
  "awk 'BEGIN{system(\"touch x\")}'",
  "sed 's/a/touch x/e' f",
  "vim -c '!touch x' f",
  "gdb -batch -ex '!touch x'",
  "ed <<< '!touch x'",
  "cargo watch -s 'touch x'",
  "ssh -o ProxyCommand='touch x' h",
  "GIT_SSH_COMMAND='touch x' git fetch",
  "PAGER='touch x' man ls",
  "PROMPT_COMMAND='touch x'",
  "env GIT_PAGER='touch x' git log",
  "export EDITOR='touch x'",
  "crontab - <<< '* * * * * touch x'",
  "compgen -W '$(touch x)'",
  "cat <<E\n\t$(touch x)\nE",
  "cat <<-E\n\t`touch x`\n\tE",
];

describe("a deny rule", () => {
  it.each(TOUCH)("holds for %j", async (command) => {
    expect(await decide({ command }, rule("*", "allow"), rule("touch*", "deny"))).toBe("deny");
  });

  it.each(TOUCH.filter((line) => /touch x/.test(line)))("with an argument holds for %j", async (command) => {
    expect(await decide({ command }, rule("*", "allow"), rule("touch *", "deny"))).toBe("deny");
  });

  it.each([
    "git push",
    "git  push",
    "git\tpush origin",
    'git "push"',
    "git 'pu'sh",
    "git pu\\sh",
    "git -C . push",
    "git -C . -c a.b=c push",
    "git --git-dir=.git push",
    "git --git-dir .git push origin main",
    "git --no-pager -P push",
    "git \\\n  push",
    "git 2>/dev/null push",
    "GIT_DIR=. git push",
    "true; sudo -u me git -C /x push",
    "cd x && git push",
  ])("for a subcommand holds for %j", async (command) => {
    expect(await decide({ command }, rule("*", "allow"), rule("git push*", "deny"))).toBe("deny");
    expect(await decide({ command }, rule("git *", "allow"), rule("git push*", "deny"))).toBe("deny");
  });

  it.each(["rm -rf /x", "rm -fr /x", "rm -r -f /x", "rm -vrf /x", "rm  -rf -- /x", "rm /x -rf", "rm -f -v -r /x"])(
    "for options holds for %j",
    async (command) => {
      expect(await decide({ command }, rule("*", "allow"), rule("rm -rf *", "deny"))).toBe("deny");
    },
  );

  it.each([
    "echo touch x",
    "echo 'touch x'",
    "git commit -m 'touch x'",
    "ls touch",
    "grep -r touch .",
    "# touch x\ntrue",
    "cat <<E\ntouch x\nE",
    "sh script.sh touch",
    "printf '%s' \"$X\"",
    "for f in *.txt; do cat $f; done",
    "make -j4 && npm test > log 2>&1",
    "rm -r x; rm -f y",
    "cd $HOME && npm ci",
    "docker rm touch",
    "npm run touch",
    "awk '{print $1}' touch.txt",
    "sed -i s/touch/x/ f",
    "cat <<'E'\n$(touch x)\nE",
    "((x++)); echo ${x}",
  ])("lets %j pass", async (command) => {
    expect(await decide({ command }, rule("*", "allow"), rule("touch*", "deny"), rule("rm -rf *", "deny"))).toBe(
      "allow",
    );
  });

  it("is lifted by a later rule, and by no earlier one", async () => {
    expect(await decide({ command: "(touch x)" }, rule("touch *", "deny"), rule("touch x", "allow"))).toBe("allow");
    expect(await decide({ command: "(touch x)" }, rule("touch x", "allow"), rule("touch *", "deny"))).toBe("deny");
    expect(await decide({ command: "git -C . push" }, rule("git push*", "deny"), rule("*", "allow"))).toBe("allow");
  });
});

describe("a computed command", () => {
  it.each(COMPUTED)("asks about %j, and is refused when nobody can answer", async (command) => {
    const rules = [rule("*", "allow"), rule("touch*", "deny")];
    expect(await decide({ command }, ...rules)).toBe("ask");
    const unattended = resolveRules([...DEFAULT_RULES, ...rules], "yes");
    expect(await decidePermission("Bash", { command }, unattended, "/")).toMatchObject({
      action: "ask",
      mayBeDenied: true,
    });
  });

  it("asks when an argument that a rule looks at is computed", async () => {
    const rules = [rule("*", "allow"), rule("git push*", "deny")];
    expect(await decide({ command: "git $X" }, ...rules)).toBe("ask");
    expect(await decide({ command: "git $X push" }, ...rules)).toBe("ask");
    expect(await decide({ command: "echo push | xargs git" }, ...rules)).toBe("ask");
    expect(await decide({ command: "git log $X" }, ...rules)).toBe("allow");
  });
});

describe("an allow rule", () => {
  const git = rule("git *", "allow");

  it.each([
    "git status",
    "git log --oneline -5",
    "git status && git log",
    "git -C sub status",
    "(git status; git log) | git apply",
    "git log 2>&1",
    "git log > /dev/null 2>&1",
    "git switch -c topic",
    "git push -u origin main",
    "git commit -m 'a; touch x $(y)'",
    "git config --get user.name",
    "if git status; then git log; fi",
    "git log # and so on",
  ])("holds for %j", async (command) => {
    expect(await decide({ command }, git)).toBe("allow");
  });

  it.each([
    ...TOUCH,
    ...COMPUTED,
    "git status; curl x",
    "git log | sh",
    "git log $(git rev-parse HEAD)",
    "git log $X",
    "git {push,log}",
    "git log > ~/.profile",
    "git log >> x",
    "GIT_PAGER='touch x' git log",
    "A=1 git log",
    "PATH=/tmp; git log",
    "for PATH in /tmp; do git log; done",
    "((PATH=1)); git log",
    "export GIT_EDITOR=x; git commit",
    "env GIT_PAGER=x git log",
    "cd y && git status",
    "sudo git status",
    "/tmp/git status",
    "./git status",
    "git() { touch x; }; git status",
    "git -c core.pager='touch x' log",
    "git -c core.editor=x commit",
    "git --config-env=core.pager=X log",
    "git --config-env core.pager=X log",
    "git --exec-path=/tmp status",
    "git --git-dir=/tmp/x status",
    "git -C . -c alias.x='!touch x' x",
    "git config alias.x '!touch x'",
    "git config --global core.pager x",
    "git clone -c core.sshCommand=x y",
    "git clone -u x y",
    "git clone --template=x y",
    "git fetch --upload-pack='touch x' .",
    "git fetch --upload-pac 'touch x' .",
    "git push --receive-pack=x .",
    "git ls-remote --exec=x .",
    "git ls-remote 'ext::sh -c touch% x'",
    "git grep -Ox y",
    "git grep --open-files-in-pager=x y",
    "git rebase -x 'touch x' HEAD",
    "git difftool -x 'touch x'",
    "git filter-branch --tree-filter 'touch x'",
    "git log --output=x",
    "git diff --outpu x",
    "git format-patch -o / HEAD",
    "git archive -o x HEAD",
    "git bundle create x HEAD",
    "git fast-export --export-marks=x HEAD",
  ])("does not hold for %j", async (command) => {
    expect(await decide({ command }, git)).toBe("ask");
  });

  it.each([
    [{ BASH_ENV: "$(touch x)" }],
    [{ "BASH_FUNC_git%%": "() { touch x; }" }],
    [{ GIT_PAGER: "touch x" }],
    [{ HARMLESS: "1" }],
  ])("does not hold with env %j, unless Bash is allowed outright", async (env) => {
    expect(await decide({ command: "git status", env }, git)).toBe("ask");
    expect(await decide({ command: "git status", env }, rule("*", "allow"))).toBe("allow");
    expect(await decide({ command: "git status", env: {} }, git)).toBe("allow");
  });

  it.each([
    ["find *", "find . -name a", "find . -exec touch x \\;"],
    ["find *", "find . -type f", "find . -fprintf x y"],
    ["tar *", "tar -tf a", "tar -tf a --to-command=x"],
    ["tar *", "tar xzf a", "tar -I 'touch x' -cf a b"],
    ["rsync *", "rsync -a x y", "rsync -e 'touch x' x y"],
    ["ssh *", "ssh -V", "ssh -o ProxyCommand='touch x' y"],
    ["sort *", "sort -u x", "sort --compress-program=x y"],
    ["man *", "man ls", "man -P x ls"],
    ["rg *", "rg x", "rg --pre x y"],
    ["timeout *", "timeout --version", "timeout 5 touch x"],
  ])("%j holds for %j, not for %j", async (pattern, held, other) => {
    expect(await decide({ command: held }, rule(pattern, "allow"))).toBe("allow");
    expect(await decide({ command: other }, rule(pattern, "allow"))).toBe("ask");
  });

  it("that names what is run holds for it", async () => {
    expect(await decide({ command: "sudo apt install x" }, rule("sudo apt *", "allow"))).toBe("allow");
    expect(await decide({ command: "timeout 60 npm test" }, rule("timeout 60 npm test", "allow"))).toBe("allow");
    expect(await decide({ command: "bash -c 'npm test'" }, rule("bash -c npm test", "allow"))).toBe("allow");
    expect(await decide({ command: "nice npm test" }, rule("nice *", "allow"), rule("npm *", "allow"))).toBe("allow");
  });
});
