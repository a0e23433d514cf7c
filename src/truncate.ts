import path from "node:path";
import { invalidArgument } from "./errors.ts";
import { TRUNCATE_SURFACE } from "./gate/ledger.ts";
import { evaluatePermission, type PermissionRule } from "./gate/permissions.ts";
import { renderPlainHint } from "./gate/render/hint-text.ts";
import { createGate, type QuickGate } from "./gate/spillway.ts";
import type { BoundedResult, GateOptions } from "./gate/types.ts";
import { CONFIG_FILE, lookAtFile } from "./limits/configuration.ts";
import { MAX_BYTES, MAX_LINES, saysNoLimit, TRUNCATE_DIR } from "./limits/defaults.ts";
import {
  ENVIRONMENT_VARIABLES,
  type EnvironmentVariable,
  LIMIT_VARIABLES,
  readEnvironment,
} from "./limits/environment.ts";
import { checkOptions, kinds, LIMIT_CHECKS, type OptionChecks, pickStrategy, showValue } from "./limits/options.ts";
import { userConfigFile } from "./limits/trusted-folders.ts";
import { type ConfiguredStrategy, type LimitOptions, STRATEGIES, type Strategy } from "./limits/types.ts";
import type { Outcome } from "./protocol/outcome.ts";

/** What an agent may do, as far as hints depend on it. */
export interface TruncateAgent {
  /** The agent's rules; the last that matches "task" decides. Left out: no Task hint; an empty list denies nothing. */
  readonly permission?: readonly PermissionRule[] | undefined;
}

export interface TruncateOptions extends LimitOptions {
  /** The same as `strategy`; two different ones are an error. @default "head" */
  readonly direction?: Strategy | undefined;
  /** Part of the saved file's name, and the name under which the config file may hold limits. @default "output" */
  readonly tool?: string | undefined;
  /** The call's id, part of the saved file's name. */
  readonly callId?: string | undefined;
}

/** `outputPath` is absolute; when saving failed it is null and `lost` says why. */
export type TruncateResult =
  | { readonly content: string; readonly truncated: false }
  | { readonly content: string; readonly truncated: true; readonly outputPath: string }
  | { readonly content: string; readonly truncated: true; readonly outputPath: null; readonly lost: string };

/** The limits that `Truncate` and `Tool.define` take. */
export const TRUNCATE_LIMIT_CHECKS = {
  ...LIMIT_CHECKS,
  direction: kinds.oneOf(...STRATEGIES),
} satisfies OptionChecks;

const TRUNCATE_CHECKS = { ...TRUNCATE_LIMIT_CHECKS, tool: kinds.text, callId: kinds.text };

/** Bounds a text: the limits hold the kept text, marker and hint come on top. */
async function output(text: string, options: TruncateOptions = {}, agent?: TruncateAgent): Promise<TruncateResult> {
  return truncateOutput(text, checkOptions(options, TRUNCATE_CHECKS, "Truncate.output()"), agent);
}

/** The same with limits of a tool's definition, which rank below the config file's for that tool. */
export async function truncateOutput(
  text: string,
  options: TruncateOptions,
  agent: TruncateAgent | undefined,
  definition?: TruncateOptions,
  outcome?: Outcome,
): Promise<TruncateResult> {
  if (typeof text !== "string") throw invalidArgument(`Truncate.output() takes a string, not ${showValue(text)}.`);
  const { maxLines, maxBytes, maxChars, maxTokens, tool = DEFAULT_TOOL } = options;
  const usual = isUsual(options) && (definition === undefined || isUsual(definition));
  if (usual && openGate(LIMIT_VARIABLES).passes(text, tool)) return { content: text, truncated: false };
  const gate = openGate(ENVIRONMENT_VARIABLES);
  const governed = await gate.govern(text, {
    maxLines,
    maxBytes,
    maxChars,
    maxTokens,
    strategy: pickStrategy<ConfiguredStrategy>(options),
    toolLimits: usual || definition === undefined ? undefined : limitsOf(definition),
    tool,
    callId: options.callId,
    outcome,
    markers: "outside",
    tools: hasTask(agent) ? WITH_TASK : undefined,
    markersOnTop: options.markersOnTop ?? definition?.markersOnTop,
    counted: false,
  } as GateOptions);
  const shown = governed.kind === "whole" ? text : renderTruncated(governed);
  if (governed.kind === "whole") {
    gate.record(governed);
    return { content: text, truncated: false };
  }
  gate.record(governed, { text: shown, strategy: governed.strategy, notice: "" });
  if ("artifact" in governed.storage)
    return { content: shown, truncated: true, outputPath: governed.storage.artifact.path };
  return { content: shown, truncated: true, outputPath: null, lost: governed.storage.lost };
}

/** Removes saved outputs older than the retention time; only files that Spillway wrote. */
async function cleanup(): Promise<void> {
  await openGate(ENVIRONMENT_VARIABLES).store.cleanup();
}

function isUsual(options: TruncateOptions): boolean {
  return saysNoLimit(options) && options.direction === undefined;
}

function limitsOf(options: TruncateOptions): LimitOptions {
  const { maxLines, maxBytes, maxChars, maxTokens } = options;
  return { maxLines, maxBytes, maxChars, maxTokens, strategy: pickStrategy<ConfiguredStrategy>(options) };
}

function renderTruncated(governed: BoundedResult): string {
  const { preview, strategy } = governed;
  const hint = renderPlainHint(governed.hint);
  const marker = `...${sayRemoved(governed)} truncated...`;
  return strategy === "tail" ? `${marker}\n\n${hint}\n\n${preview.text}` : `${preview.text}\n\n${marker}\n\n${hint}`;
}

/** Counted in lines when the line limit ended the kept text, in bytes when the byte limit did. */
function sayRemoved({ preview, size, limits, strategy }: BoundedResult): string {
  const whole = preview.omissions.every(({ lines, startLine, endLine }) => lines === endLine - startLine + 1);
  const lines = size.lines - preview.kept.lines;
  if (lines > 0 && whole && preview.kept.lines >= limits.maxLines) return `${lines} lines`;
  const kept = preview.omissions.length > 0 ? preview.kept.bytes : Buffer.byteLength(preview.text);
  // The newline after the last line of a head stands for none that is shown.
  const newline = strategy === "head" && lines > 0 && whole && preview.kept.lines > 0 ? 1 : 0;
  return `${size.bytes - kept + newline} bytes`;
}

function hasTask(agent: TruncateAgent | undefined): boolean {
  const rules = agent?.permission;
  if (rules === undefined) return false;
  if (!Array.isArray(rules))
    throw invalidArgument(
      `agent.permission must be a list of rules, each { permission, pattern, action }, not ${JSON.stringify(rules)}.`,
    );
  return evaluatePermission("task", "*", rules).action !== "deny";
}

const DEFAULT_TOOL = "output";
const WITH_TASK: readonly string[] = ["Task", "Read", "Grep"];

interface OpenedGate {
  readonly gate: QuickGate;
  readonly folder: string;
  readonly environment: ReadonlyMap<EnvironmentVariable, string | undefined>;
  readonly config: string;
}

let opened: OpenedGate | undefined;
/** The config file is looked at once in a turn of the event loop: that takes longer than to bound a small text. */
let looked = false;

/**
 * The gate of this working directory, config file and environment; made anew only when one of these has changed. To read
 * a variable takes long too: those that decide nothing now are read with the config file only.
 */
function openGate(deciding: readonly EnvironmentVariable[]): QuickGate {
  const folder = process.cwd();
  const variables = looked ? deciding : ENVIRONMENT_VARIABLES;
  if (opened !== undefined && opened.folder === folder && sameEnvironment(opened.environment, variables)) {
    if (looked) return opened.gate;
    if (lookAtConfig() === opened.config) return opened.gate;
  }
  const config = lookAtConfig();
  const gate = createGate({ dir: directory(), surface: TRUNCATE_SURFACE }, "head");
  const environment = new Map(ENVIRONMENT_VARIABLES.map((name) => [name, process.env[name]] as const));
  opened = { gate, folder, config, environment };
  return gate;
}

function sameEnvironment(known: OpenedGate["environment"], variables: readonly EnvironmentVariable[]): boolean {
  for (const name of variables) if (process.env[name] !== known.get(name)) return false;
  return true;
}

/** What tells one state of the config files from another. */
function lookAtConfig(): string {
  if (!looked) {
    looked = true;
    setImmediate(() => {
      looked = false;
    }).unref();
  }
  return [CONFIG_FILE, userConfigFile()].map(stateOf).join();
}

function stateOf(file: string): string {
  const stats = lookAtFile(file);
  return stats === undefined ? "" : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}

function directory(): string {
  return path.resolve(readEnvironment(process.env).dir ?? TRUNCATE_DIR);
}

/** One function that bounds a text and saves the rest, for hosts that know it by this name. */
export const Truncate = {
  MAX_LINES,
  MAX_BYTES,
  /** Where outputs are saved: `tool-output/` below the working directory, or `TOOL_OUTPUT_DIR`. */
  get DIR(): string {
    return directory();
  },
  /** Matches every saved output. */
  get GLOB(): string {
    return path.join(directory(), "*");
  },
  output,
  cleanup,
} as const;

/** The types of the module by its own names. */
export declare namespace Truncate {
  export type Options = TruncateOptions;
  export type Result = TruncateResult;
}
