import { tool } from "@anthropic-ai/claude-agent-sdk";
import { LOG } from "./log.js";

/** @type {import("@anthropic-ai/claude-agent-sdk").Options} */
export const options = {
  model: "claude-sonnet-4-5",
  settingSources: [],
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ANTHROPIC_BASE_URL: process.env.MODEL_URL,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  },
};

export const tools = [
  tool("build_log", "The log of the last build.", {}, async () => ({ content: [{ type: "text", text: LOG }] })),
];
