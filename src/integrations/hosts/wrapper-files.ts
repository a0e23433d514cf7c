import { existsSync } from "node:fs";
import path from "node:path";
import { quoteWord } from "../../gate/quote-word.ts";
import type { HookPlace, Host, ShellPlace } from "./host.ts";
import { spoolFolder, stampFolder, TEMPORARY_STAMPS } from "./program-folder.ts";

/** A file in the program's folder that a host starts or reads. */
export interface WrapperFile {
  readonly path: string;
  readonly text: string;
  readonly executable: boolean;
}

/** The settings of `bin/spillway-shell`, as assignments for sh. */
export function wrapperVariables(host: Host, folder: string): string {
  const variables = {
    sw_host: host.name,
    sw_success: host.maxBytes.success,
    sw_failure: host.maxBytes.failure,
    sw_early: (host.earlyMs ?? host.patienceMs) / 1000,
    sw_patience: host.patienceMs / 1000,
    sw_terminal: host.terminal ?? "plain",
    ...(host.idleMs !== undefined && { sw_idle: host.idleMs / 3000 }),
    ...(host.errorsOnly && { sw_errors: 1 }),
    sw_node: process.execPath,
    sw_program: path.join(folder, "bin", "spillway.mjs"),
    sw_spool: spoolFolder(),
    sw_used: stampFolder(),
  };
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${quoteWord(String(value))}`);
  return [...assignments, ASKS_REDACTION].join("\n");
}

/** Sets `sw_redact` if a config file mentions redaction; node reads the setting itself. */
const ASKS_REDACTION = `sw_redact=
sw_asks() { [ -r "$1" ] && grep -q '^redact:' "$1" 2>/dev/null && sw_redact=1; }
sw_asks "\${XDG_CONFIG_HOME:-\${HOME-}/.config}/spillway/config.yaml" || {
  sw_up=$PWD
  while [ -n "$sw_up" ] && ! sw_asks "$sw_up/spillway.yaml" && [ ! -e "$sw_up/.git" ]; do sw_up=\${sw_up%/*}; done
}`;

/** Records when the host last ran this, for `spillway doctor --host`; a sandbox may allow only the temporary folder. */
const LEAVE_STAMP = `sw_stamp() { [ -d "$1" ] && [ -O "$1" ] && [ ! -L "$1" ] && true >"$1/$sw_host"; }
if [ -z "\${SPILLWAY_TRYING-}" ] && [ "\${SPILLWAY-}" != off ]; then
  { sw_stamp "$sw_used" || { sw_tmp=\${TMPDIR:-/tmp}/${TEMPORARY_STAMPS}; mkdir -p -m 700 "$sw_tmp"; sw_stamp "$sw_tmp"; }; } 2>/dev/null
fi`;

/** The files that wrap a host's shell tool; the host's settings name the last one. */
export function wrapperFiles(host: Host, shell: ShellPlace, folder: string): readonly WrapperFile[] {
  const own = path.join(folder, "hosts", host.name);
  const wrapper = path.join(own, "front");
  const shared = quoteWord(path.join(folder, "bin", "spillway-shell"));
  // A shell stops if it cannot read a sourced file; the command must run anyway.
  const source = `[ -n "\${BASH_VERSION-}" ] && [ -r ${shared} ] || exec "$@"\n. ${shared}`;
  const head = `#!/bin/sh\n# Written by \`spillway init ${host.name}\`; \`spillway init ${host.name} --remove\` takes it out again.`;
  const parts = [BASH_HEAD, wrapperVariables(host, folder), LEAVE_STAMP, source, ""];
  if (shell.by === "shell") {
    const program = shellProgram(host, shell, folder);
    // Settings of an earlier version start the wrapper with the line as its only argument.
    const former = `[ $# != 1 ] || exec ${quoteWord(program.path)} -c "$1"`;
    return [{ path: wrapper, text: [head, former, ...parts].join("\n"), executable: true }, program];
  }
  const bashEnv = path.join(own, "bash-env.sh");
  return [
    { path: wrapper, text: [head, ...parts].join("\n"), executable: true },
    ...(shell.by === "bash-env-dotenv"
      ? []
      : [{ path: path.join(own, "zsh", ZSH_FILE), text: zshEnvText(host, wrapper, shell), executable: false }]),
    { path: bashEnv, text: bashEnvText(host, wrapper, shell), executable: false },
  ];
}

const ZSH_FILE = ".zshenv";

/** The file among them that zsh reads. */
export function zshFile(files: readonly WrapperFile[]): string {
  return files.find((file) => path.basename(file.path) === ZSH_FILE)?.path ?? "";
}

/**
 * The command is in the arguments and its line in a variable, so that a line such as `pkill -f NAME` does not match the
 * wrapper's own arguments.
 */
const BASH_HEAD = `[ -n "\${BASH_VERSION-}" ] || ! command -v bash >/dev/null || exec bash --posix "$0" "$@"
if [ -n "\${SPILLWAY_LINE+x}" ]; then
  sw_line=$SPILLWAY_LINE
  unset SPILLWAY_LINE
  sw_words=()
  while [ "$1" != -c ]; do sw_words+=("$1") && shift; done
  shift
  set -- "\${sw_words[@]}" -c "$sw_line" "$@"
fi`;

export type OwnShellPlace = Extract<ShellPlace, { by: "shell" }>;

/** The host expects one of these words in the path of a shell. */
const SHELLS = ["bash", "zsh"] as const;

/** The shell programs that `init` wrote; two if the user has changed shells since. */
export function writtenShells({ programFolder }: OwnShellPlace): readonly string[] {
  return SHELLS.map((name) => path.join(programFolder(), name)).filter((file) => existsSync(file));
}

/**
 * The program that a host uses as its shell. Lines of the shell tool run in the wrapper. Everything else, and everything
 * if Spillway is gone, runs in the shell that the host would have chosen.
 */
export function shellProgram(
  host: Host,
  { lineHolds }: OwnShellPlace,
  folder: string,
  into = path.join(folder, "hosts", host.name),
): WrapperFile {
  const wrapper = quoteWord(path.join(folder, "hosts", host.name, "front"));
  const kind = SHELLS.find((name) => process.env.SHELL?.includes(name)) ?? (onPath("zsh") ? "zsh" : "bash");
  const text = `#!/bin/sh
# Written by \`spillway init ${host.name}\`; \`spillway init ${host.name} --remove\` removes it.
sw_login=
sw_line=\${2-}
[ "$sw_line" != -l ] || sw_login=-l sw_line=\${3-}
case $sw_line in
*snapshot-zsh-*) sw_kind=zsh ;;
*snapshot-bash-*) sw_kind=bash ;;
*) sw_kind=\${0##*/} ;;
esac
for sw_shell in "\${SPILLWAY_SHELL-}" "\${SHELL-}" ${quoteWord(process.env.SHELL ?? "")} "/bin/$sw_kind" "/usr/bin/$sw_kind"; do
  case $sw_shell in
  "$0" | */spillway/bash | */spillway/zsh) ;;
  *"$sw_kind"*) [ ! -x "$sw_shell" ] || break ;;
  esac
  sw_shell=
done
[ -n "$sw_shell" ] || sw_shell=$(command -v "$sw_kind" || command -v bash || echo /bin/sh)
[ "\${SHELL-}" != "$0" ] || export SHELL="$sw_shell"
case \${1-}$sw_line in
-c*${quoteWord(lineHolds)}*)
  if [ -x ${wrapper} ] && command -v bash >/dev/null; then
    export SPILLWAY_LINE="$sw_line"
    exec bash --posix ${wrapper} "$sw_shell" $sw_login -c
  fi
  ;;
esac
exec "$sw_shell" "$@"
`;
  return { path: path.join(into, kind), text, executable: true };
}

function onPath(name: string): boolean {
  return (process.env.PATH ?? "").split(path.delimiter).some((folder) => existsSync(path.join(folder, name)));
}

/** Programs that the line starts see the user's own variables. */
const RESTORE = `if [ -n "\${SPILLWAY_BASH_ENV-}" ]; then export BASH_ENV="$SPILLWAY_BASH_ENV"; else unset BASH_ENV; fi
case "\${ZDOTDIR-}" in
*/spillway/*/hosts/*) if [ -n "\${SPILLWAY_ZDOTDIR-}" ]; then export ZDOTDIR="$SPILLWAY_ZDOTDIR"; else unset ZDOTDIR; fi ;;
esac`;

type EnvironmentPlace = Exclude<ShellPlace, { by: "shell" }>;

function zshEnvText(host: Host, wrapper: string, shell: EnvironmentPlace): string {
  return `# zsh reads this before a command line of ${host.title}. Written by \`spillway init ${host.name}\`.
${leaveFrame("ZSH_EXECUTION_STRING", shell)}${RESTORE}
if [ "\${SPILLWAY-}" != off ] && [ -n "\${ZSH_EXECUTION_STRING-}" ] && [ -r ${quoteWord(wrapper)} ] && command -v bash >/dev/null; then
  sw_flags=()
  [[ -o errexit ]] && sw_flags+=(-e)
  [[ -o login ]] && sw_flags+=(-l)
  SPILLWAY_LINE=$ZSH_EXECUTION_STRING exec bash --posix ${quoteWord(wrapper)} "$(command -v zsh)" "\${sw_flags[@]}" -c "$0" "$@"
fi
if [ -r "\${ZDOTDIR:-$HOME}/.zshenv" ]; then . "\${ZDOTDIR:-$HOME}/.zshenv"; fi
`;
}

/** Skips a frame of the host; the line follows in its own shell, which has the same variables. */
function leaveFrame(variable: string, shell: EnvironmentPlace): string {
  return shell.by === "bash-env-toml" ? `case \${${variable}-} in ${shell.frame}*) return 0 ;; esac\n` : "";
}

function bashEnvText(host: Host, wrapper: string, shell: EnvironmentPlace): string {
  const recognise = shell.by === "bash-env-dotenv" ? shell.recognise : "true";
  return `# Bash reads this before a command line of ${host.title}. Written by \`spillway init ${host.name}\`.
${leaveFrame("BASH_EXECUTION_STRING", shell)}${RESTORE}
if [ "\${SPILLWAY-}" != off ] && [ -n "\${BASH_EXECUTION_STRING-}" ] && ${recognise} && [ -r ${quoteWord(wrapper)} ]; then
  sw_flags=()
  for sw_flag in e u x f v; do case $- in *$sw_flag*) sw_flags+=("-$sw_flag") ;; esac; done
  if shopt -qo pipefail; then sw_flags+=(-o pipefail); fi
  if shopt -q login_shell; then sw_flags+=(-l); fi
  SPILLWAY_LINE="$BASH_EXECUTION_STRING" exec "$BASH" --posix ${quoteWord(wrapper)} "$BASH" "\${sw_flags[@]}" -c "$0" "$@"
fi
if [ -r "\${BASH_ENV-}" ]; then . "$BASH_ENV"; fi
`;
}

/** The program that a host runs after a tool. It starts node only if a result may be too large or may hold secrets. */
export function hookFile(host: Host, place: HookPlace, folder: string): WrapperFile {
  // Some hosts send a text twice: for the model and for the user.
  const size = `[ "$(wc -c <"$sw_input")" -gt "$sw_success" ]`;
  const saved = place.saved && `grep -qF ${quoteWord(place.saved.phrase)} "$sw_input"`;
  const long = [...(place.answer === "add-context" ? [] : [size]), ...(saved === undefined ? [] : [saved])];
  const text = `#!/bin/sh
# Written by \`spillway init ${host.name}\`; \`spillway init ${host.name} --remove\` removes it.
# On any error it answers nothing and exits 0, because another exit code would block the tool.
[ "\${SPILLWAY-}" = off ] && exec cat >/dev/null
${wrapperVariables(host, folder)}
${LEAVE_STAMP}
sw_input=$sw_spool/hook-$$
[ -d "$sw_spool" ] || (umask 077 && mkdir -p "$sw_spool") 2>/dev/null
if (umask 077 && exec cat >"$sw_input") 2>/dev/null &&
  { [ -n "$sw_redact" ] || ${long.join(" || ")}; }; then
  [ -x "$sw_node" ] || sw_node=node
  "$sw_node" "$sw_program" hook "$sw_host" "\${1:-${place.events[0]}}" <"$sw_input" 2>/dev/null
else
  cat >/dev/null
fi
rm -f "$sw_input"
exit 0
`;
  return { path: path.join(folder, "hosts", host.name, "hook"), text, executable: true };
}
