import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSpillway } from "../../src/gate/spillway.ts";
import { temporaryFolder } from "../support/folder.ts";

const gate = () => createSpillway({ root: temporaryFolder("exec"), config: false, env: {}, maxBytes: 4000 });

const MISSING = ["no", "such", "program"].join("-");

describe("exec()", () => {
  it("runs a program with its arguments as they are", async () => {
    const result = await gate().exec("printf", ["%s\\n", "a b", "$HOME"]);
    expect(result).toMatchObject({ kind: "whole", text: "a b\n$HOME\n", tool: "printf", exitCode: 0 });
    expect(result.outcome.kind).toBe("success");
  });

  it("runs a line in the shell, both streams in order, with input, folder and variables", async () => {
    const cwd = temporaryFolder("exec-cwd");
    const result = await gate().exec('cat; pwd; echo "$COLOR" >&2; exit 3', {
      input: "in\n",
      cwd,
      env: { COLOR: "red" },
    });
    expect(result).toMatchObject({ kind: "whole", text: `in\n${cwd}\nred\n`, exitCode: 3 });
    expect(result.outcome).toMatchObject({ kind: "failure", exitCode: 3 });
  });

  it("bounds and saves a long output", async () => {
    const result = await gate().exec("seq 100000", { query: "77777", callId: "c1" });
    expect(result.kind).toBe("bounded");
    if (result.kind !== "bounded" || !("artifact" in result.storage)) throw new Error("not saved");
    expect(result.preview.text.length).toBeLessThanOrEqual(4000);
    expect(readFileSync(result.storage.artifact.path, "utf8").split("\n").length).toBe(100_001);
    expect(result.tool).toBe("seq");
  });

  it("ends a command on timeout and on abort, with all that it printed", async () => {
    const late = await gate().exec("echo begun; sleep 60", { timeoutMs: 300 });
    expect(late).toMatchObject({ kind: "whole", text: "begun\n", exitCode: 124, outcome: { kind: "timeout" } });
    const stop = new AbortController();
    const running = gate().exec("echo begun; sleep 60", { signal: stop.signal });
    setTimeout(() => stop.abort(), 100);
    expect((await running).outcome.kind).toBe("aborted");
  });

  it.each([Infinity, 2 ** 31])("waits %d ms, which is longer than a timer can be told", async (timeoutMs) => {
    const command = "sleep 0.3; echo done";
    expect(await gate().exec(command, { timeoutMs })).toMatchObject({ text: "done\n", exitCode: 0 });
    const child = spawn("sh", ["-c", command]);
    expect(await gate().governProcess(child, { timeoutMs })).toMatchObject({ text: "done\n", exitCode: 0 });
  });

  it("tells of a program that is not there", async () => {
    const result = await gate().exec(MISSING, []);
    expect(result).toMatchObject({ exitCode: 127, outcome: { kind: "failure" } });
    expect(result.outcome).toMatchObject({ message: `cannot run "${MISSING}": no such command.` });
  });

  it("refuses what nobody could mean", async () => {
    await expect(gate().exec(" ")).rejects.toThrow("needs a command");
    await expect(gate().exec("true", { timeout: 5 } as never)).rejects.toThrow("exec() has no option");
  });
});

describe("governProcess()", () => {
  it("misses nothing of a child that ends at once", async () => {
    for (let round = 0; round < 5; round++)
      expect(await gate().governProcess(spawn("echo", ["hello"]))).toMatchObject({ kind: "whole", text: "hello\n" });
  });

  it("bounds what a child prints that was started elsewhere", async () => {
    const result = await gate().governProcess(spawn("sh", ["-c", "seq 50000; echo oh no >&2; exit 2"]));
    expect(result).toMatchObject({ kind: "bounded", exitCode: 2, tool: "sh" });
    expect(result.size.lines).toBe(50_001);
    expect(result.outcome).toMatchObject({ kind: "failure", exitCode: 2 });
  });

  it("takes one that has ended already, or is ended by a signal, a time or an abort", async () => {
    const done = spawn("echo", ["hello"]);
    await new Promise((resolve) => done.once("exit", resolve));
    const late = await gate().governProcess(done);
    expect(late).toMatchObject({ exitCode: 0, outcome: { kind: "success" } });
    expect(late.outcome).toMatchObject({ cutShort: expect.stringContaining("had ended already") });
    const killed = spawn("sleep", ["60"]);
    killed.kill("SIGKILL");
    expect(await gate().governProcess(killed)).toMatchObject({ exitCode: 137, signal: "SIGKILL" });
    expect(await gate().governProcess(spawn("sleep", ["60"]), { timeoutMs: 100 })).toMatchObject({
      exitCode: 124,
      outcome: { kind: "timeout" },
    });
    const signal = AbortSignal.abort();
    expect((await gate().governProcess(spawn("sleep", ["60"]), { signal })).outcome.kind).toBe("aborted");
  });

  it("tells of one that could not be started", async () => {
    expect(await gate().governProcess(spawn(MISSING))).toMatchObject({
      exitCode: 127,
      outcome: { kind: "failure" },
    });
  });
});

describe("governProcess() under a config file that cannot be read", () => {
  it("rejects with the reason, and leaves nothing unhandled of a child that could not be started", async () => {
    const root = temporaryFolder("exec");
    writeFileSync(join(root, "spillway.yaml"), "tool_output_limits: [");
    const child = spawn(join(root, "missing"));
    const closed = new Promise((resolve) => child.once("close", resolve));
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      const governing = createSpillway({ root, env: {} }).governProcess(child);
      await expect(governing).rejects.toThrow("not valid YAML");
      await closed;
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off("unhandledRejection", note);
    }
    expect(unhandled).toEqual([]);
  });
});
