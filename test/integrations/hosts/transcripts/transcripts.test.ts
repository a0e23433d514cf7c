import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findHost } from "../../../../src/integrations/hosts/find-host.ts";
import {
  findContext,
  readCalls,
  TRANSCRIPTS,
} from "../../../../src/integrations/hosts/transcripts/find-transcripts.ts";
import type { PastCall } from "../../../../src/integrations/hosts/transcripts/transcript.ts";
import { definedOnly } from "../../../../src/limits/options.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const PROMPT = "what became of ledger-7f3a?";
const SESSION = "0a3f86c7-db43-462a-9583-cffc01ccc8ee";

/** Lines as each agent writes them: a prompt, a call, and its long result in the second list. */
const LINES: Record<string, { file: string; before: readonly unknown[]; after: readonly unknown[] }> = {
  "claude-code": {
    file: `.claude/projects/-work/${SESSION}.jsonl`,
    before: [
      { type: "queue-operation", operation: "enqueue", content: PROMPT },
      { type: "user", message: { role: "user", content: "<command-name>/clear</command-name>" } },
      { type: "user", message: { role: "user", content: PROMPT }, cwd: "/work" },
      {
        type: "assistant",
        message: {
          role: "assistant",
          content: [
            { type: "text", text: "I look." },
            { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "make", description: "Build it" } },
          ],
        },
      },
    ],
    after: [
      {
        type: "user",
        message: {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "<persisted-output>", is_error: false }],
        },
        toolUseResult: { stdout: "…", persistedOutputPath: "/saved/output" },
      },
    ],
  },
  codex: {
    file: `.codex/sessions/2026/11/17/rollout-2026-11-17T02-01-03-${SESSION}.jsonl`,
    before: [
      item({ type: "message", role: "user", content: [{ type: "input_text", text: "<environment_context>" }] }),
      item({ type: "message", role: "user", content: [{ type: "input_text", text: PROMPT }] }),
      item({ type: "function_call", name: "exec_command", arguments: '{"cmd":"make"}', call_id: "call_1" }),
    ],
    after: [
      {
        type: "event_msg",
        payload: {
          type: "item_completed",
          item: { type: "CommandExecution", id: "call_1", aggregated_output: "ends" },
        },
      },
      item({
        type: "function_call_output",
        call_id: "call_1",
        output: "Process exited with code 2\nOriginal token count: 5001\nOutput:\nWarning: truncated output",
      }),
    ],
  },
  gemini: {
    file: ".gemini/tmp/work/chats/session-2026-11-17T02-01-b83f6890.jsonl",
    before: [
      { sessionId: "b83f6890", kind: "main" },
      { $set: { messages: [{ type: "user", content: [{ text: "<session_context>" }] }] } },
      { type: "user", content: [{ text: PROMPT }] },
      { type: "gemini", content: "" },
    ],
    after: [
      {
        type: "gemini",
        content: "",
        toolCalls: [
          {
            id: "run_shell_command__call_1",
            name: "run_shell_command",
            args: { command: "make", description: "Build it" },
            result: [
              { functionResponse: { response: { output: "Output too large. For full output see: /saved/output\n…" } } },
            ],
            status: "success",
            resultDisplay: "all of it",
          },
        ],
      },
    ],
  },
  qwen: {
    file: `.qwen/projects/-work/chats/${SESSION}.jsonl`,
    before: [
      { type: "user", message: { role: "user", parts: [{ text: PROMPT }] } },
      { type: "system", subtype: "ui_telemetry" },
      {
        type: "assistant",
        message: {
          role: "model",
          parts: [
            {
              functionCall: {
                id: "call_1",
                name: "run_shell_command",
                args: { command: "make", description: "Build it" },
              },
            },
          ],
        },
      },
    ],
    after: [
      {
        type: "tool_result",
        message: {
          role: "user",
          parts: [{ functionResponse: { id: "call_1", response: { output: "has been saved to: /saved/output\n…" } } }],
        },
      },
    ],
  },
  pi: {
    file: ".pi/agent/sessions/--work--/2026_1.jsonl",
    before: [
      { type: "session", cwd: "/work" },
      { type: "message", message: { role: "user", content: [{ type: "text", text: PROMPT }] } },
      {
        type: "message",
        message: {
          role: "assistant",
          content: [{ type: "toolCall", id: "call_1", name: "bash", arguments: { command: "make" } }],
        },
      },
    ],
    after: [
      {
        type: "message",
        message: {
          role: "toolResult",
          toolCallId: "call_1",
          content: [{ type: "text", text: "…\n[Showing lines 1-2. Full output: /saved/output]" }],
          details: {},
          isError: true,
        },
      },
    ],
  },
};

function item(payload: object): object {
  return { type: "response_item", payload };
}

let home: string;
beforeEach(() => {
  home = temporaryFolder("transcripts");
  for (const name of ["CODEX_HOME", "CLAUDE_CONFIG_DIR", "CODEX_THREAD_ID"]) vi.stubEnv(name, undefined);
  vi.stubEnv("HOME", home);
  vi.stubEnv("CLAUDE_CODE_SESSION_ID", SESSION);
  vi.stubEnv("CODEX_SESSION_ID", SESSION);
  put(".gemini/projects.json", JSON.stringify({ projects: { "/work": "work" } }));
});
afterEach(() => vi.unstubAllEnvs());

function put(name: string, text: string): void {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), text);
}

function write(host: string, part: "before" | "after"): void {
  const { file, before, after } = LINES[host]!;
  const lines = part === "before" ? before : [...before, ...after];
  put(file, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"half": `);
}

async function callsOf(host: string): Promise<PastCall[]> {
  const place = TRANSCRIPTS.find((one) => one.host === host)!;
  const files = place.files();
  expect(files).toEqual([join(home, LINES[host]!.file)]);
  const calls: PastCall[] = [];
  for await (const call of readCalls(place, files[0]!)) calls.push(call);
  return calls;
}

describe("a transcript", () => {
  test.each(Object.keys(LINES))("of %s gives its calls with what was shown and kept", async (host) => {
    write(host, "after");
    const [call, ...more] = await callsOf(host);
    expect(more).toEqual([]);
    expect(Object.values(call!.input)).toContain("make");
    expect(call!.shown.length).toBeGreaterThan(5);
    if (host === "codex") expect(call).toMatchObject({ whole: "ends", partial: true, bytes: 20_000, failed: true });
    else expect(call!.file).toBe("/saved/output");
  });

  test.each(Object.keys(LINES))("of %s that does not end has no call to tell of", async (host) => {
    write(host, "before");
    expect(await callsOf(host)).toEqual([]);
  });
});

describe("what is known of a call", () => {
  const open = { command: "make", assistantText: "Build it" };

  test.each([
    ["claude-code", { task: PROMPT, ...open, assistantText: "Build it\nI look." }],
    ["codex", { task: PROMPT, command: "make" }],
    ["gemini", { task: PROMPT }],
    ["qwen", { task: PROMPT, ...open }],
  ])("of %s is in the transcript of the session that makes it", async (host, known) => {
    write(host, "before");
    expect(definedOnly((await findContext(findHost(host), "/work")) ?? {})).toEqual(known);
  });

  test.each(["claude-code", "codex", "gemini", "qwen"])("of %s has a long prompt whole", async (host) => {
    const long = `${"a plan of many words ".repeat(300)}${PROMPT}`;
    const { file, before } = LINES[host]!;
    put(file, before.map((line) => `${JSON.stringify(line).replace(PROMPT, long)}\n`).join(""));
    expect((await findContext(findHost(host), "/work"))?.task).toBe(long);
  });

  test("is nothing where there is no transcript", async () => {
    expect(await findContext(findHost("claude-code"), "/work")).toBeUndefined();
    expect(await findContext(findHost("gemini"), "/elsewhere")).toBeUndefined();
    expect(await findContext(findHost("cursor"), "/work")).toBeUndefined();
  });

  test("holds what the model wrote last, and nothing of a call where several run at once", async () => {
    const { file, before } = LINES["claude-code"]!;
    const call = { type: "tool_use", id: "toolu_2", name: "Bash", input: { description: "Another" } };
    const content = [{ type: "text", text: "I look at the ledger." }, call];
    put(file, [...before, { type: "assistant", message: { content } }].map((line) => JSON.stringify(line)).join("\n"));
    const known = definedOnly((await findContext(findHost("claude-code"), "/work")) ?? {});
    expect(known).toEqual({ task: PROMPT, assistantText: "I look at the ledger." });
  });
});
