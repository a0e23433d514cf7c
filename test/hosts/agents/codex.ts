import { appendFileSync } from "node:fs";
import { type Agent, put } from "./agent.ts";

export const codex: Agent = {
  host: "codex",
  quick: true,
  title: "Codex",
  package: "@openai/codex",
  program: "codex",
  config: {
    file: ".codex/config.toml",
    text: '# mine\r\nmodel = "o" # this too\r\n\r\n[mcp_servers.a]\r\ncommand = "a"',
  },
  rules: ["deny", "allow", "ask"],
  yieldMs: 10_000,
  configure: ({ home, url }, restricted) => {
    // Whatever has no rule runs in the sandbox, which is Codex's own way of asking.
    put(home, ".codex/config.toml", config(url, restricted ? "read-only" : "danger-full-access"));
    const rules = ['npm", "test', "echo"].map(
      (pattern, at) => `prefix_rule(pattern = ["${pattern}"], decision = "${at === 0 ? "forbidden" : "allow"}")\n`,
    );
    if (restricted) put(home, ".codex/rules/default.rules", rules.join(""));
  },
  confine: ({ home, url }) => put(home, ".codex/config.toml", config(url, "workspace-write")),
  start: ({ home }, prompt) => ({
    args: ["exec", "--skip-git-repo-check", "--color", "never", prompt],
    env: { MODEL_KEY: "none", CODEX_HOME: `${home}/.codex` },
  }),
  shell: (cmd) => ({ tools: ["exec_command"], input: () => ({ cmd }) }),
  read: (path, line) => ({
    tools: ["exec_command"],
    input: () => ({ cmd: `sed -n '${line},${line + 4}p' '${path}'` }),
  }),
  server: {
    by: "proxy",
    add: ({ home }, [command, ...args]) =>
      appendFileSync(
        `${home}/.codex/config.toml`,
        `\n[mcp_servers.logs]\ncommand = "${command}"\nargs = ${JSON.stringify(args)}\n`,
      ),
    tools: [],
  },
  sayCode: (code) => `exited with code ${code}`,
};

function config(url: string, sandbox: string): string {
  return `# a comment that stays
model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "${sandbox}"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted] # so does this one
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "MODEL_KEY"
`;
}
