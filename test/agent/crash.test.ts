import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readSession, SESSIONS_DIR } from "../../src/agent/session.ts";
import { buildTranscript } from "../../src/agent/transcript.ts";
import { type BundledScript, bundleScript } from "../support/bundle.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";

const SESSIONS = 5;
const KILLS_EACH = 10;

let root: string;
let server: ModelServer;
let script: BundledScript;

let standby: ChildProcessWithoutNullStreams | undefined;

beforeAll(async () => {
  const source = `
    import { once } from "node:events";
    import { z } from "zod";
    import { createAgent } from "src/agent/create-agent.ts";
    import { loadModel } from "src/agent/model.ts";
    import { defineTool } from "src/tools/registry/define-tool.ts";

    const [root, baseURL] = process.argv.slice(2);
    const print = defineTool({
      name: "Print",
      description: "Prints lines.",
      parameters: z.object({ lines: z.number() }),
      readOnly: true,
      execute: async ({ lines }, run) => run.success({ content: "a line of text\\n".repeat(lines) }, "Printed."),
    });
    const model = await loadModel("openai/m", { baseURL, env: { OPENAI_API_KEY: "k" } });
    const agent = createAgent({ model, root, tools: [print], yes: true, explore: false, maxSteps: 100_000, contextWindow: 20_000 });
    const [line] = await once(process.stdin, "data");
    process.stdin.destroy();
    const session = String(line).trim() || undefined;
    console.log("ready");
    const outcome = await agent.run(session === undefined ? "print" : undefined, { session });
    console.log(outcome.reason);
  `;
  script = await bundleScript(source, { packages: true });
});
afterAll(() => script.remove());
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "spillway-crash-"));
});
afterEach(async () => {
  standby?.kill("SIGKILL");
  standby = undefined;
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

/** A process that has loaded everything and waits to be told which session to go on with. */
function start(): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [script.path, root, server.url]);
}

let moments = 0;

/** Runs the agent, and kills it at another moment of its first steps each time if asked to; gives what it printed. */
function run(session = "", kill = false): Promise<string> {
  const moment = ++moments;
  const killAt = server.requests.length + 1 + (moment % 3);
  const child = standby ?? start();
  standby = kill ? start() : undefined; // the next one loads while this one runs
  child.stdin.write(`${session}\n`);
  let output = "";
  child.stdout.on("data", (data) => {
    output += data;
  });
  child.stderr.on("data", (data) => {
    output += data;
  });
  const timer = setInterval(() => {
    if (!kill || server.requests.length < killAt) return;
    clearInterval(timer);
    setTimeout(() => child.kill("SIGKILL"), (moment * 17) % 40);
  }, 1);
  return new Promise((resolve) =>
    child.once("close", () => {
      clearInterval(timer);
      resolve(output);
    }),
  );
}

const sessions = () =>
  existsSync(join(root, SESSIONS_DIR))
    ? readdirSync(join(root, SESSIONS_DIR)).filter((name) => name.startsWith("ses_"))
    : [];

describe("kill -9", () => {
  it.each(Array.from({ length: SESSIONS }, (_, index) => index + 1))(
    `at ${KILLS_EACH} moments loses no event, and each resume goes on with the same history (session %i)`,
    async () => {
      let finish = false;
      const lines = (index: number) => (index % 4 === 1 ? 4_000 : 1 + ((index * 7_919) % 400));
      server = await startModelServer((_, index) =>
        finish
          ? { text: "finished" }
          : { text: `step ${index}`, calls: [{ name: "Print", input: { lines: lines(index) } }] },
      );
      let session: string | undefined;
      let before = Buffer.alloc(0);
      for (let kill = 0; kill < KILLS_EACH; kill++) {
        expect(await run(session, true)).toBe("ready\n");
        session ??= sessions()[0];
        if (session === undefined) continue;
        const file = readFileSync(join(root, SESSIONS_DIR, session, "events.jsonl"));
        // Everything that was whole before is still there, byte for byte.
        expect(file.subarray(0, before.length).equals(before)).toBe(true);
        before = file.subarray(0, file.lastIndexOf(10) + 1);
      }
      expect(sessions()).toEqual([session]);
      finish = true;
      expect(await run(session)).toBe("ready\ndone\n");

      const events = readSession(root, session ?? "");
      expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
      expect(events.filter((event) => event.type === "session.resume").length).toBeGreaterThan(KILLS_EACH / 2);
      const calls = events.flatMap((event) => (event.type === "tool.call" ? event.callId : []));
      const answered = events.flatMap((event) => (event.type === "tool.result" ? event.callId : []));
      expect(calls.length).toBeGreaterThan(0);
      expect([...answered].sort()).toEqual([...calls].sort());
      expect(new Set(calls).size).toBe(calls.length);

      const [request] = server.requests.slice(-1);
      const sent = buildTranscript(events.slice(0, -2), join(root, SESSIONS_DIR, session ?? "", "events.jsonl"));
      const expected = sent.flatMap((entry) => entry.results.map((result) => JSON.stringify(result.output)));
      expect(request?.toolResults.map((result) => result.text)).toEqual(expected);
    },
    120_000,
  );

  it("leaves a session that another process can take, but never two at once", async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    server = await startModelServer(async () => {
      await held;
      return { text: "slow answer" };
    });
    const first = run();
    await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBe(1);
    const [session] = sessions();
    expect(await run(session)).toContain("SESSION_BUSY");
    letGo();
    expect(await first).toBe("ready\ndone\n");
  });
});
