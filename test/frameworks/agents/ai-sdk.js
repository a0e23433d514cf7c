import { createAnthropic } from "@ai-sdk/anthropic";
import { jsonSchema, tool } from "ai";
import { LOG } from "./log.js";

export const model = createAnthropic({ baseURL: `${process.env.MODEL_URL}/v1`, apiKey: "none" })("claude-scripted");

export const tools = {
  build_log: tool({
    description: "The log of the last build.",
    inputSchema: jsonSchema({ type: "object", properties: {} }),
    execute: async () => LOG,
  }),
};

/** @type {import("ai").ModelMessage[]} */
export const messages = [{ role: "user", content: "Why does the build fail?" }];
