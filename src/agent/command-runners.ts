import path from "node:path";
import { COMPUTED, commandText } from "./shell-line.ts";

/** What a command runs in its turn. */
export type InnerCommand =
  /** Words of the command from `at` on; `appended` if more words come from somewhere else. */
  | {
      readonly at: number;
      readonly to?: number | undefined;
      readonly appended?: boolean | undefined;
      /** True for a file of commands, which whoever may run the shell may name. */
      readonly isScript?: true;
    }
  /** A shell line. */
  | {
      readonly line: string;
      readonly isRemote?: boolean | undefined;
      /** True if it may be no shell line at all. */
      readonly isGuess?: true;
    }
  /** What it reads from its standard input. */
  | "input"
  /** Nobody can tell before it runs. */
  | "unknown";

const list = (names: string) => new Set(names.split(" "));

/** They run the command that follows their options. */
const RUNNERS = list(
  "env command builtin exec sudo doas pkexec nohup nice ionice time setsid stdbuf unbuffer watch parallel sem xargs busybox toybox unshare nsenter setpriv prlimit numactl runuser strace ltrace gdb valgrind catchsegv fakeroot proot bwrap firejail systemd-run systemd-inhibit dbus-run-session xvfb-run ssh-agent entr tini dumb-init rlwrap torsocks proxychains proxychains4 aa-exec cpulimit hyperfine caffeinate arch noglob nocorrect cgexec chpst softlimit linux32 linux64 eatmydata gtime chronic ts dotenv cross-env daemonize watchexec npx bunx pnpx ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1 capsh coproc setarch script screen tmux { ! ( then do else elif if while until",
);
/** The same after one argument. */
const RUNNERS_AFTER_ONE = list(
  "timeout gtimeout flock chroot taskset chrt faketime runcon setuidgid gosu su-exec perf sg su ssh",
);
/** The same after one argument or none. */
const RUNNERS_AFTER_ANY = list("coproc setarch script screen tmux");
/** They take a shell line as an option's value. */
const LINE_RUNNERS = list("su runuser script sg flock");
/** They add arguments that they read. */
const APPENDERS = list("xargs parallel sem entr");
/** They run the substitutions in their arguments even if these are quoted: `let 'a[$(x)]'`. */
const EVALUATORS = list(
  "let test [ [[ printf read unset declare typeset local export readonly mapfile readarray wait compgen",
);
const SHELLS = list("sh bash dash zsh ksh mksh ash fish rbash csh tcsh pwsh");
/** Their arguments are read elsewhere. */
const RUNS_LINES = new Set([
  ...SHELLS,
  ...list("at batch crontab newgrp eval trap alias source . export declare typeset local readonly"),
]);
/** They run what they read, later. */
const LATER = list("at batch crontab newgrp");
/** They take words and files for what they are, and run none; what their options run is in `RUNNING_OPTIONS`. */
const READERS = list(
  "echo printf true false : cat tac nl head tail wc sort uniq cut paste tr comm join diff cmp ls dir stat file du df tree basename dirname realpath readlink pwd cd pushd popd mkdir rmdir rm cp mv ln touch chmod chown chgrp mktemp install truncate dd sync date cal sleep seq yes expr bc id whoami who groups hostname uname uptime free ps pgrep pkill kill killall lsof grep egrep fgrep zgrep rg ag ack fd fdfind find locate which whereis type man info help apropos whatis tee column fold fmt rev shuf split od xxd hexdump strings base64 md5sum sha1sum sha256sum cksum gzip gunzip zcat bzip2 xz zstd tar zip unzip jq yq curl wget ping dig host nslookup git gh apt apt-get dnf yum apk brew pip pip3 dpkg rpm tput clear history jobs fg bg ulimit umask set shift return exit break continue less more vim vi code tsc eslint prettier biome vitest jest pytest mocha ruff mypy shellcheck cmake ninja test [ [[ let unset read bind hash complete",
);
/** Their first words are subcommands, images and containers. */
const HAVE_SUBCOMMANDS = list(
  "docker podman nerdctl kubectl helm npm pnpm yarn bun cargo go aws gcloud az systemctl lxc make",
);
/** Subcommands, or the sign before a command, after which programs take a command. */
const RUNNING_SUBCOMMANDS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    ["pipenv", "poetry", "uv", "hatch", "pdm", "rye", "conda", "mamba", "op", "doppler", "infisical", "nix"].map(
      (name) => [name, /^(?:run|develop|shell)$/],
    ),
  ),
  ...Object.fromEntries(
    [
      "bundle",
      "direnv",
      "asdf",
      "mise",
      "rbenv",
      "pyenv",
      "aws-vault",
      "rustup",
      "npm",
      "pnpm",
      "yarn",
      "bun",
      "ip",
    ].map((name) => [name, /^(?:exec|x|dlx)$/]),
  ),
  "start-stop-daemon": /^(?:--exec|--startas|-x|-a)$/,
  "nix-shell": /^--(?:run|command)$/,
};
/** Options with two values. */
const TWO_VALUES = /^--(?:ro-|dev-)?bind(?:-try)?$|^--(?:symlink|setenv|file|bind-data|chmod)$/;

interface RunningOption {
  readonly words: RegExp;
  /** The words after it are a command, up to `;` or `+`; else its value is a shell line. */
  readonly rest?: true;
}

/** Options and subcommands with which other programs run commands, or write files that would be run. */
const RUNNING_OPTIONS: Readonly<Record<string, readonly RunningOption[]>> = {
  find: [{ words: /^-(?:exec|ok)(?:dir)?$/, rest: true }, { words: /^-(?:fprint|fls)/ }],
  fd: [{ words: /^(?:-[xX]|--exec(?:-batch)?)$/, rest: true }],
  fdfind: [{ words: /^(?:-[xX]|--exec(?:-batch)?)$/, rest: true }],
  tar: [{ words: /^--(?:to-c|checkpoint-a|use-c|rsh-c|rmt-c|info-s|new-volume-s)|^-[a-zA-Z]*[IF]/ }],
  bsdtar: [{ words: /^--use-c/ }],
  rsync: [{ words: /^--(?:rsh|rsync-path)|^-[a-zA-Z]*e/ }],
  ssh: [{ words: /^-[oFSE]/ }],
  scp: [{ words: /^-[oFSD]/ }],
  sftp: [{ words: /^-[oFSDb]/ }],
  sort: [{ words: /^--compress-p/ }],
  man: [{ words: /^-[PHpC]|^--(?:pager|html|browser|preprocessor|config-file)/ }],
  rg: [{ words: /^--(?:pre|hostname-bin)(?:=|$)/ }],
  zip: [{ words: /^-TT|^--unzip-command/ }],
  go: [{ words: /^--?(?:exec|toolexec|vettool)(?:=|$)/ }],
  cargo: [{ words: /^--config/ }],
  npm: [{ words: /^(?:-c|--call|--script-shell|--shell|--node-options|--git)(?:=|$)/ }],
  npx: [{ words: /^(?:-c|--call|--script-shell|--shell|--node-options)(?:=|$)/ }],
  make: [{ words: /^--eval|^-E|^(?:SHELL|MAKEFLAGS)[:+?]?=/ }],
  mapfile: [{ words: /^-C/ }],
  compgen: [{ words: /^-C/ }],
  complete: [{ words: /^-C/ }],
  bind: [{ words: /^-x/ }],
  hash: [{ words: /^-p/ }],
  readarray: [{ words: /^-C/ }],
  gdb: [{ words: /^--?(?:i?ex|x|eval-command|command)(?:=|$)/ }],
  vim: [{ words: /^(?:-c|--cmd|\+|-S|-u)/ }],
  vi: [{ words: /^(?:-c|\+|-S|-u)/ }],
  less: [{ words: /^(?:\+|-k|--lesskey)/ }],
  wget: [{ words: /^--use-askpass|^-e|^--execute/ }],
};

/** Options of git itself, before the subcommand, that take a value in the next word. */
const GIT_VALUES = /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|super-prefix|config-env|attr-source|list-cmds))$/;
const GIT_OPTIONS = /^(?:-c|--(?:config-env|exec-path=|git-dir|work-tree))/;
/** The same after any subcommand; git accepts beginnings of long options. */
const GIT_SUBCOMMAND_OPTIONS =
  /^--(?:up(?:load|l|$|lo)|rec(?!u)|exec?(?:=|$)|ext|op|conf|temp|ou|ac[a-z-]*=)|^(?:ext|fd)::/;
const GIT_SUBCOMMANDS: Readonly<Record<string, RegExp>> = {
  archive: /^-o/,
  bundle: /^create$/,
  clone: /^-[cu]/,
  "fast-export": /^--export/,
  "format-patch": /^-o/,
  grep: /^-[a-zA-Z]*O/,
  rebase: /^-[a-zA-Z]*[xi]|^--(?:in|ed)/,
  difftool: /^-[xt]|^--to/,
  mergetool: /^-t|^--to/,
  bisect: /^run$/,
  submodule: /^foreach$/,
};
const GIT_RUNNERS = list(
  "filter-branch daemon hook instaweb credential for-each-repo send-email p4 svn imap-send remote-ext remote-fd maintenance shell upload-pack upload-archive receive-pack http-backend web--browse gui citool",
);

/** The program's name without its folder. */
export function programOf(words: readonly string[]): string {
  return path.posix.basename(words[0] ?? "");
}

/** What a command may run without its being known: the arguments and the input of a program that is none of the above. */
export function textItMayRun(words: readonly string[], input = ""): string {
  const program = programOf(words);
  const args = words.slice(1);
  const runsOption = program === "git" ? gitRunsMore(words) : hasRunningOption(words);
  if (READERS.has(program) && !runsOption) return "";
  if ((RUNS_LINES.has(program) || RUNNERS.has(program) || RUNNERS_AFTER_ONE.has(program)) && !runsOption)
    return args.filter((word) => /^\w+=/.test(word)).join("\n");
  let subcommands = HAVE_SUBCOMMANDS.has(program) ? 2 : 0;
  const isSubcommand = (word: string) => word.startsWith("-") || (!/\s/.test(word) && subcommands-- > 0);
  const from = subcommands === 0 ? 0 : args.findIndex((word) => !isSubcommand(word));
  return `${from === -1 ? "" : args.slice(from).join(" ")}\n${input}`;
}

function hasRunningOption(words: readonly string[]): boolean {
  const options = RUNNING_OPTIONS[programOf(words)] ?? [];
  return options.some((option) => option.rest !== true && words.some((word, at) => at > 0 && option.words.test(word)));
}

/** True if options or a subcommand make the program run something that its name does not tell. */
export function runsMore(words: readonly string[]): boolean {
  const program = programOf(words);
  return program === "git"
    ? gitRunsMore(words)
    : (RUNNING_OPTIONS[program] ?? []).some((option) => words.some((word, at) => at > 0 && option.words.test(word)));
}

function gitRunsMore(words: readonly string[]): boolean {
  const at = subcommandOf(words);
  const [subcommand = "", ...rest] = words.slice(at);
  if (words.slice(1, at).some((word) => GIT_OPTIONS.test(word)) || GIT_RUNNERS.has(subcommand)) return true;
  const own = GIT_SUBCOMMANDS[subcommand];
  if (rest.some((word) => GIT_SUBCOMMAND_OPTIONS.test(word) || own?.test(word))) return true;
  const isReading = rest.some((word) => /^(?:--get|--list|-l$|list$|get$)/.test(word));
  return subcommand === "config" && !isReading;
}

/** Where git's subcommand stands. */
function subcommandOf(words: readonly string[]): number {
  let at = 1;
  while (words[at]?.startsWith("-")) at += GIT_VALUES.test(words[at]!) ? 2 : 1;
  return at;
}

/** What a command runs. Where a word may be an option's value or the command, both are given. */
export function innerCommands(words: readonly string[]): readonly InnerCommand[] {
  const program = programOf(words);
  if (program === "eval") return [{ line: commandText(words.slice(words[1] === "--" ? 2 : 1)) }];
  const action = words[words[1] === "--" ? 2 : 1];
  if (program === "trap" && action !== undefined && words.length > 2) return [{ line: action }];
  if (program === "alias") return words.slice(1).map((word) => ({ line: word.slice(word.indexOf("=") + 1) }));
  if (program === "source" || program === ".") return sourcedScript(words);
  if (EVALUATORS.has(program) && words.some((word) => /\$\(|`/.test(word))) return ["unknown"];
  if (SHELLS.has(program)) return [shellScript(words)];
  if (LATER.has(program)) return ["input"];
  const subcommand = RUNNING_SUBCOMMANDS[program];
  const ran = subcommand === undefined ? -1 : words.findIndex((word, at) => at > 0 && subcommand.test(word));
  if (ran !== -1) return [...laterCommands(words.slice(ran)), ...optionCommands(program, words)];
  if (RUNNERS.has(program) || RUNNERS_AFTER_ONE.has(program)) return runnerCommands(program, words);
  return optionCommands(program, words);
}

const STANDARD_INPUT = /^-$|^\/dev\/(?:stdin|fd\/)|^\/proc\/(?:self|\d+)\/fd/;

function sourcedScript(words: readonly string[]): readonly InnerCommand[] {
  const at = words[1] === "--" ? 2 : 1;
  const file = words[at] ?? "";
  if (file.includes(COMPUTED)) return ["unknown"];
  return STANDARD_INPUT.test(file) ? ["input"] : [{ at, isScript: true }];
}

function shellScript(words: readonly string[]): InnerCommand {
  let isLine = false;
  let at = 1;
  for (; /^[-+]./.test(words[at] ?? ""); at++) {
    const word = words[at]!;
    if (word.includes(COMPUTED)) return "unknown";
    if (word === "--") {
      at++;
      break;
    }
    if (/^-[a-zA-Z]*c/.test(word)) isLine = true;
    if (/^[-+][a-zA-Z]*[oO]$|^--(?:rcfile|init-file)$/.test(word)) at++;
    if (/^-[a-zA-Z]*s/.test(word) && !isLine) return "input";
  }
  const operand = words[at];
  if (isLine && operand !== undefined) return operand.includes(COMPUTED) ? "unknown" : { line: operand };
  if (operand === undefined || STANDARD_INPUT.test(operand)) {
    const asksOnly = words.length > 1 && words.slice(1).every((word) => /^--(?:version|help)$/.test(word));
    return asksOnly ? { line: "" } : "input";
  }
  return operand.includes(COMPUTED) ? "unknown" : { at, isScript: true };
}

/** The command after a subcommand, its options and one more argument at most. */
function laterCommands(words: readonly string[]): readonly InnerCommand[] {
  const commands = [words, words.slice(Math.max(0, words.indexOf("--")))];
  return commands.flatMap((from) =>
    ["env", "timeout"].flatMap((like) =>
      runnerCommands(like, from).map((inner) =>
        typeof inner === "object" && "at" in inner ? { line: commandText(from.slice(inner.at)), isGuess: true } : inner,
      ),
    ),
  );
}

function runnerCommands(program: string, words: readonly string[]): readonly InnerCommand[] {
  if (program === "command" && /^-[a-zA-Z]*[vV]/.test(words[1] ?? "")) return [];
  const isRemote = program === "ssh";
  const skips = RUNNERS_AFTER_ANY.has(program) ? [0, 1] : [RUNNERS_AFTER_ONE.has(program) ? 1 : 0];
  const found = new Map<number, InnerCommand>();
  const inline: InnerCommand[] = [];
  const seen = new Set<string>();
  const waiting = skips.map((skip): [at: number, skip: number] => [1, skip]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [at, skip] = next;
    const word = words[at];
    if (word === undefined || seen.has(`${at} ${skip}`)) continue;
    seen.add(`${at} ${skip}`);
    if (word === "--") {
      waiting.push([at + 1, skip]);
    } else if (word.startsWith("-")) {
      const value = /^(?:--[^=]*=|-[a-zA-Z])(.*\s.*)$/s.exec(word)?.[1];
      const line =
        value ?? (LINE_RUNNERS.has(program) && /^-[a-zA-Z]*c$|^--.*command$/.test(word) ? words[at + 1] : undefined);
      if (line !== undefined) inline.push({ line, isGuess: true });
      const takesNext = !word.includes("=") || !word.startsWith("--");
      for (let step = 1; step <= (TWO_VALUES.test(word) ? 3 : takesNext ? 2 : 1); step++)
        waiting.push([at + step, skip]);
    } else if (/^\w+=/.test(word)) {
      waiting.push([at + 1, skip]);
    } else if (skip > 0) {
      waiting.push([at + 1, skip - 1]);
    } else {
      const inner = /\s/.test(word) ? { line: word, isRemote } : { at, appended: APPENDERS.has(program) };
      found.set(at, isRemote && "at" in inner ? { line: commandText(words.slice(at)), isRemote } : inner);
    }
  }
  return [...inline, ...found.values()];
}

function optionCommands(program: string, words: readonly string[]): readonly InnerCommand[] {
  const inner: InnerCommand[] = [];
  const isGit = program === "git";
  const subcommand = isGit ? subcommandOf(words) : 0;
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    const option = (RUNNING_OPTIONS[program] ?? []).find((one) => one.words.test(word));
    if (option?.rest || (isGit && GIT_SUBCOMMANDS[words[subcommand]!]?.test(word) && /^(?:run|foreach)$/.test(word))) {
      const end = words.findIndex(
        (other, index) => index > at && (other === ";" || (other === "+" && program === "find")),
      );
      const line = words[at + 1];
      if (line !== undefined && /\s/.test(line)) inner.push({ line });
      else inner.push({ at: at + 1, to: end === -1 ? undefined : end });
    } else if (option !== undefined || (isGit && runsMore(words) && (word.startsWith("-") || /=!/.test(word)))) {
      const value = word.startsWith("-") && !/[= ]/.test(word) ? words[at + 1] : word.replace(/^--?[\w-]*[= ]?/, "");
      const line = value?.replace(/^[\w.-]+=(?:exec=)?!?/, "").replace(/^exec=/, "");
      if (line !== undefined && line !== "" && !line.includes(COMPUTED)) inner.push({ line, isGuess: true });
    }
  }
  return inner;
}
