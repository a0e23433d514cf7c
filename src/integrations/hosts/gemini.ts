import { type Host, PATIENCE_MS, plainServer, SAFE } from "./host.ts";
import { inHome } from "./user-folders.ts";

export const gemini: Host = {
  name: "gemini",
  title: "Gemini CLI",
  folder: () => inHome(".gemini"),
  maxBytes: SAFE,
  ownCut: "40,000 characters",
  readers: ["read_file", "grep_search"],
  shellTool: "run_shell_command",
  largestRead: { fileBytes: 20 * 1024 * 1024, lineBytes: 2000 },
  // Its read_file refuses what git ignores.
  artifacts: "user",
  patienceMs: PATIENCE_MS,
  mcp: {
    clientName: "gemini-cli-mcp-client",
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
};
