import { describe, expect, it } from "vitest";
import { describeEnd, endStats, exitCodeOf, judgeEnd, type ProcessEnd } from "../../src/process/process-end.ts";
import { runProcess } from "../../src/process/run-process.ts";

const run = (command: string, timeoutMs?: number): Promise<ProcessEnd> =>
  runProcess({ command, timeoutMs, onChunk: () => undefined });

describe("how a process ended", () => {
  it("is success only for exit code 0", async () => {
    expect(judgeEnd(await run("true"))).toEqual({ kind: "success" });
    expect(judgeEnd(await run("exit 3"))).toEqual({
      kind: "failure",
      message: "the command ended with exit code 3",
      exitCode: 3,
    });
  });

  it("names the signal and the exit code that stands for it, whichever of the two came", async () => {
    const killed = await run("kill -9 $$");
    expect(describeEnd(killed)).toBe("was ended by SIGKILL (exit code 137)");
    expect(endStats(killed)).toEqual({ exit_code: 137, signal: "SIGKILL" });
    expect(judgeEnd(killed, { command: "make" })).toMatchObject({
      kind: "failure",
      exitCode: 137,
      signal: "SIGKILL",
      message: expect.stringMatching(/^make was/),
    });
    const child = await run("bash -c 'kill -9 $$'; exit $?");
    expect(describeEnd(child)).toBe("ended with exit code 137 (as after SIGKILL)");
    expect(exitCodeOf(child)).toBe(137);
  });

  it("is a timeout also when the command cleans up and ends by itself", async () => {
    const end = await run("trap 'exit 0' TERM; while :; do sleep 0.02; done", 200);
    expect(judgeEnd(end, { timeoutMs: 200 })).toEqual({
      kind: "timeout",
      message: "the command was ended after 0.2 s",
    });
    expect(endStats(end)).toEqual({ exit_code: 124 });
  });

  it("is cut short when somebody still holds the output", async () => {
    const outcome = judgeEnd(await runProcess({ command: "sleep 2 & exit 5", drainMs: 20, onChunk: () => undefined }));
    expect(outcome).toMatchObject({ kind: "failure", exitCode: 5, cutShort: expect.stringContaining("background") });
  });
});
