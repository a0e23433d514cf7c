import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { LOG } from "./log.js";

export const openai = new OpenAI({ baseURL: `${process.env.MODEL_URL}/v1`, apiKey: "none" });
export const anthropic = new Anthropic({ baseURL: process.env.MODEL_URL, apiKey: "none" });

/** @type {import("openai/resources/chat/completions").ChatCompletionMessageParam[]} */
export const messages = [{ role: "user", content: "Why does the build fail?" }];

/** @type {import("@anthropic-ai/sdk/resources/messages").MessageParam[]} */
export const conversation = [{ role: "user", content: "Why does the build fail?" }];

/** @type {import("openai/resources/chat/completions").ChatCompletionTool[]} */
export const tools = [
  { type: "function", function: { name: "build_log", description: "The log.", parameters: { type: "object" } } },
];

/** @type {import("@anthropic-ai/sdk/resources/messages").Tool[]} */
export const definitions = [{ name: "build_log", description: "The log.", input_schema: { type: "object" } }];

/**
 * @param {string} name
 * @param {unknown} _input
 */
export async function runTool(name, _input) {
  return name === "build_log" ? LOG : `There is no tool ${name}.`;
}
