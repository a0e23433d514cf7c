import { cutAlike, type Host, PATIENCE_MS, plainServer, SAFE } from "./host.ts";
import { inHome } from "./user-folders.ts";

export const gemini: Host = {
  name: "gemini",
  title: "Gemini CLI",
  folder: () => inHome(".gemini"),
  maxBytes: SAFE,
  ownCut: cutAlike({ overBytes: 40_000, leavesBytes: 40_260 }),
  readers: ["read_file", "grep_search"],
  lineArgs: "start_and_end",
  shellTool: "run_shell_command",
  largestRead: { fileBytes: 20 * 1024 * 1024, lineBytes: 2000 },
  // Its read_file refuses what git ignores.
  artifacts: "user",
  patienceMs: PATIENCE_MS,
  terminal: "wrap",
  mcp: {
    client: {
      name: "gemini-cli-mcp-client",
      maxBytes: { success: 36_000, failure: 32_000 },
      maxMediaBytes: 5_000_000,
      toolNames: "mcp_SERVER_TOOL",
    },
    format: "json",
    section: "mcpServers",
    projectFile: ".gemini/settings.json",
    userFile: () => inHome(".gemini", "settings.json"),
    render: plainServer,
  },
  shell: {
    by: "bash-env-dotenv",
    envFile: () => inHome(".gemini", ".env"),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash reads it.
    recognise: '[ "${BASH_EXECUTION_STRING#shopt -u promptvars}" != "$BASH_EXECUTION_STRING" ]',
  },
  results: {
    by: "hook",
    events: ["AfterTool"],
    settings: () => inHome(".gemini", "settings.json"),
    matcher: "run_shell_command|web_fetch|google_web_search|mcp_.*",
    tools: /^(?:run_shell_command|web_fetch|google_web_search|mcp_.+)$/,
    answer: "tail-call",
    timeout: 60_000,
    frame: {
      head: /^(?:<untrusted_context>\n)?(?:Output: )?/,
      tail: /(?:(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*\n?)*(?:<\/untrusted_context>\s*)?$/,
    },
  },
  readable: () => inHome(".gemini", "settings.json"),
};
