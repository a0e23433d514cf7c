import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createMemoryStore } from "../../src/artifacts/memory-store.ts";
import { boundMessage } from "../../src/integrations/mcp-proxy/message/bound-message.ts";
import { createProxyGate } from "../../src/integrations/mcp-proxy/proxy-gate.ts";
import { builtPackage } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";

const home = temporaryFolder("hook-home");
const root = temporaryFolder("hook-root");
const env = {
  PATH: process.env.PATH ?? "",
  HOME: home,
  XDG_STATE_HOME: join(home, "state"),
  XDG_DATA_HOME: join(home, "my data"),
  XDG_CONFIG_HOME: join(home, "config"),
};
const LONG = Array.from({ length: 5000 }, (_, at) =>
  at === 2500 ? "src/tax.ts:12: error TS2322: not a number" : `src/file-${at}.ts:1: import { tax } from "./tax";`,
).join("\n");
let bin = "";

beforeAll(async () => {
  bin = (await builtPackage()).bin;
  mkdirSync(join(root, ".git"));
  for (const args of [["claude-code"], ["gemini"], ["qwen"]])
    execFileSync(process.execPath, [bin, "init", ...args, "--yes", "--root", root], { env });
});

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(program: string, args: readonly string[], input: string, more: Record<string, string> = {}): Promise<Ran> {
  const child = spawn(program, args, { cwd: root, env: { ...env, ...more } });
  const ran = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    ran.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    ran.err += chunk;
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...ran })));
}

const hook = (host: string, event: string, input: unknown, more?: Record<string, string>) =>
  run(process.execPath, [bin, "hook", host, event], JSON.stringify(input), more);
const said = (tool: string, response: unknown, toolInput: unknown = {}) => ({
  cwd: root,
  hook_event_name: "PostToolUse",
  tool_name: tool,
  tool_input: toolInput,
  tool_response: response,
});
/** What Claude Code would run after a tool. */
const configured = (): string =>
  JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8")).hooks.PostToolUse[0].hooks[0].command;
const NOTHING = { code: 0, out: "", err: "" };

describe("spillway hook", () => {
  test("replaces a long result of Claude Code in its own shape, and keeps all of it", async () => {
    const response = { mode: "content", numFiles: 5000, filenames: [], content: LONG, numLines: 5000 };
    const { out, code } = await hook("claude-code", "PostToolUse", said("Grep", response));
    expect(code).toBe(0);
    const { hookEventName, updatedToolOutput } = JSON.parse(out).hookSpecificOutput;
    expect(hookEventName).toBe("PostToolUse");
    expect(updatedToolOutput).toEqual({ ...response, content: expect.any(String) });
    expect(Buffer.byteLength(updatedToolOutput.content)).toBeLessThanOrEqual(9500);
    expect(updatedToolOutput.content).toContain("error TS2322");
    const saved = /Full output saved to: (\S+)/.exec(updatedToolOutput.content)?.[1] ?? "";
    expect(readFileSync(saved, "utf8")).toBe(LONG);
    // The second layer sees that the first has been here.
    const twice = { ...updatedToolOutput, content: `${"x".repeat(5000)}\n${updatedToolOutput.content}` };
    expect(await hook("claude-code", "PostToolUse", said("Grep", twice))).toEqual(NOTHING);
  });

  test("goes into the blocks of an MCP result, and into the file that Claude Code put one into", async () => {
    const blocks = [
      { type: "text", text: "first" },
      { type: "text", text: LONG },
    ];
    const answered = JSON.parse((await hook("claude-code", "PostToolUse", said("mcp__db__query", blocks))).out);
    const output = answered.hookSpecificOutput.updatedToolOutput;
    expect(output[0]).toEqual(blocks[0]);
    expect(output[1].text).toContain("error TS2322");
    const file = join(root, "saved.txt");
    writeFileSync(file, LONG);
    const told = `Error: result (300,000 characters) exceeds maximum allowed tokens. Output has been saved to ${file}.\nUse offset and limit.`;
    const { out } = await run("sh", ["-c", configured()], JSON.stringify(said("mcp__db__query", told)));
    expect(JSON.parse(out).hookSpecificOutput.updatedToolOutput).toContain("error TS2322");
    expect(readFileSync(file, "utf8")).toBe(LONG);
  });

  test("leaves alone what the proxy has bounded, but not a result that only quotes the words of a notice", async () => {
    const spillway = createProxyGate({ store: createMemoryStore(), config: false, env: {}, maxBytes: 45_000 });
    const message = { jsonrpc: "2.0" as const, id: 1, result: { content: [{ type: "text", text: LONG }] } };
    const call = { tool: "query", callId: "1", reader: "spillway_read", links: false };
    const content = (await boundMessage(message, call, spillway)).message.result?.content as { text: string }[];
    expect(content[0]!.text.length).toBeGreaterThan(30_000);
    expect(await hook("claude-code", "PostToolUse", said("mcp__db__query", content))).toEqual(NOTHING);
    const quoted = `${LONG.slice(0, 40_000)}\nOutput truncated: 3 of 900 lines shown.`;
    const { out } = await hook("claude-code", "PostToolUse", said("mcp__db__query", [{ type: "text", text: quoted }]));
    expect(JSON.parse(out).hookSpecificOutput.updatedToolOutput[0].text.length).toBeLessThan(9500);
  });

  test("bounds the answer of a sub-agent, and leaves its task as it was", async () => {
    const response = { status: "completed", prompt: LONG, content: [{ type: "text", text: `Report:\n${LONG}` }] };
    const { out } = await hook("claude-code", "PostToolUse", said("Agent", response, { prompt: "Look" }));
    const { prompt, content } = JSON.parse(out).hookSpecificOutput.updatedToolOutput;
    expect(prompt).toBe(LONG);
    expect(content[0].text).toContain("error TS2322");
    expect(Buffer.byteLength(content[0].text)).toBeLessThan(9500);
  });

  test("makes its folder anew where that was cleared away", async () => {
    for (const ask of [
      () => hook("claude-code", "PostToolUse", said("Grep", { content: LONG })),
      () => run("sh", ["-c", configured()], JSON.stringify(said("Grep", { content: LONG }))),
    ]) {
      rmSync(join(home, "state", "spillway", "spool"), { recursive: true });
      expect((await ask()).out).toContain("error TS2322");
    }
  });

  test("takes what the call is for as the question", async () => {
    const page = LONG.replace("src/file-4000.ts:1: import", "refunds are paid within 14 days: import");
    const asked = said("WebFetch", { result: page, url: "http://x" }, { prompt: "how soon are refunds paid" });
    const { out } = await hook("claude-code", "PostToolUse", asked);
    expect(JSON.parse(out).hookSpecificOutput.updatedToolOutput.result).toContain("refunds are paid within 14 days");
  });

  test.each([
    ["web_fetch", LONG, ""],
    ["mcp_logs_read", [{ text: LONG }], ""],
    [
      "run_shell_command",
      `<untrusted_context>\nOutput: ${LONG}\nExit Code: 3\nProcess Group PGID: 7\n</untrusted_context>`,
      "Exit Code: 3\nProcess Group PGID: 7",
    ],
  ])(
    "has Gemini CLI read the text of %s from a file, with what it says after an output",
    async (tool, content, after) => {
      const transcript_path = join(home, ".gemini/tmp/shop/chats/session-1.jsonl");
      const response = { llmContent: content, returnDisplay: LONG };
      const input = { ...said(tool, response), transcript_path, hook_event_name: "AfterTool" };
      const { hookSpecificOutput } = JSON.parse((await hook("gemini", "AfterTool", input)).out);
      const { name, args } = hookSpecificOutput.tailToolCallRequest;
      expect(name).toBe("read_file");
      const shown = readFileSync(args.file_path, "utf8");
      expect(shown).toContain("error TS2322");
      expect(shown.endsWith(after)).toBe(true);
      expect(shown).not.toContain("untrusted_context");
      expect(Math.max(...shown.split("\n").map((line) => line.length))).toBeLessThan(2000);
      const saved = /Full output saved to: (\S+)/.exec(shown)?.[1] ?? "";
      expect(readFileSync(saved, "utf8").trimEnd()).toBe(LONG);
      // It may read no other folder outside the project.
      for (const file of [saved, args.file_path]) expect(file).toContain(join(home, ".gemini/tmp/shop/spillway/"));
    },
  );

  test.each([
    ["PostToolUse", 0],
    ["PostToolUseFailure", 5],
  ])("adds to Qwen Code's own preview what matters of the file that it names (%s)", async (event, code) => {
    const file = join(root, "qwen.output");
    writeFileSync(
      file,
      `Command: make\nDirectory: (root)\nOutput: ${LONG}\nError: (none)\nExit Code: ${code}\nSignal: (none)`,
    );
    const text = `Tool output was too large and has been truncated.\nThe full output has been saved to: ${file}\nTo read`;
    const failed = event === "PostToolUseFailure";
    const input = {
      ...said("run_shell_command", failed ? undefined : { llmContent: text }),
      ...(failed && { error: text }),
    };
    const { hookEventName, additionalContext } = JSON.parse((await hook("qwen", event, input)).out).hookSpecificOutput;
    expect(hookEventName).toBe(event);
    expect(additionalContext).toContain("error TS2322");
    expect(Buffer.byteLength(additionalContext)).toBeLessThan(5000);
    const saved = /Full output saved to: (\S+)/.exec(additionalContext)?.[1] ?? "";
    expect(readFileSync(saved, "utf8").trimEnd()).toBe(LONG);
    // What a command prints is not believed.
    const printed = { ...said("run_shell_command", { llmContent: `Command: x\nOutput: ${text}` }) };
    expect(await hook("qwen", event, printed)).toEqual(NOTHING);
  });

  test.each([
    ["a small result", "claude-code", "PostToolUse", said("Grep", { content: "one" })],
    ["a tool that it is not for", "claude-code", "PostToolUse", said("Read", { content: LONG })],
    ["another event", "claude-code", "PreToolUse", said("Grep", { content: LONG })],
    ["a host without hooks", "codex", "PostToolUse", said("Bash", LONG)],
    ["an unknown host", "nobody", "PostToolUse", said("Grep", { content: LONG })],
    ["no object", "claude-code", "PostToolUse", null],
  ])("says nothing and ends well for %s", async (_, host, event, input) => {
    expect(await hook(host, event, input)).toEqual(NOTHING);
  });

  test.each([
    ["gemini", "AfterTool", "run_shell_command", { llmContent: LONG }],
    ["copilot", "postToolUse", "bash", { textResultForLlm: LONG, resultType: "success" }],
  ])("leaves the result of a line of %s alone that ends with the comment", async (host, event, tool, response) => {
    const ask = (command: string) => {
      const { tool_input: _, tool_response: __, ...rest } = said(tool, response);
      const input = host === "copilot" ? { toolArgs: { command }, toolResult: response } : { tool_input: { command } };
      const transcript_path = join(home, ".gemini/tmp/shop/chats/session-1.jsonl");
      return hook(host, event, { ...rest, toolName: tool, transcript_path, tool_response: response, ...input });
    };
    for (const line of ["make # spillway:off", "echo 'a' #spillway:off \n"]) expect(await ask(line)).toEqual(NOTHING);
    for (const line of ["make", "echo '# spillway:off'", "echo \\# spillway:off", "cat <<E\n# spillway:off\nE"])
      expect((await ask(line)).out, line).not.toBe("");
  });

  test("says nothing and ends well on any trouble", async () => {
    expect(await run(process.execPath, [bin, "hook"], "")).toEqual(NOTHING);
    expect(await run(process.execPath, [bin, "hook", "claude-code", "PostToolUse", "--what"], "{}")).toEqual(NOTHING);
    expect(await run(process.execPath, [bin, "hook", "claude-code", "PostToolUse"], "{ no json")).toEqual(NOTHING);
    const nowhere = { XDG_STATE_HOME: "/dev/null/nowhere", TMPDIR: "/dev/null/nowhere" };
    expect(await hook("claude-code", "PostToolUse", said("Grep", { content: LONG }), nowhere)).toEqual(NOTHING);
    expect(await hook("claude-code", "PostToolUse", said("Grep", { content: LONG }), { SPILLWAY: "off" })).toEqual(
      NOTHING,
    );
  });
});
