import { type Agent, put } from "./agent.ts";

export const pi: Agent = {
  host: "pi",
  quick: true,
  title: "pi",
  package: "@earendil-works/pi-coding-agent",
  program: "pi",
  ownNode: true,
  config: { file: ".pi/agent/extensions/mine.ts", text: "// mine\r\nexport default () => {}" },
  keepsOutput: true,
  rules: [],
  configure: ({ home, url }) =>
    put(home, ".pi/agent/models.json", {
      providers: {
        scripted: {
          baseUrl: `${url}/v1`,
          api: "openai-completions",
          apiKey: "none",
          models: [{ id: "model", contextWindow: 200_000, maxTokens: 8000 }],
        },
      },
    }),
  start: (_, prompt) => ({
    args: ["-p", "--offline", "--provider", "scripted", "--model", "model", prompt],
    env: { PI_OFFLINE: "1", PI_TELEMETRY: "0" },
  }),
  shell: (command) => ({ tools: ["bash"], input: () => ({ command }) }),
  read: (path, line) => ({ tools: ["read"], input: () => ({ path, offset: line, limit: 5 }) }),
  sayCode: (code) => `exited with code ${code}`,
};
