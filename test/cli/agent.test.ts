import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtPackage } from "../support/build.ts";
import { type ModelServer, type Script, type ScriptedReply, startModelServer } from "../support/model-server.ts";
import { spillway } from "../support/spillway-command.ts";

let root: string;
let server: ModelServer;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "spillway-cli-agent-"));
});
afterEach(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

const env = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" };
const serve = async (script: Script | ScriptedReply[]) => {
  server = await startModelServer(script);
};
const agent = (wire: string, prompt: string, ...flags: string[]) =>
  spillway(["agent", prompt, "--model", `${wire}/m`, "--base-url", server.url, "--root", root, ...flags], { env });
const sessionIds = () => readdirSync(join(root, ".agents/sessions")).filter((name) => name.startsWith("ses_"));

/** The agent on a terminal, every question answered in the same way. */
async function answerOnTerminal(answer: string): Promise<{ exitCode: number; screen: string }> {
  const { bin } = await builtPackage();
  const line = `${process.execPath} ${bin} agent go --model openai/m --base-url ${server.url} --root ${root}`;
  const child = spawn("script", ["-qec", line, "/dev/null"], { env: { ...process.env, ...env } });
  let screen = "";
  let answered = 0;
  child.stdout.on("data", (data) => {
    screen += data;
    for (const asked = screen.split("[N]o:").length - 1; answered < asked; answered++) child.stdin.write(`${answer}\n`);
  });
  const exitCode = await new Promise<number>((resolve) => child.once("close", resolve));
  return { exitCode, screen };
}

describe.each(["openai", "anthropic", "openai-compatible"])("spillway agent on %s", (wire) => {
  it("answers, changes files only with --yes, and prints the answer alone into a pipe", async () => {
    await serve([
      { text: "Writing.", calls: [{ name: "Write", input: { path: "a.txt", content: "hi\n" } }] },
      { text: "Written." },
    ]);
    const { exitCode, out, err } = await agent(wire, "write it", "--yes");
    expect({ exitCode, out, err }).toEqual({ exitCode: 0, out: "Written.\n", err: "" });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("hi\n");
  });

  it("prints every event as JSON, each result bounded", async () => {
    await serve([{ calls: [{ name: "Bash", input: { command: "seq 1 100000" } }] }, { text: "Done." }]);
    const { out } = await agent(wire, "count", "--yes", "--json");
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.type)).toEqual([
      "session.start",
      "user",
      "model",
      "tool.call",
      "tool.result",
      "model",
      "turn.end",
      "outcome",
    ]);
    expect(lines[4].output).toMatchObject({ _openagentic_truncated: true, tool_name: "Bash" });
    expect(lines.at(-1)).toMatchObject({ reason: "done", text: "Done." });
    expect(new Set(lines.map((line) => line.session)).size).toBe(1);
  });
});

describe("spillway agent", () => {
  it("denies what nobody can be asked about, and obeys rules in their order", async () => {
    await serve([
      {
        calls: [
          { name: "Bash", input: { command: "echo one > one" } },
          { name: "Bash", input: { command: "touch two" } },
        ],
      },
      { text: "ok" },
    ]);
    await agent("openai", "go", "--allow", "bash:touch *", "--deny", "read");
    expect(existsSync(join(root, "one"))).toBe(false);
    expect(existsSync(join(root, "two"))).toBe(true);
    expect(server.requests[0]?.toolNames).toContain("Bash");
    expect(server.requests[0]?.toolNames).not.toContain("Read");
    expect(server.requests[0]?.toolNames).not.toContain("Write");
  });

  it("runs nothing through env, or through another spelling of what is denied", async () => {
    const bash = (command: string, variables?: object) => ({
      name: "Bash",
      input: { command, ...(variables && { env: variables }) },
    });
    await serve([
      {
        calls: [
          bash("echo allowed > one", { A: "1" }),
          bash("echo $(touch two)"),
          bash("env -i touch two"),
          bash("X=touch; $X two"),
        ],
      },
      { text: "ok" },
    ]);
    await agent("openai", "go", "--yes", "--deny", "bash:touch *");
    expect(readdirSync(root).filter((name) => /one|two/.test(name))).toEqual(["one"]);
    await server.close();
    await serve([
      { calls: [bash("git --version", { BASH_ENV: "$(touch two)" }), bash("git -c alias.x='!touch two' x")] },
      { text: "ok" },
    ]);
    await agent("openai", "go", "--allow", "bash:git *");
    expect(existsSync(join(root, "two"))).toBe(false);
  });

  it("ends in order on SIGINT, and the session goes on later", async () => {
    await serve((_, index) =>
      index === 0 ? { calls: [{ name: "Bash", input: { command: "touch started; sleep 60" } }] } : { text: "Resumed." },
    );
    const args = ["agent", "go", "--model", "openai/m", "--base-url", server.url, "--root", root, "--yes"];
    const interrupted = await spillway(args, {
      env,
      onStart: (child) => {
        const timer = setInterval(() => {
          if (!existsSync(join(root, "started"))) return;
          clearInterval(timer);
          child.kill("SIGINT");
        }, 20);
      },
    });
    expect(interrupted.exitCode).toBe(130);
    expect(interrupted.err).toContain(`sessions resume ${sessionIds()[0]} --root ${root}`);

    const refused = await spillway(["sessions", "resume", "latest", "--root", root], { env });
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toContain(`--base-url ${server.url}`);

    const resumed = await spillway(
      ["sessions", "resume", "latest", "--root", root, "--base-url", server.url, "--yes"],
      { env },
    );
    expect(resumed).toMatchObject({ exitCode: 0, out: "Resumed.\n" });
    expect(sessionIds()).toHaveLength(1);

    const more = await spillway(
      ["sessions", "resume", "latest", "and now?", "--root", root, "--base-url", server.url],
      { env },
    );
    expect(more.exitCode).toBe(0);
    expect(server.requests.at(-1)?.userTexts).toEqual(["go", "and now?"]);
    const nothing = await spillway(["sessions", "resume", "latest", "--root", root, "--base-url", server.url], { env });
    expect(nothing).toMatchObject({ exitCode: 2, err: expect.stringContaining("nothing left to do") });
  });

  it("names a line that goes on as it stands, wherever it is pasted, and says when there is no answer", async () => {
    await serve((_, index) =>
      index < 2 ? { calls: [{ name: "LS", input: { limit: index + 1 } }] } : { text: index === 2 ? "Resumed." : "" },
    );
    const ended = await agent("openai", "go", "--max-steps", "2");
    expect(ended.exitCode).toBe(1);
    const [, line = ""] = / To continue: \S.*?(sessions resume .*)\n$/.exec(ended.err) ?? expect.unreachable(ended.err);
    const { bin } = await builtPackage();
    const resumed = spawn("sh", ["-c", `exec node "${bin}" ${line}`], {
      cwd: tmpdir(),
      env: { ...process.env, ...env },
    });
    const chunks: Buffer[] = [];
    for await (const chunk of resumed.stdout) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("Resumed.\n");
    expect(await agent("openai", "say nothing")).toMatchObject({
      err: "spillway: The model ended without an answer.\n",
    });
  });

  it.skipIf(!existsSync("/usr/bin/script"))(
    "asks on a terminal, shows tools, and lets no answer drive it",
    async () => {
      await serve([
        { text: "Looking.", calls: [{ name: "Bash", input: { command: "echo yes > asked" } }] },
        { text: "Done \u001b]0;title\u0007now." },
      ]);
      const { exitCode, screen } = await answerOnTerminal("y");
      expect(exitCode).toBe(0);
      expect(readFileSync(join(root, "asked"), "utf8")).toBe("yes\n");
      expect(screen).toContain("Looking.");
      expect(screen).toContain('{"command":"echo yes > asked"}');
      expect(screen).toMatch(/✓.* Bash echo yes > asked/);
      expect(screen).toContain("Done ]0;titlenow.");
    },
  );

  it.skipIf(!existsSync("/usr/bin/script"))("has no ✓ beside a call that did not end well", async () => {
    const bash = (command: string, timeout_ms?: number) => ({ name: "Bash", input: { command, timeout_ms } });
    await serve([
      { calls: [bash("echo short; exit 3"), bash("seq 1 30000; exit 4"), bash("kill -9 $$")] },
      { calls: [bash("echo late; sleep 60", 300), bash("no-such-program"), bash("echo fine")] },
      { calls: [{ name: "Read", input: { path: "nowhere.txt" } }] },
      { text: "ok" },
    ]);
    const { screen } = await answerOnTerminal("y");
    // Without colours, and without the spinner that each line has wiped away.
    const plain = screen.replaceAll(/\u001b\[\d*[mK]/g, "").split(/\r?\n/);
    const lines = plain.map((line) => line.split("\r").at(-1)!);
    const lineOf = (command: string) => lines.find((line) => /^[✓✗!] /.test(line) && line.includes(command)) ?? screen;
    for (const command of ["echo short", "seq 1 30000", "kill -9", "echo late", "no-such-program", "nowhere.txt"])
      expect(lineOf(command)).not.toContain("✓");
    expect(lineOf("echo short")).toMatch(/✗.*exit code 3/);
    expect(lineOf("seq 1 30000")).toMatch(/✗.*exit code 4/);
    expect(lineOf("no-such-program")).toMatch(/✗.*exit code 127/);
    expect(lineOf("kill -9")).toContain("✗");
    expect(lineOf("echo late")).toContain("✗");
    expect(lineOf("echo fine")).toContain("✓");
  });

  it.skipIf(!existsSync("/usr/bin/script"))("takes an answer of always for the same call, env included", async () => {
    const call = (variables: object) => ({ name: "Bash", input: { command: "echo $A >> asked", env: variables } });
    await serve([{ calls: [call({ A: "1" }), call({ A: "1" }), call({ A: "2" })] }, { text: "ok" }]);
    const { screen } = await answerOnTerminal("a");
    expect(screen.split("[N]o:")).toHaveLength(3);
    expect(readFileSync(join(root, "asked"), "utf8")).toBe("1\n1\n2\n");
  });

  it("says what is wrong with its arguments", async () => {
    await serve([]);
    expect((await spillway(["agent", "x", "--root", root], { env })).err).toContain("--model");
    expect((await agent("nonsense", "x")).exitCode).toBe(2);
    expect((await agent("openai", " ")).exitCode).toBe(2);
    expect(
      (await spillway(["agent", "x", "--model", "openai/m", "--root", root], { env: { OPENAI_API_KEY: "" } })).err,
    ).toContain("OPENAI_API_KEY");
  });

  it("exits 1 when the provider refuses", async () => {
    await serve(() => ({ status: 401 }));
    const { exitCode, err } = await agent("anthropic", "go");
    expect(exitCode).toBe(1);
    expect(err).toContain("HTTP 401");
    expect(err).toMatch(/[.!?] To continue: /);
  });

  it("summarizes as the config file says", async () => {
    writeFileSync(
      join(root, "spillway.yaml"),
      "tool_output_limits:\n  tools:\n    Bash:\n      truncation_strategy: summarize\nsummarization:\n  enabled: true\n  model: cheap\n",
    );
    await serve((request) => {
      if (JSON.parse(request.body).model === "cheap") return { status: 200, body: completion("It counted to 90000.") };
      return request.toolResults.length === 0
        ? { calls: [{ name: "Bash", input: { command: "seq 1 90000" } }] }
        : { text: "ok" };
    });
    await agent("openai", "count", "--yes");
    expect(JSON.parse(server.requests.at(-1)?.toolResults[0]?.text ?? "")).toMatchObject({
      preview: "It counted to 90000.",
      summarized: true,
      original_length: 528_894,
    });
  });
});

describe("spillway sessions", () => {
  it("lists and shows what happened and what was saved", async () => {
    await serve([{ calls: [{ name: "Bash", input: { command: "seq 1 100000" } }] }, { text: "Counted." }]);
    await agent("openai", "count to a lot", "--yes");
    const [id] = sessionIds();
    const list = await spillway(["sessions", "list", "--root", root]);
    expect(list.out).toMatch(new RegExp(`^${id} .* done  openai/m  count to a lot\n$`));
    const shown = await spillway(["sessions", "show", id ?? "", "--root", root]);
    expect(shown.out).toContain("> count to a lot");
    expect(shown.out).toContain("→ Bash seq 1 100000");
    expect(shown.out).toMatch(/Bash: 1 call, 1 truncated, [\d,]+ → [\d,]+ tokens/);
    expect(shown.out).toContain("the preview was enough for 1");
    const json = JSON.parse((await spillway(["sessions", "show", "latest", "--json", "--root", root])).out);
    expect(json).toMatchObject({ id, account: { steps: 2, truncatedResults: 1, previewEnough: 1 } });
    expect((await spillway(["sessions", "show", "ses_none", "--root", root])).exitCode).toBe(1);
    expect((await spillway(["sessions", "--root", root, "list"])).out).toBe(list.out);
  });

  it("explains itself without a command, and names those it knows", async () => {
    const help = await spillway(["sessions"]);
    expect(help).toMatchObject({ err: "", exitCode: 0 });
    expect(help.out).toContain("resume");
    const unknown = await spillway(["sessions", "forget"]);
    expect(unknown).toMatchObject({ exitCode: 2 });
    expect(unknown.err).toBe('spillway: unknown command sessions "forget"; known: list, show, resume, repair.\n');
  });
});

describe("spillway explore --model", () => {
  it("asks the explore agent and checks its evidence", async () => {
    await serve([
      { calls: [{ name: "Grep", input: { pattern: "needle", path: "hay.txt" } }] },
      { text: "Conclusion: it is there.\nEvidence:\n- hay.txt:2 the needle\n- hay.txt:20 nothing" },
    ]);
    writeFileSync(join(root, "hay.txt"), "hay\nneedle\nhay\n");
    const args = [
      "explore",
      "hay.txt",
      "where is the needle?",
      "--root",
      root,
      "--model",
      "openai/m",
      "--base-url",
      server.url,
    ];
    const { out, exitCode } = await spillway(args, { env });
    expect(exitCode).toBe(0);
    expect(out).toContain("- hay.txt:2 the needle");
    expect(out).toContain("hay.txt:20 [not found: the file has 3 lines]");
    expect(server.requests[0]?.userTexts[0]).toBe("In hay.txt: where is the needle?");
  });

  it("says on the other stream when the explore agent gave no answer, or one without a pointer", async () => {
    const ask = () =>
      spillway(["explore", ".", "where?", "--root", root, "--model", "openai/m", "--base-url", server.url], { env });
    await serve(() => ({ calls: [{ name: "LS", input: { path: "." } }] }));
    const circling = await ask();
    expect(circling).toMatchObject({ exitCode: 1, out: "" });
    expect(circling.err).toMatch(/^spillway: there is no answer: the model repeated the same calls \d+ times\. .*\n$/);
    await serve([{ text: "Conclusion: somewhere." }]);
    const vague = await ask();
    expect(vague).toMatchObject({ exitCode: 0, out: "Conclusion: somewhere.\n" });
    expect(vague.err).toContain("names no path:line");
  });
});

function completion(content: string) {
  return {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "cheap",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
