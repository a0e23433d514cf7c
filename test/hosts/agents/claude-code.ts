import { type Agent, merge, put } from "./agent.ts";

export const claudeCode: Agent = {
  host: "claude-code",
  quick: true,
  title: "Claude Code",
  package: "@anthropic-ai/claude-code",
  program: "claude",
  config: { file: ".claude/settings.json", text: '{ // mine\r\n  "model": "opus", /* and\r\n this */\r\n}' },
  keepsOutput: true,
  rules: ["deny", "allow", "ask"],
  configure: ({ home }, restricted) =>
    put(home, ".claude/settings.json", {
      permissions: restricted
        ? { allow: ["Bash(echo:*)"], deny: ["Bash(npm test:*)", "mcp__logs__read_log"] }
        : { allow: ["Bash", "Read", "Grep", "mcp__logs"] },
    }),
  start: ({ url }, prompt) => ({
    args: ["-p", "--tools", "Bash,Read,Grep,WebFetch,Task", "--model", "claude-sonnet-4-5", "--", prompt],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
    },
  }),
  shell: (command, { background = false } = {}) => ({
    tools: ["Bash"],
    input: () => ({ command, description: "Run it", ...(background ? { run_in_background: true } : {}) }),
  }),
  read: (path, line) => ({ tools: ["Read"], input: () => ({ file_path: path, offset: line, limit: 5 }) }),
  server: {
    by: "results",
    add: ({ home }, [command, ...args]) =>
      merge(home, ".claude.json", { mcpServers: { logs: { type: "stdio", command, args } } }),
    tools: ["mcp__logs__read_log"],
  },
  search: (file) => ({
    tools: ["Grep"],
    input: () => ({ pattern: ".", path: file, output_mode: "content", "-n": false, head_limit: 0 }),
  }),
  delegate: (prompt) => ({
    tools: ["Task", "Agent"],
    input: () => ({
      description: "Look it up",
      prompt,
      subagent_type: "general-purpose",
      run_in_background: false,
    }),
  }),
  inside: true,
  backgroundFile: /\/[^\s'"]+\.output/,
  sayCode: (code) => `Exit code ${code}`,
};
