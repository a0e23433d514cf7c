import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { builtPackage } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";

const root = temporaryFolder("full-output");

async function onFullOutput(line: string): Promise<{ code: unknown; err: string }> {
  const { bin } = await builtPackage();
  const script = `seq 1 50 | "${process.execPath}" "${bin}" ${line} > /dev/full`;
  return new Promise((resolve) => {
    execFile("bash", ["-c", script], { cwd: root }, (error, _, err) => resolve({ code: error?.code ?? 0, err }));
  });
}

describe.runIf(existsSync("/dev/full"))("standard output that cannot be written", () => {
  it.each(["--help", "preview", "pipe", "run -- echo well", "run --raw -- echo well", "tool LS", "config"])(
    "%s says so in one sentence and fails",
    async (line) => {
      const { code, err } = await onFullOutput(line);
      expect(err).toBe("spillway: cannot write to standard output: the disk is full (ENOSPC).\n");
      expect(code).toBe(1);
    },
  );

  it("leaves a command that failed its own exit code", async () => {
    expect((await onFullOutput("run -- sh -c 'echo ill; exit 7'")).code).toBe(7);
  });
});
