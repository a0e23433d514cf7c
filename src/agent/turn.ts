import type { ToolSet } from "ai";
import { SpillwayError } from "../errors.ts";
import { pluralOf } from "../preview/omission.ts";
import { estimateTokens } from "../preview/tokens/estimate-tokens.ts";
import { shrinkHistory, shrinkTurn } from "./bound-history.ts";
import { boundInput, boundText } from "./bound-text.ts";
import { type Budget, correctBudget } from "./budget.ts";
import type { EndReason, SessionEvent, TurnOutcome } from "./events.ts";
import {
  countRepeats,
  REPEATS_BEFORE_NOTICE,
  REPEATS_BEFORE_STOP,
  type RequestedCall,
  requestStep,
  type StepAnswer,
  type StepRequest,
} from "./request-step.ts";
import { type CallContext, pinArtifacts, runCalls } from "./run-calls.ts";
import { buildTranscript } from "./transcript.ts";

export interface TurnOptions extends Omit<StepRequest, "messages" | "tools" | "signal" | "onRetry"> {
  readonly context: CallContext;
  readonly budget: Budget;
  readonly maxSteps: number;
}

/** Calls per step; the model is told if it asks for more. */
const MAX_CALLS = 128;
/** Other providers cache automatically. */
const CACHE_UP_TO_HERE = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** Asks the model and makes its calls until it answers; each step is recorded before the next begins. */
export async function takeTurn(options: TurnOptions): Promise<TurnOutcome> {
  const { session, signal, gate, registry } = options.context;
  const query = { task: session.events.findLast((event) => event.type === "user")?.text };
  const context: CallContext = { ...options.context, query };
  const fixedTokens = estimateTokens(options.system) + estimateTokens(JSON.stringify(registry.list()));
  let text = "";
  let steps = 0;
  const end = async (reason: EndReason, message?: string): Promise<TurnOutcome> => {
    await session.append({ type: "turn.end", reason, message });
    return { reason, text, message, steps };
  };
  try {
    for (;;) {
      const last = session.events.findLast((event) => event.type === "model" || event.type === "user");
      if (last?.type === "model" && last.calls.length === 0) {
        text ||= last.text;
        return await end("done");
      }
      if (signal?.aborted) return await end("aborted", "The turn was aborted.");
      const repeats = countRepeats(session.events);
      if (repeats >= REPEATS_BEFORE_STOP)
        return await end("loop", `The model repeated the same calls ${repeats} times.`);
      if (repeats === REPEATS_BEFORE_NOTICE) await session.append({ type: "notice", text: repeatNotice(repeats) });
      if (steps >= options.maxSteps)
        return await end("max_steps", `The turn took ${steps} ${pluralOf(steps, "step")} without an answer.`);
      await shrinkTurn(context, correctBudget(options.budget, session.events).maxTurnTokens);
      await pinArtifacts(session, gate.store);

      const answer = await ask({ ...options, context }, fixedTokens);
      steps++;
      text = answer.text;
      await recordAndCall(context, answer, options.budget.maxInputTokens / 4);
    }
  } catch (error) {
    if (!(error instanceof SpillwayError) || (error.code !== "MODEL_FAILED" && error.code !== "ABORTED")) throw error;
    return await end(error.code === "ABORTED" ? "aborted" : "failed", error.message);
  }
}

interface SizedAnswer extends StepAnswer {
  readonly estimatedTokens: number;
}

/** One answer of the model. A request refused as too long shrinks the history and is sent once more. */
async function ask(options: TurnOptions, fixedTokens: number): Promise<SizedAnswer> {
  const { context, budget } = options;
  const { session, signal } = context;
  const tools = await toolSet(context);
  for (let attempt = 1; ; attempt++) {
    await shrinkHistory(context, fixedTokens, correctBudget(budget, session.events).maxInputTokens);
    const entries = buildTranscript(session.events, session.path);
    const estimatedTokens = fixedTokens + entries.reduce((sum, entry) => sum + entry.tokens, 0);
    const messages = entries.map((entry, index) => {
      return index === entries.length - 1 ? { ...entry.message, providerOptions: CACHE_UP_TO_HERE } : entry.message;
    });
    const onRetry = async (retry: { attempt: number; reason: string; delayMs: number }) => {
      await session.append({ type: "retry", ...retry });
    };
    try {
      return { ...(await requestStep({ ...options, tools, messages, signal, onRetry })), estimatedTokens };
    } catch (error) {
      if (attempt > 1 || !(error instanceof SpillwayError) || error.details.tooLong !== true) throw error;
      await session.append({ type: "budget.learned", maxInputTokens: Math.floor(estimatedTokens * 0.6) });
    }
  }
}

async function recordAndCall(context: CallContext, answer: SizedAnswer, maxTextTokens: number): Promise<void> {
  const { session } = context;
  const { finish, usage, estimatedTokens } = answer;
  const calls = nameCalls(session.events, answer.calls);
  const made = calls.slice(0, MAX_CALLS);
  const said = await boundText(context, "Answer", answer.text, maxTextTokens);
  const recorded = await Promise.all(made.map((call) => boundInput(context, call)));
  await session.append(
    { type: "model", ...said, calls: made.map((call) => call.callId), finish, usage, estimatedTokens },
    ...recorded,
  );
  await runCalls({ ...context, query: { ...context.query, assistantText: answer.text } }, made);
  if (calls.length > made.length) {
    await session.append({
      type: "notice",
      text: `Only the first ${MAX_CALLS} of your ${calls.length} calls were made.`,
    });
  }
}

/** Longer ids would take the room of results. */
const MAX_ID_CHARS = 512;

/** Calls with the provider's ids, made unique in the session, and names that every provider takes back. */
function nameCalls(events: readonly SessionEvent[], calls: readonly RequestedCall[]): RequestedCall[] {
  const taken = new Set(events.flatMap((event) => (event.type === "tool.call" ? event.callId : [])));
  return calls.map((call, index) => {
    const usable = call.callId !== "" && call.callId.length <= MAX_ID_CHARS;
    const wanted = usable ? call.callId : `call_${events.length}_${index}`;
    let callId = wanted;
    for (let count = 2; taken.has(callId); count++) callId = `${wanted}_${count}`;
    taken.add(callId);
    return { ...call, callId, tool: call.tool.replace(/[^\w-]/g, "_").slice(0, 64) || "unnamed" };
  });
}

/** The tool definitions sent to the provider; the registry makes the calls, not the AI SDK. */
async function toolSet({ registry }: CallContext): Promise<ToolSet> {
  const { jsonSchema } = await import("ai");
  const entries = registry.list().map(({ name, description, parameters }) => {
    return [name, { description, inputSchema: jsonSchema(parameters) }] as const;
  });
  return Object.fromEntries(entries);
}

const repeatNotice = (repeats: number) =>
  `You have made the same calls ${repeats} times in a row and got the same results. They will not change: do something else, or answer with what you have.`;
