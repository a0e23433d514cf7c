import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Agent, put } from "./agent.ts";

export const continueCli: Agent = {
  host: "continue",
  // By itself it takes minutes for an output of some MB.
  slowAlone: true,
  noTranscripts: true,
  title: "Continue CLI",
  package: "@continuedev/cli",
  program: "cn",
  config: { file: ".continue/config.yaml", text: "# mine\r\nname: x" },
  showsErrorsOnly: true,
  // Without a terminal it asks for nothing: a command without a rule runs.
  rules: ["deny", "allow"],
  endsAtDenial: true,
  configure: ({ home, url }, restricted) => {
    put(home, ".continue/config.yaml", config(url));
    const rules = "exclude:\n  - Bash(npm test*)\nallow:\n  - Bash(echo*)\n";
    put(home, ".continue/permissions.yaml", restricted ? rules : "allow:\n  - Bash\n");
  },
  start: ({ home }, prompt) => {
    // As `init` tells its user to start it.
    const front = join(home, ".local/share/spillway/program/hosts/continue/bash-env.sh");
    return {
      args: ["-p", "--config", join(home, ".continue/config.yaml"), prompt],
      env: { CONTINUE_TELEMETRY_ENABLED: "0", ...(existsSync(front) && { BASH_ENV: front }) },
    };
  },
  shell: (command) => ({ tools: ["Bash"], input: () => ({ command }) }),
  read: (path, line) => ({
    tools: ["Bash"],
    input: () => ({ command: `sed -n '${line},${line + 4}p' '${path}'` }),
  }),
};

function config(url: string): string {
  return `name: scripted
version: 1.0.0
schema: v1
models:
  - name: model
    provider: openai
    model: model
    apiBase: ${url}/v1
    apiKey: none
    roles: [chat]
    capabilities: [tool_use]
`;
}
