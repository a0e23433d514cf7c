import path from "node:path";
import { quoteWord } from "../../gate/quote-word.ts";
import type { Host, ShellPlace } from "./host.ts";
import { spoolFolder } from "./program-folder.ts";

/** A file that a host starts or reads, below the program's folder. */
export interface FrontFile {
  readonly path: string;
  readonly text: string;
  readonly executable: boolean;
}

/** Lines that are Spillway's own commands, which bound what they print themselves. */
const OWN = [
  "spillway *",
  "npx spillway *",
  "npx -y spillway *",
  "node */spillway.mjs *",
  "node */spillway.mjs\\' *",
].map((pattern) => pattern.replaceAll(" ", "\\ "));

/** What `bin/spillway-shell` wants to know, as assignments for sh. */
export function frontVariables(host: Host, folder: string): string {
  const variables = {
    sw_host: host.name,
    sw_success: host.maxBytes.success,
    sw_failure: host.maxBytes.failure,
    sw_patience: Math.ceil(host.patienceMs / 1000),
    sw_node: process.execPath,
    sw_program: path.join(folder, "bin", "spillway.mjs"),
    sw_spool: spoolFolder(),
  };
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${quoteWord(String(value))}`)
    .join("\n");
}

/** The files by which a host's shell tool runs through the front; the last is the one that the host is told of. */
export function frontFiles(host: Host, shell: ShellPlace, folder: string): readonly FrontFile[] {
  const own = path.join(folder, "hosts", host.name);
  const front = path.join(own, "front");
  const source = `. ${quoteWord(path.join(folder, "bin", "spillway-shell"))}`;
  const head = `#!/bin/sh\n# Written by \`spillway init ${host.name}\`; \`spillway init ${host.name} --remove\` takes it out again.`;
  if (shell.by === "prefix") {
    const text = [head, choosePrefixShell(shell.lineHolds), frontVariables(host, folder), source, ""].join("\n");
    return [{ path: front, text, executable: true }];
  }
  const recognise = shell.by === "bash-env-dotenv" ? shell.recognise : "true";
  const bashEnv = path.join(own, "bash-env.sh");
  return [
    { path: front, text: [head, frontVariables(host, folder), source, ""].join("\n"), executable: true },
    { path: bashEnv, text: bashEnvText(host, front, recognise), executable: false },
  ];
}

/** The host hands over one line; whatever is no line of its shell tool runs as it is. */
function choosePrefixShell(lineHolds: string): string {
  return `sw_shell=\${CLAUDE_CODE_SHELL-}
case $1 in
*snapshot-zsh-*) sw_kind=zsh ;;
*) sw_kind=bash ;;
esac
[ -x "$sw_shell" ] || sw_shell=$(command -v "$sw_kind") || sw_shell=/bin/sh
sw_line=$1
sw_plain=\${SPILLWAY_INSIDE-}
case $sw_line in
*${quoteWord(lineHolds)}*) ;;
*) sw_plain=1 ;;
esac
case \${sw_line#*eval ?} in
${OWN.join("|")}) sw_plain=1 ;;
esac
shift
set -- "$sw_shell" -c "$sw_line" "$@"
[ -z "$sw_plain" ] || exec "$@"`;
}

function bashEnvText(host: Host, front: string, recognise: string): string {
  return `# Bash reads this before a command line of ${host.title}. Written by \`spillway init ${host.name}\`.
if [ -n "\${SPILLWAY_BASH_ENV-}" ]; then export BASH_ENV="$SPILLWAY_BASH_ENV"; else unset BASH_ENV; fi
if [ "\${SPILLWAY-}" != off ] && [ -z "\${SPILLWAY_INSIDE-}" ] && [ -n "\${BASH_EXECUTION_STRING-}" ] \\
  && ${recognise} && [ -r ${quoteWord(front)} ] && [ -x /bin/sh ]; then
  case \${BASH_EXECUTION_STRING#shopt -u *; } in
  ${OWN.join("|")}) ;;
  *)
    sw_flags=
    case $- in *e*) sw_flags=-e ;; esac
    if shopt -q login_shell; then sw_flags="$sw_flags -l"; fi
    exec /bin/sh ${quoteWord(front)} "$BASH" $sw_flags -c "$BASH_EXECUTION_STRING" "$0" "$@"
    ;;
  esac
fi
if [ -r "\${BASH_ENV-}" ]; then . "$BASH_ENV"; fi
`;
}
