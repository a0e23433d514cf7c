import { type Host, PATIENCE_MS, plainServer, SAFE } from "./host.ts";
import { inHome } from "./user-folders.ts";

export const qwen: Host = {
  name: "qwen",
  title: "Qwen Code",
  folder: () => inHome(".qwen"),
  maxBytes: SAFE,
  ownCut: "25,000 characters",
  readers: ["read_file", "grep_search"],
  shellTool: "run_shell_command",
  largestRead: { fileBytes: 10 * 1024 * 1024, lineBytes: 2000 },
  artifacts: "user",
  patienceMs: PATIENCE_MS,
  mcp: {
    clientName: "qwen-cli-mcp-client",
    format: "json",
    section: "mcpServers",
    projectFile: ".qwen/settings.json",
    userFile: () => inHome(".qwen", "settings.json"),
    render: plainServer,
  },
  shell: {
    by: "bash-env-dotenv",
    envFile: () => inHome(".qwen", ".env"),
    settings: () => inHome(".qwen", "settings.json"),
    // Set for its shell tool only.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash reads it.
    recognise: '[ "${QWEN_CODE-}" = 1 ]',
  },
};
