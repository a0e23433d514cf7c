import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeArtifactStore } from "../../src/artifacts/contract.ts";
import { createLocalStore, createMemoryStore, defineStore } from "../../src/artifacts/index.ts";
import { FallbackStore } from "../../src/artifacts/open-stores.ts";

const roots: string[] = [];

afterAll(async () => {
  for (const root of roots) await rm(root, { recursive: true, force: true });
});

describeArtifactStore(
  "the local store",
  async ({ now }) => {
    const root = await mkdtemp(join(tmpdir(), "spillway-contract-"));
    roots.push(root);
    return createLocalStore({ root, dir: "tool-output", now });
  },
  { describe, it, expect },
);

describeArtifactStore(
  "a store whose folder cannot be used, with another beside it",
  async ({ now }) => {
    const root = await mkdtemp(join(tmpdir(), "spillway-contract-"));
    roots.push(root);
    await writeFile(join(root, "taken"), "a file, no folder");
    return new FallbackStore(
      createLocalStore({ root, dir: "taken/tool-output", now }),
      createLocalStore({ root, dir: "beside", now }),
    );
  },
  { describe, it, expect },
);

describeArtifactStore("the memory store", ({ now }) => createMemoryStore({ now }), { describe, it, expect });

describeArtifactStore(
  "a store of four functions",
  ({ now }) => {
    const rows = new Map<string, Uint8Array>();
    return defineStore(
      {
        put: async (key, bytes) => rows.set(key, new Uint8Array(bytes)),
        get: async (key) => rows.get(key),
        list: async (prefix) => [...rows.keys()].filter((key) => key.startsWith(prefix)),
        remove: async (key) => rows.delete(key),
      },
      { now },
    );
  },
  { describe, it, expect },
);
