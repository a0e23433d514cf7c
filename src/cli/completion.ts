import { Argument, Command } from "commander";
import { HOST_NAMES } from "../integrations/hosts/find-host.ts";
import { PRESETS } from "../limits/defaults.ts";
import { STRATEGIES } from "../limits/types.ts";
import { writeOut } from "./emit.ts";
import { FORMATS } from "./options.ts";

/** What may stand after `spillway NAME` or `spillway NAME SUB`. */
interface Words {
  /** "run", "artifacts read" */
  readonly path: string;
  readonly summary: string;
  readonly next: readonly string[];
  readonly options: readonly { readonly flag: string; readonly summary: string; readonly takesValue: boolean }[];
}

/** Options whose values are known, whatever the command. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "--strategy": STRATEGIES,
  "--preset": Object.keys(PRESETS),
  "--format": FORMATS,
  "--structured": ["shrink", "hide-schema"],
};
const SHELLS = { bash: renderBash, zsh: renderZsh, fish: renderFish } as const;
const SHELL_NAMES = Object.keys(SHELLS) as (keyof typeof SHELLS)[];

const HELP = `
Examples:
  bash  eval "$(spillway completion bash)"                               in ~/.bashrc
  zsh   eval "$(spillway completion zsh)"                                in ~/.zshrc
  fish  spillway completion fish > ~/.config/fish/completions/spillway.fish`;

/** `spillway completion SHELL` */
export function createCompletionCommand(loadAll: () => Promise<ReadonlyMap<string, Command>>): Command {
  return new Command("completion")
    .description("Print a completion script for a shell.")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELL_NAMES))
    .addHelpText("after", HELP)
    .action(async (shell: keyof typeof SHELLS) => writeOut(SHELLS[shell](describeCommands(await loadAll()))));
}

function describeCommands(commands: ReadonlyMap<string, Command>): readonly Words[] {
  return [...commands].flatMap(([name, command]) => [
    describe(name, command, name === "init" ? HOST_NAMES : name === "completion" ? SHELL_NAMES : []),
    ...command.commands.map((sub) => describe(`${name} ${sub.name()}`, sub, [])),
  ]);
}

function describe(path: string, command: Command, values: readonly string[]): Words {
  return {
    path,
    summary: command.description(),
    next: [...command.commands.map((sub) => sub.name()), ...values],
    options: [
      ...command.options.map(({ long, description, required, optional }) => ({
        flag: long ?? "",
        summary: description,
        takesValue: required || optional,
      })),
      { flag: "--help", summary: "explain this command", takesValue: false },
    ],
  };
}

function renderBash(words: readonly Words[]): string {
  const top = words.filter(({ path }) => !path.includes(" "));
  const cases = words.map(
    ({ path, next, options }) => `    "${path}") words="${[...next, ...options.map(({ flag }) => flag)].join(" ")}" ;;`,
  );
  const values = Object.entries(VALUES).map(([flag, known]) => `    ${flag}) words="${known.join(" ")}" ;;`);
  return `_spillway() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words="" place="" at
  for ((at = 1; at < COMP_CWORD && at <= 2; at++)); do
    [[ "\${COMP_WORDS[at]}" == -* ]] && break
    place="\${place:+$place }\${COMP_WORDS[at]}"
  done
  case "$previous" in
${values.join("\n")}
  esac
  if [[ -z "$words" ]]; then
    [[ -z "$place" ]] && words="${top.map(({ path }) => path).join(" ")} --help --version"
    while [[ -z "$words" && -n "$place" ]]; do
      case "$place" in
${cases.join("\n")}
      esac
      [[ "$place" == *" "* ]] || break
      place="\${place% *}"
    done
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _spillway spillway
`;
}

function renderZsh(words: readonly Words[]): string {
  const top = words.filter(({ path }) => !path.includes(" "));
  const list = (entries: readonly (readonly [string, string])[]): string =>
    entries.map(([word, summary]) => `'${zshWord(word)}:${zshWord(summary)}'`).join(" ");
  const cases = words.map(({ path, next, options }) => {
    const all = [
      ...next.map((word) => [word, path] as const),
      ...options.map(({ flag, summary }) => [flag, summary] as const),
    ];
    return `    "${path}") entries=(${list(all)}) ;;`;
  });
  const values = Object.entries(VALUES).map(
    ([flag, known]) => `    ${flag}) entries=(${list(known.map((value) => [value, flag] as const))}) ;;`,
  );
  return `#compdef spillway
_spillway() {
  local -a entries
  local place="" at
  for ((at = 2; at < CURRENT && at <= 3; at++)); do
    [[ "\${words[at]}" == -* ]] && break
    place="\${place:+$place }\${words[at]}"
  done
  case "\${words[CURRENT-1]}" in
${values.join("\n")}
  esac
  if (( \${#entries} == 0 )); then
    [[ -z "$place" ]] && entries=(${list(top.map(({ path, summary }) => [path, summary] as const))})
    while (( \${#entries} == 0 )) && [[ -n "$place" ]]; do
      case "$place" in
${cases.join("\n")}
      esac
      [[ "$place" == *" "* ]] || break
      place="\${place% *}"
    done
  fi
  _describe 'spillway' entries
  _files
}
if [ "$funcstack[1]" = "_spillway" ]; then _spillway "$@"; else compdef _spillway spillway; fi
`;
}

/** A colon ends the word and a quote ends the text. */
function zshWord(text: string): string {
  return text.replaceAll(":", "\\:").replaceAll("'", "'\\''");
}

function renderFish(words: readonly Words[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = words.flatMap(({ path, summary, next, options }) => {
    const [name, sub] = path.split(" ");
    const here =
      sub === undefined
        ? `__fish_seen_subcommand_from ${name}`
        : `__fish_seen_subcommand_from ${name}; and __fish_seen_subcommand_from ${sub}`;
    return [
      ...(sub === undefined ? [`complete -c spillway -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`] : []),
      ...(next.length === 0 ? [] : [`complete -c spillway -n ${quoted(here)} -a ${quoted(next.join(" "))}`]),
      ...options.map(({ flag, summary: about, takesValue }) => {
        const known = VALUES[flag];
        const value = known === undefined ? (takesValue ? " -r" : "") : ` -x -a ${quoted(known.join(" "))}`;
        return `complete -c spillway -n ${quoted(here)} -l ${flag.slice(2)}${value} -d ${quoted(about)}`;
      }),
    ];
  });
  return `${lines.join("\n")}\n`;
}
