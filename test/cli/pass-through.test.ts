import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { spillwayArgs } from "../support/mcp-peers.ts";

const root = temporaryFolder("switched-off");

async function run(args: readonly string[], input = "") {
  const child = spawn(process.execPath, await spillwayArgs(...args), {
    cwd: root,
    env: { ...process.env, SPILLWAY: "off" },
  });
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stdin.end(input);
  return new Promise<{ code: number | null; out: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, out })),
  );
}

const LONG = Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`).join("");

test("SPILLWAY=off lets every surface pass through", async () => {
  expect(await run(["pipe", "--max-bytes", "500"], LONG)).toEqual({ code: 0, out: LONG });
  const script = `process.stdin.on("end", () => { process.exitCode = 5; }).pipe(process.stdout)`;
  const node = [process.execPath, "-e", script];
  expect(await run(["run", "--max-bytes", "500", "--root", root, "--", ...node], LONG)).toEqual({ code: 5, out: LONG });
  expect(await run(["run", "--max-lines", "2", "-c", "seq 1 5; exit 3"])).toEqual({ code: 3, out: "1\n2\n3\n4\n5\n" });
  expect((await run(["run", "--", "no-such-program-here"])).code).toBe(127);
  // The server itself: what it says need not even be MCP.
  expect(await run(["proxy", "--root", root, "--", ...node], LONG)).toEqual({ code: 5, out: LONG });
  expect(existsSync(join(root, ".agents"))).toBe(false);
});
