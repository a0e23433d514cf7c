import { setTimeout as sleep } from "node:timers/promises";
import type { LanguageModel, ModelMessage, ToolSet } from "ai";
import { SpillwayError } from "../errors.ts";
import { startTimer } from "../platform/start-timer.ts";
import { isObserved } from "../telemetry/telemetry.ts";
import type { ModelAnswer } from "./events.ts";
import type { AgentModel } from "./model.ts";
import { classifyFailure, IncompleteAnswer, type RetryOptions } from "./model-failure.ts";
import { observeRequest } from "./observe-agent.ts";

export interface StepRequest extends RetryOptions {
  readonly model: AgentModel;
  readonly system: string;
  readonly messages: ModelMessage[];
  readonly tools: ToolSet;
  readonly maxOutputTokens: number;
  readonly signal?: AbortSignal | undefined;
  /** Text as it comes; a retry starts the answer again. */
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
 * Asks the model once. Busy, broken and silent providers are asked again; what cannot be helped throws MODEL_FAILED,
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
