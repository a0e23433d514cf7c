import { existsSync } from "node:fs";
import { type Agent, put } from "./agent.ts";

export const continueCli: Agent = {
  host: "continue",
  title: "Continue CLI",
  package: "@continuedev/cli",
  program: "cn",
  // `init` leaves it as it is.
  config: { file: ".continue/config.yaml", text: "name: mine\r\n# kept" },
  rules: [],
  configure: ({ home, url }) =>
    put(
      home,
      ".continue/config.yaml",
      `name: scripted
version: 1.0.0
schema: v1
models:
  - name: model
    provider: openai
    model: gpt-4
    apiBase: ${url}/v1
    apiKey: none
    capabilities: [tool_use]
`,
    ),
  start: ({ home }, prompt) => ({
    args: ["-p", "--auto", "--config", `${home}/.continue/config.yaml`, prompt],
    env: { CONTINUE_TELEMETRY_ENABLED: "0", CONTINUE_GLOBAL_DIR: `${home}/.continue`, ...bashEnv(home) },
  }),
  shell: (command) => ({ tools: ["Bash"], input: () => ({ command }) }),
  read: (path) => ({ tools: ["Read"], input: () => ({ filepath: path }) }),
};

/** As `init` tells the user to start it. */
function bashEnv(home: string): Record<string, string> {
  const file = `${home}/.local/share/spillway/program/hosts/continue/bash-env.sh`;
  return existsSync(file) ? { BASH_ENV: file } : {};
}
