import { countLines } from "../bytes/count-newlines.ts";
import type { Configuration } from "../limits/configuration.ts";
import { saysNoLimit } from "../limits/defaults.ts";
import type { readEnvironment } from "../limits/environment.ts";
import { definedOnly, kinds } from "../limits/options.ts";
import { type ResolvedLimits, resolveLimits } from "../limits/resolve.ts";
import type { ConfiguredStrategy, Strategy } from "../limits/types.ts";
import type { Markers } from "../preview/types.ts";
import type { GateOptions, Governed, Outcome, SpillwayOptions } from "./types.ts";

export const DEFAULT_TOOL = "tool";
/** A string up to this length is measured at once; a longer one is captured without measuring it first. */
export const SMALL_CHARS = 1024 * 1024;

/** A small text that is within limits, as a result; nothing of it is copied. */
export function wholeWithin(
  { limits, strategy }: ResolvedLimits,
  text: string,
  options: GateOptions,
  outcome: Outcome,
): Governed | undefined {
  const size = sizeWithin(limits, text);
  if (size === undefined) return undefined;
  return {
    kind: "whole",
    tool: options.tool || DEFAULT_TOOL,
    callId: options.callId,
    outcome,
    size,
    limits,
    strategy: previewStrategy(strategy),
    text,
  };
}

/** The size of a small text that is within limits. */
function sizeWithin(limits: ResolvedLimits["limits"], text: string): Governed["size"] | undefined {
  const chars = text.length;
  if (chars > SMALL_CHARS || chars > limits.maxBytes || chars > limits.maxChars) return undefined;
  if (limits.maxTokens !== Infinity) return undefined;
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.maxBytes) return undefined;
  const lines = countLines(text);
  return lines > limits.maxLines ? undefined : { lines, bytes, chars };
}

/** A summary is the caller's to make; until then both ends are shown. */
export function previewStrategy(strategy: ResolvedLimits["strategy"]): Strategy {
  return strategy === "summarize" ? "head_tail" : strategy;
}

/** Sources of limits other than the call. */
export interface LimitSources {
  readonly gate: SpillwayOptions;
  readonly environment: ReturnType<typeof readEnvironment>;
  readonly defaultStrategy: Strategy;
  readonly files: () => Promise<Configuration["files"]>;
}

/** Number of tools whose limits are cached. */
const USUAL_TOOLS = 256;

export class CallLimits {
  readonly #sources: LimitSources;
  /** Limits of calls that name only their tool; always the same, hence cached. */
  readonly #usual = new Map<string, ResolvedLimits>();

  constructor(sources: LimitSources) {
    this.#sources = sources;
  }

  /** Cached limits of a call that names only its tool. */
  known(options: GateOptions): ResolvedLimits | undefined {
    kinds.object(options, "The options of govern()");
    return saysOnlyTool(options) ? this.#usual.get(options.tool || DEFAULT_TOOL) : undefined;
  }

  async resolve(options: GateOptions): Promise<ResolvedLimits> {
    const known = this.known(options);
    if (known !== undefined) return known;
    const resolved = await this.#resolve(options);
    if (saysOnlyTool(options) && this.#usual.size < USUAL_TOOLS)
      this.#usual.set(options.tool || DEFAULT_TOOL, resolved);
    return resolved;
  }

  async #resolve(options: GateOptions): Promise<ResolvedLimits> {
    const { gate, environment, defaultStrategy, files } = this.#sources;
    return resolveLimits({
      call: { ...pickLimits(gate), ...pickLimits(options) },
      files: await files(),
      toolNames: [options.tool || DEFAULT_TOOL, ...(options.aliases ?? [])],
      tool: options.toolLimits,
      environment,
      defaultStrategy,
    });
  }
}

/** Whether markers are in the text and count against the limit; decided by the call, the gate or the tool. */
export function markersFor(
  { markers, markersOnTop, toolLimits }: GateOptions,
  gate: SpillwayOptions,
  strategy: ConfiguredStrategy,
): Markers {
  const onTop = markersOnTop ?? gate.markersOnTop ?? toolLimits?.markersOnTop ?? false;
  // With two ends the marker has to be in the text, between them.
  if (onTop || (markers === "outside" && previewStrategy(strategy) === "head_tail")) return "on_top";
  return markers ?? "inside";
}

function pickLimits({ maxLines, maxBytes, maxChars, maxTokens, strategy }: SpillwayOptions | GateOptions) {
  return definedOnly({ maxLines, maxBytes, maxChars, maxTokens, strategy });
}

function saysOnlyTool(options: GateOptions): boolean {
  return saysNoLimit(options) && options.toolLimits === undefined && options.aliases === undefined;
}
