import { type Agent, type AgentOptions, createBareAgent } from "./agent.ts";

/** Creates an agent whose history cannot outgrow the model: every result is bounded before it is recorded and sent. */
export function createAgent(options: AgentOptions): Agent {
  if (options?.explore === false) return createBareAgent(options);
  return createBareAgent(options, async (ground) => {
    const { createExploreRunner } = await import("./explore.ts");
    const { model, permissions, yes, ask, maxResultBytes, summarizer, onEvent, logger } = options;
    const { retries, retryDelayMs, maxRetryDelayMs, idleTimeoutMs } = options;
    const patience = { retries, retryDelayMs, maxRetryDelayMs, idleTimeoutMs };
    return createExploreRunner({
      model,
      ...ground,
      ...patience,
      permissions,
      yes,
      ask,
      maxResultBytes,
      summarizer,
      onEvent,
      logger,
    });
  });
}
