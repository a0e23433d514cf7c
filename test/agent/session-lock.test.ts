import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lockSession, sessionHolder } from "../../src/agent/session-lock.ts";
import { type BundledScript, bundleScript } from "../support/bundle.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "spillway-lock-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

let script: BundledScript;
beforeAll(async () => {
  script = await bundleScript(`import { lockSession } from "src/agent/session-lock.ts";
    try { lockSession(process.argv[2]!); console.log("locked"); setInterval(() => {}, 1000); }
    catch (error) { console.log((error as { code: string }).code); }`);
});
afterAll(() => script.remove());

/** Starts a process that tries to take the lock at once, says what came of it and then waits. */
function contender(): { child: ChildProcess; verdict: Promise<string> } {
  const child = spawn(process.execPath, [script.path, dir]);
  const verdict = new Promise<string>((resolve) => child.stdout?.once("data", (data) => resolve(String(data).trim())));
  return { child, verdict };
}

describe("lockSession", () => {
  it("keeps everyone else out until it is given back", () => {
    const unlock = lockSession(dir);
    expect(sessionHolder(dir)).toBe(process.pid);
    expect(() => lockSession(dir)).toThrow(expect.objectContaining({ code: "SESSION_BUSY" }));
    unlock();
    expect(sessionHolder(dir)).toBeUndefined();
    lockSession(dir)();
    expect(readdirSync(dir)).toEqual([]);
  });

  it("is taken over from a process that was killed, by exactly one of many", async () => {
    const dead = contender();
    expect(await dead.verdict).toBe("locked");
    dead.child.kill("SIGKILL");
    await new Promise((resolve) => dead.child.once("exit", resolve));

    const rivals = Array.from({ length: 6 }, contender);
    try {
      const verdicts = await Promise.all(rivals.map((rival) => rival.verdict));
      expect(verdicts.sort()).toEqual([...Array(5).fill("SESSION_BUSY"), "locked"]);
    } finally {
      for (const rival of rivals) rival.child.kill("SIGKILL");
    }
  });

  it("does not mistake another process with the same id for the holder", () => {
    writeFileSync(join(dir, "lock.4"), JSON.stringify({ pid: process.pid, startedAt: "1", host: hostname() }));
    const unlock = lockSession(dir);
    expect(readdirSync(dir)).toEqual(["lock.5"]);
    unlock();
  });

  it("leaves a lock alone that it cannot judge", () => {
    writeFileSync(join(dir, "lock.1"), JSON.stringify({ pid: 1, startedAt: "1", host: "elsewhere.example" }));
    expect(() => lockSession(dir)).toThrow(/elsewhere.example/);
    writeFileSync(join(dir, "lock.2"), "half a li");
    expect(() => lockSession(dir)).toThrow(/remove .*lock\.2/);
  });
});
