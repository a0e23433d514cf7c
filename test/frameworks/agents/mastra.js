import { createAnthropic } from "@ai-sdk/anthropic";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";
import { LOG } from "./log.js";

const anthropic = createAnthropic({ baseURL: `${process.env.MODEL_URL}/v1`, apiKey: "none" });

// The newest provider is not the one that the framework's types were made with.
export const model = /** @type {import("@mastra/core/llm").MastraModelConfig} */ (
  /** @type {unknown} */ (anthropic("claude-scripted"))
);

export const tools = {
  build_log: createTool({
    id: "build_log",
    description: "The log of the last build.",
    inputSchema: z.object({}),
    execute: async () => LOG,
  }),
};
