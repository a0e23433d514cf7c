import { FunctionTool, Gemini } from "@google/adk";
import { z } from "zod";
import { LOG } from "./log.js";

process.env.GOOGLE_GEMINI_BASE_URL = process.env.MODEL_URL;
export const model = new Gemini({ model: "gemini-scripted", apiKey: "none" });

export const tools = [
  new FunctionTool({
    name: "build_log",
    description: "The log of the last build.",
    parameters: z.object({}),
    execute: async () => LOG,
  }),
];
