import { appendFileSync } from "node:fs";
import type { SeenResult } from "../model/protocol.ts";
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
  looks: [
    looks("exec_command", { cmd: "echo listening on 3000; sleep 20", yield_time_ms: 1000 }, /listening on 3000/),
    looks("exec_command", { cmd: "seq 1 40000; sleep 20", yield_time_ms: 1000 }, /^1\n2\n3\n[\s\S]*goes on/m),
    looks("exec_command", { cmd: "[ -t 0 ] && [ -t 1 ] && echo a terminal; tput cols", tty: true }, /a terminal\s+\d+/),
    looks("exec_command", { cmd: "python3 -q", tty: true, yield_time_ms: 1500 }, />>> /),
    looks("write_stdin", { chars: "print(6*7)\n", yield_time_ms: 1500 }, /^42\s/m),
    looks("write_stdin", { chars: "exit()\n", yield_time_ms: 3000 }, /exited with code 0/),
    looks("exec_command", { cmd: "read -p 'Go on? ' a; echo got=$a", tty: true, yield_time_ms: 1500 }, /Go on\? /),
    looks("write_stdin", { chars: "yes\n", yield_time_ms: 3000 }, /got=yes/),
  ],
  sayCode: (code) => `exited with code ${code}`,
};

/** What is typed goes to the command that was started last. */
function looks(tool: string, input: Readonly<Record<string, unknown>>, sees: RegExp) {
  const session = (seen: readonly SeenResult[]): number =>
    Number(seen.map(({ text }) => /session ID (\d+)/.exec(text)?.[1]).findLast((id) => id !== undefined));
  const typed = tool === "write_stdin";
  return {
    tools: [tool],
    input: (seen: readonly SeenResult[]) => (typed ? { session_id: session(seen), ...input } : input),
    sees,
  };
}

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
