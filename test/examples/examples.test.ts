import { spawn } from "node:child_process";
import { cpSync, readdirSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { builtPackage, PROJECT } from "../support/build.ts";

const numbered = readdirSync(path.join(PROJECT, "examples")).filter((name) => /^\d\d-.*\.mjs$/.test(name));
let folder = "";

// Beside the fresh build, `import "spillway"` means the code under test.
beforeAll(async () => {
  folder = path.join((await builtPackage()).folder, "examples");
  cpSync(path.join(PROJECT, "examples"), folder, { recursive: true });
});

describe("examples", () => {
  it("are there", () => {
    expect(numbered.length).toBeGreaterThanOrEqual(5);
  });

  it.each(numbered)("%s runs and its assertions hold", async (name) => {
    const child = spawn(process.execPath, [path.join(folder, name)], { stdio: ["ignore", "ignore", "pipe"] });
    const errors: Buffer[] = [];
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    const exitCode = await new Promise((resolve) => child.once("close", resolve));
    expect(Buffer.concat(errors).toString()).toBe("");
    expect(exitCode).toBe(0);
  });
});
