import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fieldsOf } from "../../bytes/json/is-object.ts";
import { cutAlike, type Host, inHome, PATIENCE_MS, plainServer, SAFE } from "./host.ts";

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
  // Its read_file refuses what git ignores, and reads nothing outside the project but this folder of its own.
  artifacts: "user",
  patienceMs: PATIENCE_MS,
  idleMs: 300_000,
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
  formerReadable: () => inHome(".gemini", "settings.json"),
  readableFolder: (root, transcript) => {
    const project = transcript === undefined ? geminiProject(root) : dirname(dirname(transcript));
    return project === undefined ? undefined : join(project, "spillway", "tool-output");
  },
};

/** Where it keeps what belongs to the project around a folder; undefined before its first session there. */
export function geminiProject(cwd: string): string | undefined {
  const file = inHome(".gemini", "projects.json");
  if (!existsSync(file)) return undefined;
  const names = fieldsOf(fieldsOf(JSON.parse(readFileSync(file, "utf8"))).projects);
  for (let at = cwd; ; at = dirname(at)) {
    const name = names[at];
    if (typeof name === "string") return inHome(".gemini", "tmp", name);
    if (dirname(at) === at) return undefined;
  }
}
