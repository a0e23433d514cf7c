import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeSessionStore } from "../../src/agent/contract.ts";
import { createFileSessions } from "../../src/agent/file-sessions.ts";

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

/** No process has this id: it is above what the system gives. */
const NOBODY = 2 ** 30;

describeSessionStore(
  "the file store",
  () => {
    const root = mkdtempSync(join(tmpdir(), "spillway-sessions-"));
    roots.push(root);
    return {
      sessions: createFileSessions(root),
      kill: async ({ path }) => {
        const [lock = ""] = readdirSync(dirname(path)).filter((name) => name.startsWith("lock."));
        writeFileSync(join(dirname(path), lock), JSON.stringify({ pid: NOBODY, startedAt: "1", host: hostname() }));
      },
    };
  },
  { describe, it, expect },
);
