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
    settings: () => inHome(".gemini", "settings.json"),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash reads it.
    recognise: '[ "${BASH_EXECUTION_STRING#shopt -u promptvars}" != "$BASH_EXECUTION_STRING" ]',
  },
  results: {
    by: "hook",
    event: "AfterTool",
    settings: () => inHome(".gemini", "settings.json"),
    matcher: "web_fetch|google_web_search|mcp_.*",
    tools: /^(?:web_fetch|google_web_search|mcp_.+)$/,
    answer: "deny",
    timeout: 60_000,
    warning: "Gemini CLI hands a replaced result to its model as an error, also when the call went well",
  },
};
