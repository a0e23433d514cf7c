import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type RunProcessOptions, runProcess } from "../../src/process/run-process.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spillway-process-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs it to its end; `onOutput` is called with each chunk. */
async function run(options: Omit<RunProcessOptions, "onChunk">, onOutput?: () => void) {
  const chunks: Uint8Array[] = [];
  const end = await runProcess({
    ...options,
    onChunk: (chunk) => {
      chunks.push(Uint8Array.from(chunk));
      onOutput?.();
      return undefined;
    },
  });
  return { ...end, output: Buffer.concat(chunks).toString() };
}

function alive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

async function pidIn(path: string): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      const pid = Number(readFileSync(path, "utf8"));
      if (pid > 0) return pid;
    } catch {}
    await sleep(10);
  }
  throw new Error(`no pid in ${path}`);
}

describe("runProcess", () => {
  it("keeps the arrival order of both streams", async () => {
    const command = "for i in $(seq 1 200); do echo out $i; echo err $i >&2; done";
    const { output, exitCode } = await run({ command });
    const wanted = Array.from({ length: 200 }, (_, i) => `out ${i + 1}\nerr ${i + 1}\n`).join("");
    expect(output).toBe(wanted);
    expect(exitCode).toBe(0);
  });

  it("gives streams that can be opened as /dev/stdout and /dev/stderr", async () => {
    const { output } = await run({ command: "echo a > /dev/stdout; echo b > /dev/stderr" });
    expect(output).toBe("a\nb\n");
  });

  it("tells exit codes and signals apart", async () => {
    expect(await run({ argv: ["sh", "-c", "exit 7"] })).toMatchObject({ exitCode: 7, signal: null });
    expect(await run({ command: "kill -9 $$" })).toMatchObject({ exitCode: null, signal: "SIGKILL" });
  });

  it("rejects for a program that does not exist", async () => {
    await expect(run({ argv: ["no-such-program-at-all"] })).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("says so of a folder that does not exist", async () => {
    const missing = join(folder, "nowhere");
    await expect(run({ argv: ["ls"], cwd: missing })).rejects.toThrow(`there is no folder ${JSON.stringify(missing)}`);
  });

  it.runIf(process.platform === "linux")("leaves nothing open for arguments that no program can be given", async () => {
    const open = () => readdirSync("/proc/self/fd").length;
    await expect(run({ argv: ["echo", "a\0b"] })).rejects.toThrow("null bytes");
    const before = open();
    for (let count = 0; count < 5; count++) await expect(run({ argv: ["echo", "a\0b"] })).rejects.toThrow("null bytes");
    await expect.poll(open).toBeLessThanOrEqual(before);
  });

  it("gives an interactive program no terminal and no input", async () => {
    const { output, exitCode } = await run({ command: "read line; echo got=$?; : < /dev/tty || echo no terminal" });
    expect(output).toContain("got=1");
    expect(output).toContain("no terminal");
    expect(exitCode).toBe(0);
  });

  it("feeds the input it is given", async () => {
    expect((await run({ argv: ["cat"], stdin: Buffer.from("hello") })).output).toBe("hello");
    expect((await run({ argv: ["true"], stdin: Buffer.alloc(1 << 20) })).exitCode).toBe(0);
  });

  it("holds the child back while a chunk is being handled", async () => {
    let inside = 0;
    let bytes = 0;
    await runProcess({
      command: "head -c 3000000 /dev/zero",
      onChunk: async (chunk) => {
        expect(++inside).toBe(1);
        await sleep(1);
        bytes += chunk.length;
        inside--;
      },
    });
    expect(bytes).toBe(3_000_000);
  });

  it.runIf(process.platform === "linux")("ends the whole group on timeout, also who ignores SIGTERM", async () => {
    const pidFile = join(folder, "stubborn");
    const command = `trap '' TERM; (trap '' TERM; sh -c 'echo $$ > ${pidFile}; trap "" TERM; while :; do sleep 1; done') & echo begun; wait; sleep 60`;
    const result = await run({ command, timeoutMs: 1500, killGraceMs: 200 });
    expect(result).toMatchObject({ timedOut: true, aborted: false, output: "begun\n" });
    const pid = await pidIn(pidFile);
    for (let tries = 0; alive(pid) && tries < 100; tries++) await sleep(10);
    expect(alive(pid)).toBe(false);
  });

  it("lets a child that obeys SIGTERM say its last words", async () => {
    const command = "trap 'echo cleaning; exit 3' TERM; sleep 60 & wait";
    const result = await run({ command, timeoutMs: 1500 });
    expect(result).toMatchObject({ timedOut: true, exitCode: 3, output: "cleaning\n" });
  });

  it("ends on abort, and does not start when already aborted", async () => {
    const controller = new AbortController();
    const result = await run({ command: "echo begun; sleep 60", signal: controller.signal }, () => controller.abort());
    expect(result).toMatchObject({ aborted: true, timedOut: false, output: "begun\n" });
    expect(await run({ command: "echo never", signal: AbortSignal.abort() })).toMatchObject({
      aborted: true,
      output: "",
    });
  });

  it("does not wait for a background child that holds the pipe", async () => {
    const result = await run({ command: "sleep 30 & echo $!", drainMs: 100 });
    expect(result).toMatchObject({ exitCode: 0, heldOpen: true });
    const pid = Number(result.output);
    expect(alive(pid)).toBe(true);
    process.kill(pid);
  });

  it("is not kept busy by a background child that floods the pipe", async () => {
    const result = await run({ command: "yes & echo first", drainMs: 50 });
    expect(result.heldOpen).toBe(true);
    expect(result.output).toContain("first\n");
  });

  it("takes what a child prints shortly after the end", async () => {
    const result = await run({ command: "(sleep 0.2; echo late) & echo early" });
    expect(result).toMatchObject({ heldOpen: false, output: "early\nlate\n" });
  });

  it("reports the pid to a caller that forwards signals", async () => {
    let interrupt = () => {};
    const result = await run(
      {
        command: "trap 'echo told; exit 5' INT; echo ready; while :; do sleep 0.05; done",
        ownSession: false,
        onSpawn: (child) => {
          // Once: the shell takes further ones until it has exited.
          interrupt = () => {
            interrupt = () => {};
            child.kill("SIGINT");
          };
        },
      },
      () => interrupt(),
    );
    expect(result).toMatchObject({ exitCode: 5, output: "ready\ntold\n" });
  });
});

describe("a process that is started while things change", () => {
  it("is ended by an abort that came before it ran", async () => {
    const controller = new AbortController();
    const ending = run({ command: "exec sleep 30", signal: controller.signal });
    controller.abort();
    expect(await ending).toMatchObject({ aborted: true, signal: "SIGTERM" });
  });

  it.each([Infinity, 2 ** 31])("is given all the time that a timer cannot count (%d ms)", async (timeoutMs) => {
    expect(await run({ command: "sleep 0.05; echo done", timeoutMs })).toMatchObject({
      output: "done\n",
      timedOut: false,
    });
  });

  it("runs without a temporary folder", async () => {
    vi.stubEnv("TMPDIR", join(folder, "missing"));
    try {
      expect(await run({ command: "echo out" })).toMatchObject({ output: "out\n", exitCode: 0 });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("is waited for and ended in time while the clock is set back", async () => {
    let now = Date.now();
    const clock = vi.spyOn(Date, "now").mockImplementation(() => (now -= 60_000));
    try {
      const held = await run({ command: "sleep 3 & echo out", drainMs: 50 });
      expect(held).toMatchObject({ output: "out\n", heldOpen: true });
      const stubborn = await run({
        command: "trap '' TERM; echo up; sleep 3",
        timeoutMs: 300,
        killGraceMs: 100,
      });
      expect(stubborn).toMatchObject({ output: "up\n", timedOut: true });
    } finally {
      clock.mockRestore();
    }
  });
});
