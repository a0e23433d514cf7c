import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { LanguageModel, ModelMessage, ToolSet } from "ai";
import { SpillwayError } from "../errors.ts";
import { startTimer } from "../platform/platform.ts";
import { isObserved } from "../telemetry/telemetry.ts";
import type { ModelAnswer, SessionEvent, ToolCallEvent, ToolResultEvent } from "./events.ts";
import type { AgentModel } from "./model.ts";
import { classifyFailure, IncompleteAnswer, type RetryOptions } from "./model.ts";
import { observeRequest } from "./observe-agent.ts";

/** After this many equal rounds the model is told; after as many again the turn ends. */
export const REPEATS_BEFORE_NOTICE = 3;
export const REPEATS_BEFORE_STOP = 6;
const LONGEST_CYCLE = 3;

/**
 * How often the newest steps of the turn repeat the same calls with the same results, cycles of up to three steps
 * included. A call that gives something new each time, such as polling, does not count.
 */
export function countRepeats(events: readonly SessionEvent[]): number {
  const turn = events.slice(events.findLastIndex((event) => event.type === "user") + 1);
  const calls = new Map<string, ToolCallEvent>();
  const results = new Map<string, ToolResultEvent>();
  for (const event of turn) {
    if (event.type === "tool.call") calls.set(event.callId, event);
    if (event.type === "tool.result") results.set(event.callId, event);
  }
  const steps = turn.flatMap((event) => {
    if (event.type !== "model" || event.calls.length === 0) return [];
    return event.calls.map((callId) => fingerprint(calls.get(callId), results.get(callId))).join();
  });
  let most = 0;
  for (let cycle = 1; cycle <= LONGEST_CYCLE; cycle++) {
    let same = 0;
    while (same + cycle < steps.length && steps.at(-1 - same) === steps.at(-1 - same - cycle)) same++;
    if (same >= cycle) most = Math.max(most, Math.floor(same / cycle) + 1);
  }
  return most;
}

const known = new WeakMap<ToolResultEvent, string>();

function fingerprint(call: ToolCallEvent | undefined, result: ToolResultEvent | undefined): string {
  if (call === undefined || result === undefined) return Math.random().toString();
  let print = known.get(result);
  if (print === undefined) {
    // Times and artifact names differ from run to run; the results do not.
    const { status, data, error, preview, original_chars } = result.output;
    const found = JSON.stringify([call.tool, call.input, status, data, error, preview, original_chars]);
    print = createHash("sha256").update(found).digest("base64");
    known.set(result, print);
  }
  return print;
}

export interface StepRequest extends RetryOptions {
  readonly model: AgentModel;
  readonly system: string;
  readonly messages: ModelMessage[];
  readonly tools: ToolSet;
  readonly maxOutputTokens: number;
  readonly signal?: AbortSignal | undefined;
  /** Streamed text; a retry starts the answer again. */
  readonly onText?: ((text: string) => void) | undefined;
  readonly onRetry?: ((retry: { attempt: number; reason: string; delayMs: number }) => unknown) | undefined;
}

export interface RequestedCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  /** Why the call cannot be made: arguments that are no JSON. */
  readonly problem?: string | undefined;
}

export interface StepAnswer {
  readonly text: string;
  readonly calls: readonly RequestedCall[];
  readonly finish: string;
  readonly usage: ModelAnswer["usage"];
}

/**
 * Asks the model once. Busy, broken and silent providers are retried; permanent failures throw MODEL_FAILED,
 * with `details.tooLong` when the request was refused for its size, and ABORTED when the signal fired.
 */
export async function requestStep(request: StepRequest): Promise<StepAnswer> {
  const retries = request.retries ?? 4;
  for (let attempt = 1; ; attempt++) {
    try {
      const ask = () => streamOnce(request);
      return await (isObserved() ? observeRequest(request.model, ask) : ask());
    } catch (error) {
      if (request.signal?.aborted) throw new SpillwayError("ABORTED", "The request was aborted.", { cause: error });
      const failure = classifyFailure(error);
      const backoffMs = (request.retryDelayMs ?? 1_000) * 2 ** (attempt - 1);
      const delayMs = failure.retryAfterMs ?? backoffMs;
      const mayRetry = failure.retriable && attempt <= retries && delayMs <= (request.maxRetryDelayMs ?? 60_000);
      if (!mayRetry) {
        throw new SpillwayError("MODEL_FAILED", failure.message, {
          details: { tooLong: failure.tooLong, status: failure.status, attempts: attempt },
          cause: error,
        });
      }
      await request.onRetry?.({ attempt, reason: failure.message, delayMs });
      await sleep(delayMs, undefined, { signal: request.signal }).catch(() => undefined);
    }
  }
}

async function streamOnce(request: StepRequest): Promise<StepAnswer> {
  const { streamText } = await import("ai");
  const idle = new AbortController();
  const idleTimeoutMs = request.idleTimeoutMs ?? 120_000;
  const silence = () => idle.abort(new IncompleteAnswer(`The provider was silent for ${idleTimeoutMs} ms.`));
  let timer = startTimer(silence, idleTimeoutMs);
  const signals = request.signal ? [request.signal, idle.signal] : [idle.signal];
  let text = "";
  const calls: RequestedCall[] = [];
  let answer: StepAnswer | undefined;
  try {
    const { fullStream } = streamText({
      model: request.model as LanguageModel,
      system: request.system,
      messages: request.messages,
      tools: request.tools,
      maxOutputTokens: request.maxOutputTokens,
      maxRetries: 0,
      abortSignal: AbortSignal.any(signals),
      onError: () => {},
    });
    for await (const part of fullStream) {
      clearTimeout(timer);
      timer = startTimer(silence, idleTimeoutMs);
      switch (part.type) {
        case "text-delta":
          text += part.text;
          request.onText?.(part.text);
          break;
        case "tool-call":
          calls.push({
            callId: part.toolCallId,
            tool: part.toolName,
            input: part.input,
            problem: typeof part.input === "string" ? "The arguments are not valid JSON." : undefined,
          });
          break;
        case "error":
          throw part.error;
        case "abort":
          throw idle.signal.reason ?? new IncompleteAnswer("The request was aborted.");
        case "finish-step": {
          if (part.rawFinishReason === undefined && !["stop", "tool-calls", "length"].includes(part.finishReason)) {
            throw new IncompleteAnswer("The provider's answer ended without saying that it is complete.");
          }
          const { inputTokens = 0, outputTokens = 0, inputTokenDetails } = part.usage;
          const cachedTokens = inputTokenDetails.cacheReadTokens ?? 0;
          answer = { text, calls, finish: part.finishReason, usage: { inputTokens, outputTokens, cachedTokens } };
        }
      }
    }
  } finally {
    clearTimeout(timer);
  }
  if (answer === undefined) throw idle.signal.reason ?? new IncompleteAnswer("The provider's answer is empty.");
  return answer;
}
