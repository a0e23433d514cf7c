import { type Agent, put } from "./agent.ts";

export const copilot: Agent = {
  host: "copilot",
  quick: true,
  title: "GitHub Copilot CLI",
  package: "@github/copilot",
  program: "copilot",
  config: { file: ".copilot/hooks/spillway.json", text: '{ "version": 1, "hooks": { "sessionStart": [] } }' },
  trims: true,
  rules: ["deny"],
  configure: ({ home, work }) => put(home, ".copilot/config.json", { trusted_folders: [work, home] }),
  start: ({ url }, prompt, restricted) => ({
    args: [
      "-p",
      prompt,
      "--allow-all-tools",
      "--allow-all-paths",
      ...(restricted ? ["--deny-tool", "shell(npm test)"] : []),
    ],
    env: {
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: "none",
      COPILOT_MODEL: "model",
      COPILOT_AUTO_UPDATE: "false",
    },
  }),
  sayCode: (code) => `exit code ${code}`,
  delegate: (prompt) => ({
    tools: ["task"],
    input: () => ({ name: "look", description: "Look it up", prompt, agent_type: "general-purpose", mode: "sync" }),
  }),
  shell: (command) => ({ tools: ["bash"], input: () => ({ command, description: "Run it" }) }),
  read: (path, line) => ({ tools: ["view"], input: () => ({ path, view_range: [line, line + 4] }) }),
};
