import { type Agent, merge, put } from "./agent.ts";

const SETTINGS = {
  security: { auth: { selectedType: "openai" } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
  // It knows by their names which models see images.
  model: { generationConfig: { modalities: { image: true } } },
};

export const qwen: Agent = {
  host: "qwen",
  title: "Qwen Code",
  package: "@qwen-code/qwen-code",
  program: "qwen",
  config: { file: ".qwen/settings.json", text: '{ // mine\r\n "env": { "A": "1" } }' },
  // Without a terminal it offers no shell tool unless all is allowed.
  trims: true,
  keepsOutput: true,
  errorTwice: true,
  rules: ["deny"],
  configure: ({ home }, restricted) => {
    const permissions = { deny: ["Bash(npm test*)", "mcp__logs__read_log"] };
    put(home, ".env", "OPENAI_API_KEY=none\n");
    put(home, ".qwen/settings.json", restricted ? { ...SETTINGS, permissions } : SETTINGS);
  },
  start: ({ url }, prompt) => ({
    args: ["--auth-type", "openai", "--approval-mode", "yolo", "-m", "model", "-p", prompt],
    env: {
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: "model",
    },
  }),
  shell: (command, { background = false } = {}) => ({
    tools: ["run_shell_command"],
    input: () => ({ command, description: "Run it", is_background: background }),
  }),
  read: (path, line) => ({
    tools: ["read_file"],
    input: () => ({ file_path: path, offset: line - 1, limit: 5 }),
  }),
  server: {
    by: "proxy",
    add: ({ home }, [command, ...args]) =>
      merge(home, ".qwen/settings.json", { mcpServers: { logs: { command, args, trust: true } } }),
    tools: ["mcp__logs__read_log"],
    find: { tools: ["tool_search"], input: () => ({ query: "select:mcp__logs__read_log" }) },
  },
  sayCode: (code) => `Exit Code: ${code}`,
};
