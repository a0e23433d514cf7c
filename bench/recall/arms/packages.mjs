import { existsSync, readFileSync } from "node:fs";

const PEERS = new URL("../../peers/node_modules/", import.meta.url);

/** Packages that run as they are; `load` gives what cuts an output, with `file` already holding the whole of it. */
export const PACKAGES = [
  {
    name: "gemini-cli-core",
    package: "@google/gemini-cli-core",
    load: async () => {
      const { formatTruncatedToolOutput } = await peer("@google/gemini-cli-core/dist/src/utils/fileUtils.js");
      return (text, file) => formatTruncatedToolOutput(text, file, 40_000);
    },
  },
  {
    name: "pi, its bash tool",
    package: "@mariozechner/pi-coding-agent",
    load: async () => {
      const { createBashTool } = await peer("@mariozechner/pi-coding-agent/dist/index.js");
      const bash = createBashTool(process.cwd());
      return async (_, file) => (await bash.execute("call", { command: `cat '${file}'` })).content[0].text;
    },
  },
  {
    name: "deepagents, its file system",
    package: "deepagents",
    load: async () => {
      const { createFilesystemMiddleware, FilesystemBackend } = await peer("deepagents/dist/index.js");
      const { ToolMessage } = await peer("@langchain/core/dist/messages/index.js");
      let calls = 0;
      return async (text, _, folder) => {
        const backend = new FilesystemBackend({ rootDir: folder, virtualMode: true });
        const { wrapToolCall } = createFilesystemMiddleware({ backend });
        const id = `call${++calls}`;
        const message = new ToolMessage({ content: text, tool_call_id: id, name: "Bash" });
        const request = { toolCall: { id, name: "Bash", args: {} }, state: {}, runtime: {} };
        return (await wrapToolCall(request, async () => message)).content;
      };
    },
  },
  {
    name: "tokenjuice",
    package: "tokenjuice",
    // Late for most of these outputs; a part of them says as much.
    every: 8,
    load: async () => {
      const { reduceExecution } = await peer("tokenjuice/dist/index.js");
      return async (text) => {
        const input = { toolName: "bash", command: "make", combinedText: text, exitCode: 1 };
        return (await reduceExecution(input, { recordStats: false })).inlineText;
      };
    },
  },
];

/** The version that is installed; undefined where none is (`npm run bench:recall -- --install`). */
export function installedVersion(name) {
  const file = new URL(`${name}/package.json`, PEERS);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined;
}

function peer(file) {
  return import(new URL(file, PEERS).href);
}
