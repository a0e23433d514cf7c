import { tool } from "@strands-agents/sdk";
import { AnthropicModel } from "@strands-agents/sdk/models/anthropic";
import { z } from "zod";
import { LOG } from "./log.js";

export const model = new AnthropicModel({
  modelId: "claude-scripted",
  apiKey: "none",
  clientConfig: { baseURL: process.env.MODEL_URL },
});

export const tools = [
  tool({
    name: "build_log",
    description: "The log of the last build.",
    inputSchema: z.object({}),
    callback: async () => LOG,
  }),
];
