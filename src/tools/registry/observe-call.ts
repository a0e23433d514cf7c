import type { GovernedResponse } from "../../gate/observation.ts";
import { outputAttributes } from "../../gate/observe.ts";
import { inSpan, measure, secondsSince } from "../../telemetry/telemetry.ts";

const OPERATION = "execute_tool";

/** Calls a tool inside a span, by the conventions for generative AI. */
export async function observeCall(
  tool: string,
  callId: string | undefined,
  work: () => Promise<GovernedResponse>,
): Promise<GovernedResponse> {
  const startedAt = performance.now();
  const named = { "gen_ai.operation.name": OPERATION, "gen_ai.tool.name": tool };
  const attributes = { ...named, "gen_ai.tool.type": "function", "gen_ai.tool.call.id": callId };
  return inSpan(`${OPERATION} ${tool}`, { attributes }, async (span) => {
    const answer = await work();
    const { error } = answer.response;
    if (answer.governed !== undefined) span?.set(outputAttributes(answer.governed));
    span?.set({ "spillway.status": answer.response.status });
    if (error) span?.fail(error.code, error.message);
    measure("gen_ai.execute_tool.duration", secondsSince(startedAt), { ...named, "error.type": error?.code });
    return answer;
  });
}
