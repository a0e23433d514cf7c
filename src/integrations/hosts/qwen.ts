import { cutAlike, type Host, PATIENCE_MS, plainServer, SAFE } from "./host.ts";
import { inHome } from "./user-folders.ts";

export const qwen: Host = {
  name: "qwen",
  title: "Qwen Code",
  folder: () => inHome(".qwen"),
  maxBytes: SAFE,
  ownCut: cutAlike({ overBytes: 25_000, leavesBytes: 25_490 }),
  readers: ["read_file", "grep_search"],
  lineArgs: "offset_from_0",
  shellTool: "run_shell_command",
  largestRead: { fileBytes: 10 * 1024 * 1024, lineBytes: 2000 },
  artifacts: "user",
  patienceMs: PATIENCE_MS,
  mcp: {
    client: {
      name: "qwen-cli-mcp-client",
      maxBytes: { success: 22_000, failure: 20_000 },
      maxMediaBytes: 5_000_000,
      toolNames: "mcp__SERVER__TOOL",
    },
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
