import { ChatOpenAI } from "@langchain/openai";
import { tool } from "langchain";
import { z } from "zod";
import { LOG } from "./log.js";

export const model = new ChatOpenAI({
  model: "scripted",
  apiKey: "none",
  configuration: { baseURL: `${process.env.MODEL_URL}/v1` },
});

export const tools = [
  tool(async () => LOG, { name: "build_log", description: "The log of the last build.", schema: z.object({}) }),
];
