import { statSync } from "node:fs";
import path from "node:path";
import { SpillwayError } from "./errors.ts";
import { evaluatePermission, type PermissionRule } from "./gate/permissions.ts";
import { renderPlainHint } from "./gate/render/plain-hint.ts";
import { createGate } from "./gate/spillway.ts";
import type { BoundedResult, Spillway } from "./gate/types.ts";
import { CONFIG_FILE } from "./limits/config-file.ts";
import { MAX_BYTES, MAX_LINES, TRUNCATE_DIR } from "./limits/defaults.ts";
import { ENVIRONMENT_VARIABLES, readEnvironment } from "./limits/environment.ts";
import { checkOptions, kinds, LIMIT_CHECKS, type OptionChecks, pickStrategy } from "./limits/options.ts";
import { type ConfiguredStrategy, type LimitOptions, STRATEGIES, type Strategy } from "./limits/types.ts";

/** What an agent may do, as far as hints depend on it. */
export interface TruncateAgent {
  /** No rules means no Task hint. */
  readonly permission?: readonly PermissionRule[] | undefined;
}

export interface TruncateOptions extends LimitOptions {
  /** The same as `strategy`; two different ones are an error. @default "head" */
  readonly direction?: Strategy | undefined;
  /** Part of the saved file's name, and the name under which the config file may hold limits. @default "output" */
  readonly tool?: string | undefined;
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
): Promise<TruncateResult> {
  if (typeof text !== "string") throw new SpillwayError("INVALID_ARGUMENT", "Truncate.output() takes a string.");
  const { maxLines, maxBytes, maxChars, maxTokens } = options;
  const governed = await openGate().govern(text, {
    maxLines,
    maxBytes,
    maxChars,
    maxTokens,
    strategy: pickStrategy<ConfiguredStrategy>(options),
    toolLimits: definition && limitsOf(definition),
    tool: options.tool ?? "output",
    callId: options.callId,
    markers: "outside",
    tools: hasTask(agent) ? WITH_TASK : undefined,
    counted: false,
  });
  if (governed.kind === "whole") return { content: text, truncated: false };
  const content = renderTruncated(governed);
  if ("artifact" in governed.storage) return { content, truncated: true, outputPath: governed.storage.artifact.path };
  return { content, truncated: true, outputPath: null, lost: governed.storage.lost };
}

/** Removes saved outputs older than the retention time; only files that Spillway wrote. */
async function cleanup(): Promise<void> {
  await openGate().store.cleanup();
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
function sayRemoved({ preview, size, limits }: BoundedResult): string {
  const whole = preview.omissions.every(({ lines, startLine, endLine }) => lines === endLine - startLine + 1);
  const lines = size.lines - preview.kept.lines;
  if (lines > 0 && whole && preview.kept.lines >= limits.maxLines) return `${lines} lines`;
  const kept = preview.omissions.length > 0 ? preview.kept.bytes : Buffer.byteLength(preview.text);
  return `${size.bytes - kept} bytes`;
}

function hasTask(agent: TruncateAgent | undefined): boolean {
  return (
    agent?.permission !== undefined &&
    agent.permission.length > 0 &&
    evaluatePermission("task", "*", agent.permission).action !== "deny"
  );
}

const WITH_TASK: readonly string[] = ["Task", "Read", "Grep"];

interface OpenedGate {
  readonly gate: Spillway;
  readonly folder: string;
  readonly environment: readonly (string | undefined)[];
  readonly config: string;
}

let opened: OpenedGate | undefined;
/** The config file is looked at once in a turn of the event loop: that takes longer than to bound a small text. */
let looked = false;

/** The gate of this working directory, config file and environment; made anew only when one of these has changed. */
function openGate(): Spillway {
  const folder = process.cwd();
  if (opened !== undefined && opened.folder === folder && sameEnvironment(opened.environment)) {
    if (looked) return opened.gate;
    if (lookAtConfig() === opened.config) return opened.gate;
  }
  const config = lookAtConfig();
  const gate = createGate({ dir: directory() }, "head");
  opened = { gate, folder, config, environment: ENVIRONMENT_VARIABLES.map((name) => process.env[name]) };
  return gate;
}

function sameEnvironment(known: OpenedGate["environment"]): boolean {
  return ENVIRONMENT_VARIABLES.every((name, at) => process.env[name] === known[at]);
}

/** What tells one state of the config file from another. */
function lookAtConfig(): string {
  if (!looked) {
    looked = true;
    setImmediate(() => {
      looked = false;
    }).unref();
  }
  const stats = statSync(CONFIG_FILE, { throwIfNoEntry: false });
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
