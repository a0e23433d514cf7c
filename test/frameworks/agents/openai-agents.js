import { OpenAIProvider, Runner, tool } from "@openai/agents";
import OpenAI from "openai";
import { z } from "zod";
import { LOG } from "./log.js";

const openAIClient = new OpenAI({ baseURL: `${process.env.MODEL_URL}/v1`, apiKey: "none" });

export const model = "scripted";
// The newest client is not the one that the framework's types were made with.
const modelProvider = new OpenAIProvider({ openAIClient: /** @type {never} */ (openAIClient) });
export const runner = new Runner({ modelProvider, tracingDisabled: true });
export const tools = [
  tool({
    name: "build_log",
    description: "The log of the last build.",
    parameters: z.object({}),
    execute: async () => LOG,
  }),
];
