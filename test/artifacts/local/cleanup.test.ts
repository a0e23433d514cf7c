import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createArtifactId, createArtifactName } from "../../../src/artifacts/artifact-name.ts";
import { cleanupOnce } from "../../../src/artifacts/cleanup-once.ts";
import type { LocalStore } from "../../../src/artifacts/index.ts";
import { createLocalStore, createMemoryStore } from "../../../src/artifacts/index.ts";
import { bundleScript } from "../../support/bundle.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const OLD = Date.now() - 30 * DAY_MS;

/** Makes the file of an artifact as old as so many days. */
async function age(store: LocalStore, id: string, days: number): Promise<void> {
  const at = new Date(Date.now() - days * DAY_MS);
  await utimes((await store.find(id))!.path, at, at);
}

async function save(store: Pick<LocalStore, "create">, bytes = 10): Promise<string> {
  const writer = await store.create({ tool: "x" });
  await writer.write(Buffer.alloc(bytes, "a\n"));
  return (await writer.finish({ complete: true })).id;
}

describe("cleanup", () => {
  it("keeps artifacts for seven days unless told otherwise", async () => {
    const store = createLocalStore({ dir: await temporaryFolder(), now: () => OLD });
    const id = await save(store);
    expect((await store.cleanup({ now: OLD + 6.9 * DAY_MS })).removed).toEqual([]);
    expect((await store.cleanup({ now: OLD + 7.1 * DAY_MS })).removed).toEqual([id]);
  });

  it.each(["local", "memory"])("keeps to the millisecond and to the byte (%s)", async (kind) => {
    let clock = OLD;
    const now = (): number => clock;
    const store =
      kind === "local" ? createLocalStore({ dir: await temporaryFolder(), now }) : createMemoryStore({ now });
    const first = await save(store, 600);
    clock += 1;
    const second = await save(store, 600);
    const cleanup = async (over: object) => (await store.cleanup({ now: OLD, ...over })).removed;
    expect(await cleanup({ quotaBytes: 1200 })).toEqual([]);
    expect(await cleanup({ now: OLD + 7 * DAY_MS })).toEqual([]);
    expect(await cleanup({ quotaBytes: 1199 })).toEqual([first]);
    expect(await cleanup({ now: OLD + 1 + 7 * DAY_MS })).toEqual([]);
    expect(await cleanup({ now: OLD + 2 + 7 * DAY_MS })).toEqual([second]);
  });

  it("touches only our own files: neither others' nor look-alikes of which nothing is known", async () => {
    const dir = await temporaryFolder();
    const store = createLocalStore({ dir, now: () => OLD });
    const id = await save(store, 600_000);
    const lookAlike = createArtifactName({ id: createArtifactId(OLD), tool: "Read" });
    const others = ["notes.txt", "tool_20200101_000000_Read.json", "tool_abc", lookAlike];
    for (const name of others) await writeFile(join(dir, name), "mine");
    await mkdir(join(dir, "folder"));
    const fresh = createLocalStore({ dir });
    const report = await fresh.cleanup({ retentionDays: 7, now: Date.now() });
    expect(report).toEqual({ removed: [id], freedBytes: 600_000, keptBytes: 0 });
    expect((await readdir(dir)).sort()).toEqual([".gitignore", ".meta", "folder", ...others].sort());
    expect(await readdir(join(dir, ".meta"))).toEqual([".gitignore"]);
  });

  it("keeps the mark of an artifact that is about to be written", async () => {
    const dir = await temporaryFolder();
    const writer = await createLocalStore({ dir }).create({ tool: "x" });
    await rm(writer.path);
    await createLocalStore({ dir }).cleanup();
    expect(await readdir(join(dir, ".meta"))).toContain(`${writer.id}.writing`);
    await writer.discard();
  });

  it("removes what is known of artifacts that somebody else removed", async () => {
    const dir = await temporaryFolder();
    const store = createLocalStore({ dir });
    const id = await save(store, 600_000);
    const kept = await save(store);
    await rm((await store.find(id))?.path ?? "");
    await store.cleanup();
    expect((await readdir(join(dir, ".meta"))).sort()).toEqual([".gitignore", `${kept}.json`]);
  });

  it("spares what another process is writing, and takes it once that process is long dead", async () => {
    const dir = await temporaryFolder();
    const script = await bundleScript(`
      import { createLocalStore } from "src/artifacts/index.ts";
      const writer = await createLocalStore({ dir: process.argv[2], now: () => ${OLD} }).create({ tool: "x" });
      await writer.write(Buffer.from("text"));
      console.log(writer.id);
      setInterval(() => {}, 1000);
    `);
    const child = spawn(process.execPath, [script.path, dir], { stdio: ["ignore", "pipe", "inherit"] });
    const id = String((await once(child.stdout, "data"))[0]).trim();
    script.remove();
    const store = createLocalStore({ dir });
    const mark = join(dir, ".meta", `${id}.writing`);
    const anHourAgo = new Date(Date.now() - 60 * 60 * 1000);
    await utimes(mark, anHourAgo, anHourAgo);
    expect((await store.cleanup({ quotaBytes: 1 })).removed).toEqual([]);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect((await store.cleanup({ now: Date.now() })).removed).toEqual([id]);
    expect(await readdir(join(dir, ".meta"))).toEqual([".gitignore"]);
  });

  it("trusts a fresh mark of another machine, not an old one", async () => {
    const dir = await temporaryFolder();
    const store = createLocalStore({ dir, now: () => OLD });
    const writer = await store.create({ tool: "x" });
    const mark = join(dir, ".meta", `${writer.id}.writing`);
    expect(JSON.parse(await readFile(mark, "utf8"))).toMatchObject({ schema: 1, pid: process.pid, host: hostname() });
    await writeFile(
      mark,
      JSON.stringify({ schema: 1, name: writer.name, request: { tool: "x" }, pid: 1, host: "elsewhere" }),
    );
    expect((await store.cleanup({ now: Date.now() })).removed).toEqual([]);
    const anHourAgo = new Date(Date.now() - 60 * 60 * 1000);
    await utimes(mark, anHourAgo, anHourAgo);
    expect((await store.cleanup({ now: Date.now() })).removed).toEqual([writer.id]);
    await writer.discard();
  });

  it("keeps to the quota in a process that lives long, but for what it saved within the last hour", async () => {
    let clock = OLD;
    const store = createLocalStore({ dir: await temporaryFolder(), quotaBytes: 100_000, now: () => clock });
    const ids: string[] = [];
    for (let at = 0; at < 30; at++) {
      clock += 15 * 60_000;
      ids.push(await save(store, 40_000));
    }
    const kept = async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const { id } of store.list()) found.push(id);
      return found;
    };
    await expect.poll(kept).toEqual(ids.slice(-4));
    clock += 61 * 60_000;
    ids.push(await save(store, 40_000));
    await expect.poll(kept).toEqual(ids.slice(-2));
  });

  it.each([
    ["a quota below its size", { quotaBytes: 1000 }],
    ["a retention of a moment", { retentionDays: 1e-9 }],
  ])(
    "leaves what was just saved where it is, whatever %s says; a cleanup that is asked for does not",
    async (_what, rules) => {
      const dir = await temporaryFolder();
      const store = createLocalStore({ dir, ...rules });
      const ids = [await save(store, 600_000), await save(store, 600_000)];
      expect((await store.cleanup({ automatic: true })).removed).toEqual([]);
      expect((await createLocalStore({ dir, ...rules }).cleanup({ automatic: true })).removed).toEqual([]);
      expect((await store.cleanup(rules)).removed).toEqual(ids);
    },
  );

  it("removes by retention only what is too old by its id and by the time of its file", async () => {
    const dir = await temporaryFolder();
    const [old, now] = [createLocalStore({ dir, now: () => OLD }), createLocalStore({ dir })];
    const [both, oldId, oldFile] = [await save(old), await save(old), await save(now)];
    for (const id of [both, oldFile]) await age(now, id, 30);
    expect((await now.cleanup()).removed).toEqual([both]);
    expect((await now.cleanup({ retentionDays: 7 })).removed).toEqual([]);
    await age(now, oldId, 30);
    expect((await now.cleanup({ retentionDays: 7 })).removed).toEqual([oldId]);
  });

  it("waits a day, and says so, where all would expire at once, as after a jump of the clock", async () => {
    const dir = await temporaryFolder();
    const old = createLocalStore({ dir, now: () => OLD });
    const store = createLocalStore({ dir });
    const ids = [await save(old), await save(old)];
    for (const id of ids) await age(store, id, 30);
    const just = await save(store);
    for (let at = 0; at < 2; at++) {
      const report = await store.cleanup({ automatic: true });
      expect(report).toMatchObject({ removed: [], clockProblem: expect.stringContaining("All 2 outputs saved in") });
    }
    const stamp = join(dir, ".meta", "all-expired-since");
    await writeFile(stamp, String(Date.now() + DAY_MS));
    expect((await store.cleanup({ automatic: true })).removed).toEqual([]);
    await writeFile(stamp, String(Date.now() - 1.1 * DAY_MS));
    expect((await store.cleanup({ automatic: true })).removed).toEqual(ids);
    expect(await readdir(join(dir, ".meta"))).not.toContain("all-expired-since");
    expect(await store.find(just)).toBeDefined();
  });

  it("forgets pins that nobody renewed for a month", async () => {
    const dir = await temporaryFolder();
    const store = createLocalStore({ dir, now: () => OLD });
    const id = await save(store);
    await store.pin("session", [id]);
    expect((await store.cleanup({ now: Date.now() })).removed).toEqual([]);
    const pins = (await readdir(join(dir, ".meta"))).find((name) => name.startsWith("pins-")) as string;
    const longAgo = new Date(Date.now() - 31 * DAY_MS);
    await utimes(join(dir, ".meta", pins), longAgo, longAgo);
    expect((await store.cleanup({ now: Date.now() })).removed).toEqual([id]);
  });

  it("runs once per process and folder, and never rejects", async () => {
    const dir = await temporaryFolder();
    const old = createLocalStore({ dir, now: () => OLD });
    const first = await save(old);
    await age(old, first, 30);
    const yesterday = createLocalStore({ dir, now: () => Date.now() - DAY_MS });
    await age(old, await save(yesterday), 1);
    expect((await cleanupOnce(createLocalStore({ dir })))?.removed).toEqual([first]);
    const second = await save(old);
    expect((await cleanupOnce(createLocalStore({ dir })))?.removed).toEqual([first]);
    expect((await old.find(second))?.id).toBe(second);
    const file = join(dir, "file");
    await writeFile(file, "");
    expect(await cleanupOnce(createLocalStore({ dir: file }))).toBe(undefined);
  });

  it("follows no symbolic link and needs no folder", async () => {
    const root = await temporaryFolder();
    const store = createLocalStore({ root, dir: "real", now: () => OLD });
    const id = await save(store);
    await symlink(join(root, "real"), join(root, "link"));
    await expect(createLocalStore({ root, dir: "link" }).cleanup()).rejects.toMatchObject({ code: "STORE_FAILED" });
    expect((await store.find(id))?.id).toBe(id);
    expect(await createLocalStore({ root, dir: "nowhere" }).cleanup()).toEqual({
      removed: [],
      freedBytes: 0,
      keptBytes: 0,
    });
    expect((await readdir(root)).includes("nowhere")).toBe(false);
  });
});
