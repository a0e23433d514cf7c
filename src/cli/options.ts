import { existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { Command } from "commander";
import { invalidArgument } from "../errors.ts";
import type { SpillwayOptions } from "../gate/types.ts";
import { given, parseBytes, parseLimit, parseStrategy } from "../limits/check.ts";
import { CONFIG_FILE } from "../limits/configuration.ts";
import { ARTIFACT_DIR, MAX_BYTES, MAX_LINES, PRESETS, resolvePreset } from "../limits/defaults.ts";
import { definedOnly } from "../limits/options.ts";
import { parseStoreUri } from "../limits/store-settings.ts";
import { type LimitOptions, STRATEGIES, type Strategy } from "../limits/types.ts";
import { formatCount } from "../preview/omission.ts";

/** What marks the top folder of a project. */
const MARKS = ["spillway.yaml", ".git"];

/**
 * The nearest folder from `from` upwards that holds `spillway.yaml` or `.git`; `from` itself when there is none. The
 * search ends before the home folder, the top of the file system and any folder of another user.
 */
export function findRoot(from: string, home: string = homedir()): string {
  const ends = new Set([path.parse(from).root, home, realPath(home)]);
  const owner = process.getuid?.();
  for (let folder = from; !ends.has(folder); folder = path.dirname(folder)) {
    if (owner !== undefined && statSync(folder, { throwIfNoEntry: false })?.uid !== owner) break;
    if (MARKS.some((mark) => existsSync(path.join(folder, mark)))) return folder;
  }
  return from;
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Options that every command accepts. */
export interface RootOptions {
  readonly root?: string;
  readonly dir?: string;
  readonly config?: string;
  /** `s3://bucket/prefix`. */
  readonly store?: string;
  /** Of the commands that bound an output. */
  readonly redact?: boolean;
}

/** Options of the commands that bound an output. */
export interface LimitFlags extends RootOptions {
  readonly strategy?: string;
  readonly maxLines?: string;
  readonly maxBytes?: string;
  readonly maxChars?: string;
  readonly maxTokens?: string;
  readonly preset?: string;
  readonly query?: string;
}

const NEAREST_ROOT = "the nearest folder, here or above, with spillway.yaml or .git, else the working directory";
const WORKING_ROOT = "the working directory";

/** Adds `--root`, `--dir` and `--config` to a command that works on the project around the working directory. */
export function addProjectOptions(command: Command): Command {
  return addFlags(command, NEAREST_ROOT);
}

/** The same for a command whose tools must not leave the root, so that it is never wider than the caller sees. */
export function addRootOptions(command: Command): Command {
  return addFlags(command, WORKING_ROOT);
}

const SHOWING = "What to show:";
const PLACES = "Project and storage:";

/** In the help of a command its own options come first, those that others have too below headings of their own. */
function orderHelp(command: Command): Command {
  return command.configureHelp({
    groupItems: (_, visible, groupOf) => {
      const headings = [...new Set(visible.map(groupOf))];
      headings.sort((a, b) => [SHOWING, PLACES].indexOf(a) - [SHOWING, PLACES].indexOf(b));
      return new Map(headings.map((heading) => [heading, visible.filter((item) => groupOf(item) === heading)]));
    },
  });
}

function addFlags(command: Command, defaultRoot: string): Command {
  return orderHelp(command)
    .optionsGroup(PLACES)
    .option("--root <dir>", `project root (default: ${defaultRoot})`)
    .option("--dir <dir>", `folder for artifacts, relative to the root (default: ${ARTIFACT_DIR})`)
    .option(
      "--store <uri>",
      "keep artifacts in this bucket instead, s3://bucket/prefix (default: $SPILLWAY_STORE, else none)",
    )
    .option("--config <file>", `read this configuration file instead of the root's ${CONFIG_FILE} (default: none)`)
    .optionsGroup("");
}

/** A command that does nothing by itself but name its subcommands. */
export function createGroup(name: string, description: string, subcommands: readonly Command[]): Command {
  const names = subcommands.map((each) => each.name());
  const group = new Command(name)
    .description(description)
    .argument("[command]")
    .usage(`${names.join("|")} [options]`)
    .action(async (given?: string) => {
      if (given === undefined) return group.outputHelp();
      const { guessName } = await import("../limits/near-name.ts");
      const guess = guessName(given, names);
      throw invalidArgument(`unknown command ${name} ${JSON.stringify(given)}; known: ${names.join(", ")}.${guess}`);
    });
  for (const each of subcommands) group.addCommand(each);
  return group;
}

type Place = Pick<SpillwayOptions, "dir" | "config" | "redact"> & {
  readonly root: string;
  readonly store?: string | undefined;
};

/** What the shared flags say of the project around the working directory. */
export function resolveProject(options: RootOptions): Place {
  return resolveRoot({ ...options, root: options.root ?? findRoot(process.cwd()) });
}

/** What the shared flags say when the working directory itself is the root. */
export function resolveRoot(options: RootOptions): Place {
  const root = path.resolve(options.root ?? process.cwd());
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw invalidArgument(`--root ${root} is not a folder.`);
  const config = options.config === undefined ? undefined : path.resolve(options.config);
  const store = given(options.store, "--store", parseStoreUri);
  return { root, dir: options.dir, store, config, redact: options.redact };
}

/** Adds `--redact` to a command whose outputs are shown or saved. */
export function addRedactOption(command: Command): Command {
  return command.option("--redact", "replace secrets before anything is shown or saved (default: as configured)");
}

/** Adds the flags that set limits and strategy; the defaults named hold where no config file says otherwise. */
export function addLimitOptions(command: Command): Command {
  return command
    .optionsGroup(SHOWING)
    .option("--strategy <name>", `what to keep: ${STRATEGIES.join(", ")} (default: smart)`)
    .option("--max-lines <n>", `most lines to show (default: ${formatCount(MAX_LINES)})`)
    .option("--max-bytes <n>", `most bytes to show, such as 51200 or 50KB (default: ${formatCount(MAX_BYTES)})`)
    .option("--max-chars <n>", "most characters to show, in UTF-16 units (default: no limit)")
    .option("--max-tokens <n>", "most tokens to show, counted with a tokenizer (default: no limit)")
    .option("--preset <name>", `a named set of limits: ${Object.keys(PRESETS).join(", ")} (default: none)`)
    .option("--query <text>", "what you want to know; the smart strategy keeps what answers it (default: nothing)")
    .optionsGroup("");
}

/** The limits that the flags stand for; a flag wins over the preset. */
export function resolveLimitFlags(flags: LimitFlags): LimitOptions {
  const said: LimitOptions = {
    maxLines: given(flags.maxLines, "--max-lines", parseLimit),
    maxBytes: given(flags.maxBytes, "--max-bytes", parseBytes),
    maxChars: given(flags.maxChars, "--max-chars", parseLimit),
    maxTokens: given(flags.maxTokens, "--max-tokens", parseLimit),
    strategy: flags.strategy === undefined ? undefined : readStrategy(flags.strategy),
  };
  const preset = flags.preset === undefined ? {} : resolvePreset(flags.preset);
  return { ...preset, ...definedOnly(said) };
}

function readStrategy(text: string): Strategy {
  const strategy = parseStrategy(text, "--strategy");
  if (strategy !== "summarize") return strategy;
  throw invalidArgument("--strategy summarize needs a model; only the agent has one.");
}

/** Flags of the commands whose result can be printed in several forms. */
export interface FormatFlags {
  readonly format?: string;
  readonly json?: boolean;
}

export const FORMATS = ["text", "json", "wrapper", "envelope"] as const;
export type Format = (typeof FORMATS)[number];

export function addFormatOptions(command: Command): Command {
  return command
    .option("--format <format>", `${FORMATS.join(", ")}; all but text print a single JSON document (default: text)`)
    .option("--json", "the same as --format json");
}

export function resolveFormat({ format: text, json }: FormatFlags): Format {
  const format = FORMATS.find((name) => name === (text ?? (json === true ? "json" : "text")));
  if (format === undefined)
    throw invalidArgument(`--format must be one of ${FORMATS.join(", ")}, not ${JSON.stringify(text)}.`);
  if (json === true && format !== "json") throw invalidArgument(`--json and --format ${format} contradict each other.`);
  return format;
}
