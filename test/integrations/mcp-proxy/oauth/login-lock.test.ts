import { existsSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { LoginStore } from "../../../../src/integrations/mcp-proxy/oauth/login-store.ts";

const HOUR_MS = 3_600_000;

/** A lock whose owner is gone, with a time that is so far from now. */
async function staleLock(offsetMs: number): Promise<{ folder: string; lock: string }> {
  const folder = mkdtempSync(join(tmpdir(), "spillway-login-"));
  let name = "";
  await new LoginStore("https://server.example/mcp", folder).alone(async () => {
    name = readdirSync(folder).find((each) => each.endsWith(".lock"))!;
  });
  const lock = join(folder, name);
  writeFileSync(lock, "");
  const at = new Date(Date.now() + offsetMs);
  utimesSync(lock, at, at);
  return { folder, lock };
}

describe("the lock of a login", () => {
  test.each([-HOUR_MS, HOUR_MS])(
    "that a dead process left is taken over (its time is %d ms from now)",
    async (offset) => {
      const { folder, lock } = await staleLock(offset);
      expect(await new LoginStore("https://server.example/mcp", folder).alone(async () => existsSync(lock))).toBe(true);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test.each([-HOUR_MS, HOUR_MS])(
    "is held by one of many at a time, also when all find it stale (%d ms)",
    async (offset) => {
      const { folder } = await staleLock(offset);
      let [inside, most, done] = [0, 0, 0];
      const waiters = Array.from({ length: 12 }, () =>
        new LoginStore("https://server.example/mcp", folder).alone(async () => {
          most = Math.max(most, ++inside);
          await sleep(5);
          inside--;
          done++;
        }),
      );
      await Promise.all(waiters);
      expect([most, done]).toEqual([1, 12]);
      expect(readdirSync(folder)).toEqual([]);
    },
  );
});
