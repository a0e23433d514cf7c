import path from "node:path";
import type { Host, ResultsPlace } from "./host.ts";
import { spoolFolder } from "./program-folder.ts";

/** By this a file is known to be ours. */
export const PLUGIN_MARK = "Written by `spillway init";

/** The file that a host loads into itself; it hands large results to Spillway's own process and never throws. */
export function pluginText(host: Host, { kind }: ResultsPlace, folder: string): string {
  const constants = {
    HOST: host.name,
    MAX_BYTES: Math.min(host.maxBytes.success, host.maxBytes.failure),
    NODE: process.execPath,
    PROGRAM: path.join(folder, "bin", "spillway.mjs"),
    SPOOL: spoolFolder(),
  };
  const lines = Object.entries(constants).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`);
  const head = `// ${PLUGIN_MARK} ${host.name}\`; \`spillway init ${host.name} --remove\` takes it away.`;
  return `${[head, IMPORTS, ...lines, BOUND, kind === "opencode" ? OPENCODE : PI].join("\n")}\n`;
}

const IMPORTS = `import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
`;

const BOUND = String.raw`
/** What the model should see instead; undefined when the result is small, or on any trouble. */
async function bound({ text, file, tool, exitCode, cwd }) {
  if (process.env.SPILLWAY === "off" || typeof text !== "string" || Buffer.byteLength(text) <= MAX_BYTES) return undefined;
  // Whatever Spillway said already, or reads for the model, is not bounded twice.
  if (/Full output saved to: |Truncated\. Full output: /.test(text.slice(-2000))) return undefined;
  let folder;
  try {
    if (file === undefined || !existsSync(file)) {
      folder = await mkdtemp(join(SPOOL, "result-"));
      file = join(folder, "output");
      await writeFile(file, text, { mode: 0o600 });
    }
    const args = [PROGRAM, "shell", "--host", HOST, "--adopt", file, "--tool", tool, "--code", String(exitCode), "--cwd", cwd];
    const shown = await new Promise((resolve, reject) => {
      execFile(NODE, args, { maxBuffer: 1 << 20, timeout: 120000 }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
    });
    return shown.length > 0 && Buffer.byteLength(shown) <= MAX_BYTES ? shown : undefined;
  } catch {
    return undefined;
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
`;

// Results of the host's reader are left alone: edits need them to the letter, and the host bounds them itself.
const OPENCODE = `
export const SpillwayPlugin = async ({ directory }) => ({
  "tool.execute.after": async (input, output) => {
    try {
      if (["read", "edit", "write", "patch"].includes(input.tool)) return;
      const metadata = output.metadata ?? {};
      const shown = await bound({
        text: output.output,
        file: metadata.outputPath,
        tool: input.tool,
        exitCode: typeof metadata.exit === "number" ? metadata.exit : 0,
        cwd: directory ?? process.cwd(),
      });
      if (shown !== undefined) output.output = shown;
    } catch {}
  },
});`;

const PI = String.raw`
function spillway(pi) {
  pi.on("tool_result", async (event, context) => {
    try {
      if (["read", "edit", "write"].includes(event.toolName)) return undefined;
      const texts = event.content.filter((part) => part.type === "text");
      if (texts.length !== 1) return undefined;
      const text = texts[0].text;
      const named = /\[[^\]\n]*Full output: ([^\]\n]+)\]/.exec(text.slice(-2000));
      const code = /Command exited with code (\d+)/.exec(text.slice(-2000));
      const shown = await bound({
        text,
        file: event.details?.fullOutputPath ?? named?.[1],
        tool: event.toolName,
        exitCode: code ? Number(code[1]) : event.isError ? 1 : 0,
        cwd: context?.cwd ?? process.cwd(),
      });
      if (shown === undefined) return undefined;
      const ending = code ? "\n" + code[0] : "";
      return { content: event.content.map((part) => (part.type === "text" ? { ...part, text: shown + ending } : part)) };
    } catch {
      return undefined;
    }
  });
}
// pi takes the default of the file.
export ${"default"} spillway;`;
