import type { Capture, GateOptions, GovernOptions } from "../../gate/types.ts";
import type { Limits } from "../../limits/types.ts";
import { measure } from "../../preview/measure.ts";
import { type CompleteData, failure, partial, type Reduction, success, ToolFailure } from "../../protocol/builder.ts";
import type { AnyErrorCode, ToolContext, ToolResponse, ToolStats } from "../../protocol/types.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Advice, ToolEnvironment } from "./define-tool.ts";

/** Share of the limits that is left for items, apart from preview and notice. */
const SHARE = 0.75;

/** True if this many items with this many bytes are shown whole, so that advice may promise all of them. */
export function fitsWhole(items: number, bytes: number, { maxLines, maxBytes, maxChars, maxTokens }: Limits): boolean {
  return items <= maxLines && bytes <= Math.min(maxBytes, maxChars, maxTokens * 2) * SHARE;
}

/** True if these items, one line of compact JSON each, are within the limits. */
export function fitsAsItems(items: readonly unknown[], { maxLines, maxBytes, maxChars, maxTokens }: Limits): boolean {
  const lines = items.map((item) => `${JSON.stringify(item)}\n`);
  const chars = lines.reduce((sum, line) => sum + line.length, 0);
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
  return items.length <= maxLines && bytes <= maxBytes && chars <= Math.min(maxChars, maxTokens * 2);
}

/** From this growth on a larger answer is worth a call. */
export const WORTH_IT = 1.2;
/** A larger answer is only like this one, so it is not advised up to the last line. */
const MARGIN = 0.8;

/** How many times as large a text of this kind may be and still pass the limits whole. */
export function roomToGrow(text: string, { maxLines, maxBytes, maxChars }: Limits): number {
  const { lines, bytes, chars } = measure(text);
  return MARGIN * Math.min(maxLines / Math.max(1, lines), maxBytes / Math.max(1, bytes), maxChars / Math.max(1, chars));
}

const WITHOUT_ADVICE = "Narrow the request to see the rest.";

type Stats = Readonly<Record<string, number | string>>;

interface ReplyParts {
  readonly stats?: Stats;
  /** Path that was used, relative to the root. */
  readonly path?: string | undefined;
  /** True if the tool pages by itself, so that the gate passes the result through. */
  readonly paged?: boolean;
}

export interface ToolRunOptions {
  readonly sandbox: Sandbox;
  readonly environment: ToolEnvironment;
  /** The name the tool was called by. */
  readonly calledAs: string;
  readonly paramsInput: unknown;
  readonly govern: GateOptions;
  /** Hashes of the files that were read or written through this registry, by real path. */
  readonly seen: Map<string, string>;
  readonly advise: Advice;
}

/** One call of a tool: its context, and constructors of its envelopes. */
export class ToolRun {
  readonly sandbox: Sandbox;
  readonly environment: ToolEnvironment;
  readonly calledAs: string;
  /** Removes unavailable tools from advice. */
  readonly advise: Advice;
  readonly #options: ToolRunOptions;
  readonly #startedAt = performance.now();

  /** @internal */
  constructor(options: ToolRunOptions) {
    this.sandbox = options.sandbox;
    this.environment = options.environment;
    this.calledAs = options.calledAs;
    this.advise = options.advise;
    this.#options = options;
  }

  get callId(): string | undefined {
    return this.#options.govern.callId;
  }

  get signal(): AbortSignal | undefined {
    return this.#options.govern.signal;
  }

  /** Fails a call that was abandoned. */
  throwIfAborted(): void {
    if (this.signal?.aborted) throw new ToolFailure("EXECUTION_ERROR", "The call was aborted.");
  }

  /** True when the caller gave this parameter itself; otherwise it has a default, of the tool or of the config file. */
  gave(parameter: string): boolean {
    const { paramsInput } = this.#options;
    return typeof paramsInput === "object" && paramsInput !== null && Object.hasOwn(paramsInput, parameter);
  }

  /** Opens a sink for bytes that the gate bounds and, when they are too many, saves. */
  capture(extra: GovernOptions = {}): Promise<Capture> {
    return this.environment.spillway.capture({ ...this.#options.govern, ...extra });
  }

  /** The limits of this call's result, for a tool that pages by itself. */
  async limits(): Promise<Limits> {
    return (await this.environment.spillway.limits(this.#options.govern)).limits;
  }

  /** Records a file's contents, so that a later change by others is noticed. */
  remember(real: string, hash: string): void {
    this.#options.seen.set(real, hash);
  }

  /** The file's contents when it was last read or written here. */
  remembered(real: string): string | undefined {
    return this.#options.seen.get(real);
  }

  success(data: CompleteData, text: string, parts: ReplyParts = {}): ToolResponse {
    return success({ data, text, ...this.#base(parts) });
  }

  /** A usable result that is less than requested: `because` gives the reason, `next` the call to make. */
  partial(
    data: Readonly<Record<string, unknown>> & Reduction,
    text: string,
    why: { readonly because: string; readonly next: string },
    parts: ReplyParts = {},
  ): ToolResponse {
    const { because, next } = why;
    return partial({ data, text, because, next: this.advise(next) || WITHOUT_ADVICE, ...this.#base(parts) });
  }

  failure(
    code: AnyErrorCode,
    message: string,
    parts: ReplyParts & { readonly next?: string | undefined; readonly data?: Readonly<Record<string, unknown>> } = {},
  ): ToolResponse {
    const { next, data = {} } = parts;
    const advice = next === undefined ? undefined : this.advise(next) || undefined;
    return failure(code, message, { data, next: advice, ...this.#base(parts) });
  }

  stats(more: Stats = {}): ToolStats {
    return { time_ms: Math.round(performance.now() - this.#startedAt), ...more };
  }

  context(more: Partial<ToolContext> = {}): ToolContext {
    return { cwd: ".", params_input: this.#options.paramsInput, ...more };
  }

  #base({ stats, path, paged }: ReplyParts): { stats: ToolStats; context: ToolContext } {
    const context = this.context({
      ...(path === undefined ? {} : { path_resolved: path }),
      ...(paged === true ? { truncation_skip: true } : {}),
    });
    return { stats: this.stats(stats), context };
  }
}
