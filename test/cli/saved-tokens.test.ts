import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtPackage } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type ModelRequest, type ScriptedReply, startModelServer } from "../support/model-server.ts";
import { spillway } from "../support/spillway-command.ts";

type Step = ScriptedReply | ((request: ModelRequest) => ScriptedReply);

const bash = (command: string): ScriptedReply => ({ calls: [{ name: "Bash", input: { command } }] });
/** A call about the artifact that the first truncated result names. */
const about = (name: string, input: Readonly<Record<string, unknown>>) => (request: ModelRequest) => {
  const path = /\/[^\s"\\]*\/tool_[^\s"\\]+\.txt/.exec(request.toolResults.map(({ text }) => text).join("\n"))?.[0];
  return { calls: [{ name, input: { path: path ?? "none", ...input } }] };
};
const DONE: ScriptedReply = { text: "Done." };
const WINDOW_AND_MORE = "seq 1 400000";

const TASK: ScriptedReply = { calls: [{ name: "Task", input: { agent: "explore", prompt: "Look for 77777." } }] };

const SESSIONS: readonly [name: string, prompt: string, steps: readonly Step[]][] = [
  ["nothing over a limit", "count", [bash("seq 1 10"), DONE]],
  ["one output", "count", [bash("seq 1 30000"), DONE]],
  ["an output above a context window", "count", [bash(WINDOW_AND_MORE), DONE]],
  ["a failed output", "count", [bash("seq 1 30000; exit 3"), DONE]],
  ["an output that was read again", "count", [bash("seq 1 30000"), about("Read", { offset: 500, limit: 300 }), DONE]],
  ["an output that was searched", "count", [bash(WINDOW_AND_MORE), about("Grep", { pattern: "77777" }), DONE]],
  [
    "reads that are over a limit too",
    "count",
    [bash(WINDOW_AND_MORE), about("Read", { offset: 1, limit: 50_000 }), about("Grep", { pattern: "7" }), DONE],
  ],
  [
    "several tools in one step",
    "count",
    [
      {
        calls: ["seq 1 30000", "seq 5 90000", "ls /", "seq 1 20000 | tr '\\n' ' '"].map((command) => ({
          name: "Bash",
          input: { command },
        })),
      },
      DONE,
    ],
  ],
  [
    "a sub-agent",
    "count",
    [bash("seq 1 30000 | tee numbers.txt"), TASK, { calls: [{ name: "Grep", input: { pattern: "7" } }] }, DONE, DONE],
  ],
  ["a prompt over the limit", "count this: ".repeat(9000), [bash("seq 1 30000"), DONE]],
  ["an answer over the limit", "count", [{ text: "word ".repeat(60_000), ...bash("seq 1 30000") }, DONE]],
  ["arguments over the limit", "count", [bash(`seq 1 30000 # ${"note ".repeat(24_000)}`), DONE]],
];

const sum = (rows: readonly { savedTokens: number }[]) => rows.reduce((all, row) => all + row.savedTokens, 0);

/** The savings that the inspector shows below a root, and the sum of those that it shows for each session. */
async function inspector(root: string, sessions: readonly string[]): Promise<{ total: number; sessions: number }> {
  const { bin } = await builtPackage();
  const server = spawn(process.execPath, [bin, "ui", "--no-open", "--root", root], { cwd: root });
  try {
    const [line] = (await once(server.stdout, "data")) as [Buffer];
    const address = new URL(line.toString().trim());
    const headers = { authorization: `Bearer ${address.searchParams.get("token")}` };
    const get = async (path: string) => (await fetch(new URL(`/api/v1/${path}`, address), { headers })).json();
    const { rows } = (await get("savings?by=tool")) as { rows: { savedTokens: number }[] };
    const details = await Promise.all(sessions.map((id) => get(`sessions/${id}`)));
    return { total: sum(rows), sessions: sum(details as { savedTokens: number }[]) };
  } finally {
    server.kill();
  }
}

async function expectOneNumber(root: string, prompt: string, steps: readonly Step[], env = {}): Promise<number> {
  const model = await startModelServer((request, index) => {
    const step = steps[index] ?? DONE;
    return typeof step === "function" ? step(request) : step;
  });
  const run = (...args: string[]) =>
    spillway([...args, "--root", root], { cwd: root, env: { OPENAI_API_KEY: "k", ...env }, input: prompt });
  const agent = await run("agent", "-", "--model", "openai/m", "--base-url", model.url, "--yes");
  await model.close();
  expect(agent.exitCode, agent.err).toBe(0);
  const ids = (JSON.parse((await run("sessions", "list", "--json")).out) as { id: string }[]).map(({ id }) => id);
  let saved = 0;
  for (const id of ids) {
    const { account } = JSON.parse((await run("sessions", "show", id, "--json")).out);
    saved += account.netSavedTokens;
    const told = `Kept out by truncation: ${account.netSavedTokens.toLocaleString("en")} tokens net`;
    expect((await run("sessions", "show", id)).out).toContain(told);
  }
  const { tools } = JSON.parse((await run("stats", "--json")).out);
  const shown = await inspector(root, ids);
  expect({ stats: sum(Object.values(tools)), ...shown }).toEqual({ stats: saved, total: saved, sessions: saved });
  return saved;
}

describe("the number of saved tokens", () => {
  it.each(SESSIONS)("is the same in stats, sessions show and the inspector: %s", async (name, prompt, steps) => {
    const saved = await expectOneNumber(temporaryFolder("saved"), prompt, steps);
    if (name === "nothing over a limit") expect(saved).toBe(0);
    else expect(saved).toBeGreaterThan(0);
  });

  it("is the same where outputs cannot be saved", async () => {
    const root = temporaryFolder("lost");
    mkdirSync(join(root, ".agents"));
    writeFileSync(join(root, ".agents", "tool-output"), "");
    writeFileSync(join(root, "state"), "");
    const env = { XDG_STATE_HOME: join(root, "state") };
    expect(await expectOneNumber(root, "count", [bash("seq 1 30000"), DONE], env)).toBeGreaterThan(0);
  });
});
