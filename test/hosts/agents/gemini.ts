import { type Agent, merge, put } from "./agent.ts";

const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
};

export const gemini: Agent = {
  host: "gemini",
  title: "Gemini CLI",
  package: "@google/gemini-cli",
  program: "gemini",
  config: {
    file: ".gemini/settings.json",
    text: '// mine\n{ "context": { "fileName": "A.md" } } // no newline',
  },
  keepsOutput: true,
  trims: true,
  rules: ["deny", "allow", "ask"],
  configure: ({ home, work }, restricted) => {
    put(home, ".gemini/settings.json", SETTINGS);
    // It reads the first of these only.
    put(home, ".env", "GEMINI_API_KEY=none\n");
    if (restricted) put(work, ".env", "GEMINI_API_KEY=none\n");
    const server = '[[rule]]\nmcpName = "logs"\ntoolName = "read_log"\ndecision = "deny"\npriority = 300\n';
    const rules = [rule("npm test", "deny", 200), rule("echo", "allow", 100), server];
    if (restricted) put(home, ".gemini/policies/rules.toml", rules.join("\n"));
  },
  start: ({ url }, prompt, restricted) => ({
    args: ["--approval-mode", restricted ? "default" : "yolo", "--skip-trust", "-m", "gemini-2.5-pro", "-p", prompt],
    env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: "true" },
  }),
  shell: (command, { background = false } = {}) => ({
    tools: ["run_shell_command"],
    input: () => ({ command, description: "Run it", ...(background ? { is_background: true } : {}) }),
  }),
  read: (path, line) => ({
    tools: ["read_file"],
    input: () => ({ file_path: path, start_line: line, end_line: line + 4 }),
  }),
  server: {
    by: "proxy",
    add: ({ home }, [command, ...args]) =>
      merge(home, ".gemini/settings.json", { mcpServers: { logs: { command, args, trust: true } } }),
    tools: ["mcp_logs_read_log"],
  },
  sayCode: (code) => `Exit Code: ${code}`,
};

function rule(commandPrefix: string, decision: string, priority: number): string {
  return `[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "${commandPrefix}"\ndecision = "${decision}"\npriority = ${priority}\n`;
}
