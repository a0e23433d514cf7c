import { statSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { SpillwayError } from "../errors.ts";
import type { SpillwayOptions } from "../gate/types.ts";
import { parseLimit, parseStrategy } from "../limits/check.ts";
import { PRESETS, resolvePreset } from "../limits/presets.ts";
import { type LimitOptions, type Limits, STRATEGIES, type Strategy } from "../limits/types.ts";

/** Options that every command accepts. */
export interface RootOptions {
  readonly root?: string;
  readonly dir?: string;
  readonly config?: string;
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

/** Adds `--root`, `--dir` and `--config`. */
export function addRootOptions(command: Command): Command {
  return command
    .option("--root <dir>", "project root (default: the working directory)")
    .option("--dir <dir>", "artifact folder, relative to the root")
    .option("--config <file>", "config file (default: spillway.yaml in the root)");
}

/** The gate's options that the shared flags stand for. */
export function resolveRoot(options: RootOptions): Pick<SpillwayOptions, "dir" | "config"> & { readonly root: string } {
  const root = path.resolve(options.root ?? process.cwd());
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new SpillwayError("INVALID_ARGUMENT", `--root ${root} is not a folder.`);
  return { root, dir: options.dir, config: options.config === undefined ? undefined : path.resolve(options.config) };
}

/** Adds the flags that set limits and strategy. */
export function addLimitOptions(command: Command): Command {
  return addRootOptions(command)
    .option("--strategy <name>", `what to keep: ${STRATEGIES.join(", ")}`)
    .option("--max-lines <n>", "most lines")
    .option("--max-bytes <n>", "most bytes, such as 51200 or 50KB")
    .option("--max-chars <n>", "most characters (UTF-16 units)")
    .option("--max-tokens <n>", "most tokens, counted by a tokenizer")
    .option("--preset <name>", `limits by name: ${Object.keys(PRESETS).join(", ")}`)
    .option("--query <text>", "what the reader wants to know; the smart strategy ranks by it");
}

/** The limits that the flags stand for; a flag wins over the preset. */
export function resolveLimitFlags(flags: LimitFlags): LimitOptions {
  const read = (name: keyof LimitFlags, flag: string, units = false): number | undefined => {
    const text = flags[name];
    return text === undefined ? undefined : parseLimit(text, flag, { units });
  };
  const given: LimitOptions = {
    maxLines: read("maxLines", "--max-lines"),
    maxBytes: read("maxBytes", "--max-bytes", true),
    maxChars: read("maxChars", "--max-chars"),
    maxTokens: read("maxTokens", "--max-tokens"),
    strategy: flags.strategy === undefined ? undefined : readStrategy(flags.strategy),
  };
  const preset = flags.preset === undefined ? {} : resolvePreset(flags.preset);
  return { ...preset, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}

function readStrategy(text: string): Strategy {
  const strategy = parseStrategy(text, "--strategy");
  if (strategy !== "summarize") return strategy;
  throw new SpillwayError("INVALID_ARGUMENT", "--strategy summarize needs a model; only the agent has one.");
}

/** An exact token counter when a token limit needs one. */
export async function tokenCounterFor({ maxTokens }: Limits): Promise<((text: string) => number) | undefined> {
  if (maxTokens === Infinity) return undefined;
  const { loadTokenizer } = await import("../preview/tokenizer.ts");
  return loadTokenizer();
}

const FORMATS = ["text", "envelope", "wrapper"] as const;
export type Format = (typeof FORMATS)[number];

/** Checks `--format`. */
export function parseFormat(text: string): Format {
  const format = FORMATS.find((name) => name === text);
  if (format !== undefined) return format;
  throw new SpillwayError(
    "INVALID_ARGUMENT",
    `--format must be one of ${FORMATS.join(", ")}, not ${JSON.stringify(text)}.`,
  );
}
