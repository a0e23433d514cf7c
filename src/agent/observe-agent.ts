import { type Attributes, errorType, inSpan, measure, type OpenSpan, secondsSince } from "../telemetry/telemetry.ts";
import type { TurnOutcome } from "./events.ts";
import type { AgentModel } from "./model.ts";
import type { StepAnswer } from "./request-step.ts";

/** Name of an agent that is not a sub-agent. */
const MAIN_AGENT = "spillway";

export interface ObservedAgent {
  readonly model: AgentModel;
  /** Of a sub-agent. */
  readonly name?: string | undefined;
  readonly session: string;
}

/** Takes an agent's turn inside a span, by the conventions for generative AI. */
export async function observeTurn<T extends TurnOutcome>(agent: ObservedAgent, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const { name = MAIN_AGENT, session, model } = agent;
  const by = { ...operation("invoke_agent", model), "gen_ai.agent.name": name };
  const attributes = { ...by, "gen_ai.conversation.id": session };
  return timed("gen_ai.invoke_agent.duration", startedAt, by, `invoke_agent ${name}`, { attributes }, async (span) => {
    const outcome = await work();
    span?.set({ "spillway.turn.reason": outcome.reason, "spillway.turn.steps": outcome.steps });
    if (outcome.reason === "failed") span?.fail("failed", outcome.message);
    return outcome;
  });
}

/** Asks a model inside a span. */
export async function observeRequest(model: AgentModel, work: () => Promise<StepAnswer>): Promise<StepAnswer> {
  const startedAt = performance.now();
  const by = operation("chat", model);
  const options = { kind: "client", attributes: by } as const;
  const name = `chat ${by["gen_ai.request.model"]}`;
  return timed("gen_ai.client.operation.duration", startedAt, by, name, options, async (span) => {
    const answer = await work();
    const { inputTokens, outputTokens, cachedTokens } = answer.usage;
    span?.set({
      "gen_ai.response.finish_reasons": [answer.finish],
      "gen_ai.usage.input_tokens": inputTokens,
      "gen_ai.usage.output_tokens": outputTokens,
      "gen_ai.usage.cache_read.input_tokens": cachedTokens,
    });
    measure("gen_ai.client.token.usage", inputTokens, { ...by, "gen_ai.token.type": "input" });
    measure("gen_ai.client.token.usage", outputTokens, { ...by, "gen_ai.token.type": "output" });
    return answer;
  });
}

async function timed<T>(
  instrument: Parameters<typeof measure>[0],
  startedAt: number,
  by: Attributes,
  name: string,
  options: Parameters<typeof inSpan>[1],
  work: (span: OpenSpan | undefined) => Promise<T>,
): Promise<T> {
  let failed: string | undefined;
  try {
    return await inSpan(name, options, work);
  } catch (error) {
    failed = errorType(error);
    throw error;
  } finally {
    measure(instrument, secondsSince(startedAt), { ...by, "error.type": failed });
  }
}

function operation(name: string, { provider, modelId }: AgentModel) {
  return {
    "gen_ai.operation.name": name,
    // The AI SDK adds the kind of request, as in "openai.chat".
    "gen_ai.provider.name": provider.split(".", 1)[0],
    "gen_ai.request.model": modelId,
  };
}
