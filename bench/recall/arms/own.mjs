import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const HOME = path.resolve(process.env.SPILLWAY_HOME ?? ROOT);

const WAYS = [
  { name: "Spillway, 51,200 B, question", maxBytes: 51_200, asked: true },
  { name: "Spillway, 8,192 B, question", maxBytes: 8192, asked: true },
  { name: "Spillway, 4,096 B, question", maxBytes: 4096, asked: true },
  { name: "Spillway, 8,192 B, no question", maxBytes: 8192 },
  { name: "head, 8,192 B", maxBytes: 8192, strategy: "head" },
  { name: "tail, 8,192 B", maxBytes: 8192, strategy: "tail" },
  { name: "head and tail, 8,192 B", maxBytes: 8192, strategy: "head_tail" },
];

/** The gate as a host calls it, by content and by position; the positional ones have its notice and its file too. */
export const OWN = WAYS.map(({ name, maxBytes, strategy = "smart", asked = false }) => ({
  name,
  smart: strategy === "smart",
  load: async () => {
    const { createSpillway, renderMessage } = await import(pathToFileURL(path.join(HOME, "dist", "index.mjs")).href);
    return async (text, _, folder, question) => {
      const spillway = createSpillway({ root: folder, maxBytes, strategy, tools: ["Read", "Grep"] });
      const query = asked && question !== undefined ? { query: question } : {};
      return renderMessage(await spillway.govern(text, { tool: "Bash", callId: "call", ...query }));
    };
  },
}));
