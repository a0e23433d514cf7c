import { fieldsOf } from "../bytes/json/is-object.ts";
import { parseJson } from "../bytes/json/parse-json.ts";
import { TRUNCATE_DIR } from "../limits/defaults.ts";
import { checkOptions, kinds, pickStrategy } from "../limits/options.ts";
import { type ConfiguredStrategy, STRATEGIES, type Strategy } from "../limits/types.ts";
import { fromLegacy, parseEnvelope } from "../protocol/from-legacy.ts";
import { TOOL_STATUSES, type ToolResponse, type ToolStatus } from "../protocol/types.ts";
import { governResponse } from "./observation.ts";
import { GOVERN_CHECKS, SPILLWAY_CHECKS } from "./option-checks.ts";
import { renderValue } from "./output.ts";
import { resolveReader } from "./reader.ts";
import { renderObservationHint } from "./render/hint-text.ts";
import { createGate } from "./spillway.ts";
import type { GovernOptions, Spillway, SpillwayOptions } from "./types.ts";

export interface ObservationTruncatorOptions extends SpillwayOptions {
  /** The envelope's name for `strategy`; both and different throws. @default "head" */
  readonly direction?: Strategy | undefined;
}

const TRUNCATOR_CHECKS = { ...SPILLWAY_CHECKS, direction: kinds.oneOf(...STRATEGIES) };

const { tool: _tool, outcome: _outcome, ...RESPONSE_CHECKS } = { ...GOVERN_CHECKS, task: kinds.flag };

export interface TruncateResponseOptions extends Omit<GovernOptions, "tool" | "outcome"> {
  /** True when the reader has a Task tool; the hint then says to delegate. @default false */
  readonly task?: boolean | undefined;
}

/** Bounds finished tool responses before they enter the history; keeps originals in `tool-output/` below the root. */
export class ObservationTruncator {
  readonly #spillway: Spillway;
  readonly #tools: readonly string[];

  constructor(options: ObservationTruncatorOptions = {}) {
    const { direction, ...rest } = checkOptions(options, TRUNCATOR_CHECKS, "ObservationTruncator");
    this.#tools = resolveReader(rest).tools;
    const strategy = pickStrategy<ConfiguredStrategy>({ direction, strategy: options.strategy });
    this.#spillway = createGate({ defaultDir: TRUNCATE_DIR, ...rest, strategy }, "head");
  }

  /**
   * Returns the input untouched if it is within limits or asks to be skipped and contains no secret; otherwise its
   * truncated envelope. The envelope may be JSON text; other values (a plain string, an old result, a thrown error)
   * become one first.
   */
  truncate(toolName: string, response: object, options?: TruncateResponseOptions): Promise<ToolResponse>;
  truncate(toolName: string, response: unknown, options?: TruncateResponseOptions): Promise<ToolResponse | string>;
  async truncate(
    toolName: string,
    given: unknown,
    options: TruncateResponseOptions = {},
  ): Promise<ToolResponse | string> {
    kinds.text(toolName, "The tool's name in truncate()");
    const { task = false, ...rest } = checkOptions(options, RESPONSE_CHECKS, "truncate()");
    const response = parseEnvelope(given);
    const leavesSecrets = (await this.#spillway.redaction()) === undefined;
    if (asksToSkip(response) && leavesSecrets) return typeof given === "string" ? given : response;
    const tools = task ? [...this.#tools.filter((tool) => tool.toLowerCase() !== "task"), "Task"] : this.#tools;
    const reading = { markers: "outside" as const, tools, ...rest };
    const envelope = fromLegacy(response);
    const { response: bounded } = await governResponse(
      this.#spillway,
      toolName,
      envelope,
      reading,
      renderObservationHint,
    );
    const untouched = bounded === envelope || (!leavesSecrets && renderValue(bounded) === renderValue(envelope));
    return untouched && isJsonResult(given, response) ? given : bounded;
  }

  /** Counters per tool, for the truncation rate. */
  stats(): ReturnType<Spillway["stats"]> {
    return this.#spillway.stats();
  }
}

/** True for JSON that needs no conversion: an envelope, or an object or a list of the tool's own. */
function isJsonResult(given: unknown, response: unknown): given is string {
  if (typeof given !== "string") return false;
  if (response === given) return /^\s*[{[]/.test(given) && parseJson(given) !== undefined;
  const { status, error } = fieldsOf(response);
  return TOOL_STATUSES.includes(status as ToolStatus) && typeof error !== "string";
}

function asksToSkip(response: unknown): response is ToolResponse {
  const { context } = (response ?? {}) as { readonly context?: { readonly truncation_skip?: unknown } | null };
  return context?.truncation_skip === true;
}
