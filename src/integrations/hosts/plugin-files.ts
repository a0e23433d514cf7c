import path from "node:path";
import { type Host, NEVER_REPLACED, type PluginPlace } from "./host.ts";
import { spoolFolder, stampFolder } from "./program-folder.ts";
import { wrapperFiles, zshFile } from "./wrapper-files.ts";

/** By this a file is known to be ours. */
export const PLUGIN_MARK = "Written by `spillway init";

/** The file that a host loads into itself; it hands large results to Spillway's own process and never throws. */
export function pluginText(host: Host, { kind }: PluginPlace, folder: string): string {
  const constants = {
    HOST: host.name,
    MAX_BYTES: Math.min(host.maxBytes.success, host.maxBytes.failure),
    NODE: process.execPath,
    PROGRAM: path.join(folder, "bin", "spillway.mjs"),
    SPOOL: spoolFolder(),
    USED: path.join(stampFolder(), host.name),
    ...shellConstants(host, folder),
  };
  const lines = Object.entries(constants).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`);
  lines.push(`const NEVER_REPLACED = ${JSON.stringify(NEVER_REPLACED)};`);
  const head = `// ${PLUGIN_MARK} ${host.name}\`; \`spillway init ${host.name} --remove\` takes it away.`;
  return `${[head, IMPORTS, ...lines, BOUND, kind === "opencode" ? OPENCODE : PI].join("\n")}\n`;
}

/** What the host's shell is told to read before a line. */
function shellConstants(host: Host, folder: string): Record<string, string> {
  if (host.shell?.by !== "plugin") return {};
  const files = wrapperFiles(host, host.shell, folder);
  return { SHELL_TOOL: host.shellTool ?? "", BASH_FILE: files.at(-1)!.path, ZSH_FOLDER: path.dirname(zshFile(files)) };
}

const IMPORTS = `import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
`;

const BOUND = `
const WITHHELD = "[spillway: the output may hold secrets and could not be read through; it is not shown]";

/** Whether a config file speaks of redaction; what exactly it says is for Spillway's own process to read. */
function asksRedaction(cwd) {
  const files = [join(process.env.XDG_CONFIG_HOME || join(process.env.HOME ?? "", ".config"), "spillway", "config.yaml")];
  for (let at = cwd; ; at = dirname(at)) {
    files.push(join(at, "spillway.yaml"));
    if (existsSync(join(at, "spillway.yaml")) || existsSync(join(at, ".git")) || dirname(at) === at) break;
  }
  return files.some((file) => existsSync(file) && /^redact:/m.test(readFileSync(file, "utf8")));
}

/** What is known of why a call was made; an argument of a program has room for 128 KB. */
function knownOf(parts) {
  const known = Object.entries(parts).filter(([, text]) => typeof text === "string" && text.trim() !== "");
  return Object.fromEntries(known.map(([name, text]) => [name, text.replaceAll("\\0", "").slice(0, 16000)]));
}

/** Notes that the agent has used this, for \`spillway doctor --host\`. */
function stamp() {
  try {
    if (process.env.SPILLWAY_TRYING === undefined && process.env.SPILLWAY !== "off") writeFileSync(USED, "");
  } catch {}
}

/** Whether a shell line ends with the comment \`# spillway:off\`; what is a comment is asked of the shell, as in bin/spillway-shell. */
function isOff(line) {
  const comment = /#[ \\t]*spillway:off\\s*$/.exec(typeof line === "string" ? line : "");
  const parses = (text) => {
    try {
      execFileSync("bash", ["-n", "-c", text], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  };
  return comment !== null && parses(line.slice(0, comment.index) + "# '") && !parses(line + "\\n)");
}

/** What the model should see instead; undefined when the result is small, or on any trouble. */
async function bound({ text, file, tool, exitCode, cwd, query, command }) {
  if (process.env.SPILLWAY === "off" || typeof text !== "string" || text === "") return undefined;
  const secret = asksRedaction(cwd);
  if (Buffer.byteLength(text) <= MAX_BYTES && !secret) return undefined;
  let folder;
  try {
    if (file === undefined || !existsSync(file)) {
      await mkdir(SPOOL, { recursive: true, mode: 0o700 });
      folder = await mkdtemp(join(SPOOL, "result-"));
      file = join(folder, "output");
      await writeFile(file, text, { mode: 0o600 });
    }
    const args = [PROGRAM, "shell", "--host", HOST, "--adopt", file, "--tool", tool, "--code", String(exitCode), "--cwd", cwd];
    if (query !== undefined) args.push("--query=" + JSON.stringify(query));
    if (typeof command === "string" && command.length < 100000) args.push("--line=" + command);
    const shown = await new Promise((resolve, reject) => {
      execFile(NODE, args, { maxBuffer: 1 << 20, timeout: 120000 }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
    });
    // Another layer of Spillway has bounded it.
    if (shown === text) return undefined;
    return shown.length > 0 && Buffer.byteLength(shown) <= MAX_BYTES ? shown : secret ? WITHHELD : undefined;
  } catch {
    return secret ? WITHHELD : undefined;
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
`;

const OPENCODE = `
const sessions = new Map();
const calls = new Map();

function contextOf(args, { prompt, written } = {}) {
  const question = [args?.prompt, args?.query, args?.question].find((one) => typeof one === "string");
  const said = [args?.description, written].filter((one) => typeof one === "string").join("\\n");
  return knownOf({ question, assistantText: said, task: prompt, command: args?.command ?? args?.pattern });
}

export const SpillwayPlugin = async ({ directory }) => ({
  "chat.message": async (input, output) => {
    try {
      const text = output.parts.map((part) => (part.type === "text" && !part.synthetic ? part.text : "")).join("");
      if (text.trim() !== "") sessions.set(input.sessionID, { prompt: text.trim() });
    } catch {}
  },
  "experimental.text.complete": async (input, output) => {
    const session = sessions.get(input.sessionID);
    if (session !== undefined && typeof output?.text === "string") session.written = output.text;
  },
  "tool.execute.before": async (input, output) => {
    if (input.tool === SHELL_TOOL) calls.set(input.callID, output?.args);
  },
  "shell.env": async (input, output) => {
    try {
      // What has no call is a terminal of the user's.
      if (process.env.SPILLWAY === "off" || !calls.has(input.callID) || !existsSync(BASH_FILE)) return;
      const before = { ...process.env, ...output.env };
      if (before.BASH_ENV) output.env.SPILLWAY_BASH_ENV = before.BASH_ENV;
      if (before.ZDOTDIR) output.env.SPILLWAY_ZDOTDIR = before.ZDOTDIR;
      output.env.BASH_ENV = BASH_FILE;
      output.env.ZDOTDIR = ZSH_FOLDER;
      output.env.SPILLWAY_QUERY = JSON.stringify(contextOf(calls.get(input.callID), sessions.get(input.sessionID)));
    } catch {}
  },
  "tool.execute.after": async (input, output) => {
    try {
      calls.delete(input.callID);
      stamp();
      if (NEVER_REPLACED.includes(input.tool) || isOff(input.args?.command)) return;
      const metadata = output.metadata ?? {};
      const call = {
        tool: input.tool,
        cwd: directory ?? process.cwd(),
        query: contextOf(input.args, sessions.get(input.sessionID)),
        command: input.args?.command,
      };
      // What an MCP server answers comes as blocks, before opencode makes a text of them.
      if (Array.isArray(output.content)) {
        const texts = output.content.filter((part) => typeof part?.text === "string");
        const text = texts.map((part) => part.text).join("\\n");
        const shown = await bound({ ...call, text, exitCode: output.isError === true ? 1 : 0 });
        if (shown === undefined) return;
        // The first holds what is shown of all of them.
        texts[0].text = shown;
        output.content = output.content.filter((part) => part === texts[0] || !texts.includes(part));
        return;
      }
      const exitCode = typeof metadata.exit === "number" ? metadata.exit : 0;
      const shown = await bound({ ...call, text: output.output, file: metadata.outputPath, exitCode });
      if (shown !== undefined) output.output = shown;
    } catch {}
  },
});`;

const PI = String.raw`
function spillway(pi) {
  let prompt;
  let written;
  pi.on("before_agent_start", (event) => {
    prompt = event.prompt;
    written = undefined;
  });
  pi.on("message_end", (event) => {
    const parts = event.message?.role === "assistant" && Array.isArray(event.message.content) ? event.message.content : [];
    const text = parts.filter((part) => part.type === "text").map((part) => part.text).join("");
    if (text !== "") written = text;
  });
  pi.on("tool_result", async (event, context) => {
    try {
      stamp();
      if (NEVER_REPLACED.includes(event.toolName) || isOff(event.input?.command)) return undefined;
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
        command: event.input?.command,
        query: knownOf({ task: prompt, assistantText: written, command: event.input?.command }),
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
