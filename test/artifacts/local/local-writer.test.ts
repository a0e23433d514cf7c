import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLocalStore } from "../../../src/artifacts/index.ts";
import type { ArtifactWriter, Manifest } from "../../../src/artifacts/types.ts";
import { bundleScript } from "../../support/bundle.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const run = promisify(execFile);

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("a local artifact", () => {
  it("holds exactly the bytes that came in, in whatever chunks, awaited or not", async () => {
    const store = createLocalStore({ dir: await temporaryFolder() });
    const chunk = fc.oneof(
      fc.uint8Array({ maxLength: 200, size: "max" }),
      fc
        .tuple(fc.integer({ min: 1, max: 400_000 }), fc.nat(255))
        .map(([size, byte]) => new Uint8Array(size).fill(byte)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 12 }), fc.boolean(), async (chunks, patient) => {
        const writer = await store.create({ tool: "x" });
        const waits: (Promise<void> | undefined)[] = [];
        for (const each of chunks) {
          const wait = writer.write(each);
          if (patient) await wait;
          else waits.push(wait);
        }
        const manifest = await writer.finish({ complete: true });
        const expected = Buffer.concat(chunks);
        expect((await readFile(writer.path)).equals(expected)).toBe(true);
        expect(manifest.sha256).toBe(createHash("sha256").update(expected).digest("hex"));
        expect((await store.verify(writer.id)).ok).toBe(expected.length > 0);
        await Promise.all(waits);
        await store.remove(writer.id);
      }),
      { numRuns: 40 },
    );
  });

  it.skipIf(process.platform !== "linux")(
    "is not called complete when its file cannot be closed properly",
    async () => {
      const store = createLocalStore({ dir: await temporaryFolder() });
      const writer = await store.create({ tool: "x" });
      await writer.write(Buffer.alloc(600_000, "x"));
      // Waits until what was written stands in the file, and takes the descriptor away.
      while ((await stat(writer.path)).size < 600_000) await new Promise((resolve) => setTimeout(resolve, 20));
      const descriptors = await readdir("/proc/self/fd");
      const targets = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")));
      closeSync(Number(descriptors[targets.indexOf(writer.path)]));
      await expect(writer.finish({ complete: true })).rejects.toThrow(/EBADF/);
      const manifest = (await collect(store.list()))[0];
      expect(manifest).toMatchObject({ complete: false, bytes: 600_000 });
      expect(await store.verify(writer.id)).toMatchObject({ ok: true });
    },
  );

  it("is private: folder 0700, files 0600, hidden from git", async () => {
    const root = await temporaryFolder();
    const store = createLocalStore({ root, dir: ".agents/tool-output" });
    const writer = await store.create({ tool: "x" });
    await writer.write(Buffer.alloc(600_000));
    await writer.finish({ complete: true });
    for (const folder of [".agents", ".agents/tool-output", ".agents/tool-output/.meta"]) {
      expect([folder, (await stat(join(root, folder))).mode & 0o777]).toEqual([folder, 0o700]);
    }
    const meta = (await readdir(join(store.dir, ".meta"))).sort();
    expect(meta).toEqual([".gitignore", `${writer.id}.idx`, `${writer.id}.json`]);
    for (const file of [writer.path, ...meta.map((name) => join(store.dir, ".meta", name))]) {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    expect(await readFile(join(store.dir, ".gitignore"), "utf8")).toBe("*\n");
  });

  it("writes no .gitignore into a folder that holds other people's files", async () => {
    const root = await temporaryFolder();
    await writeFile(join(root, "main.c"), "");
    const store = createLocalStore({ root, dir: "." });
    await (await store.create({ tool: "x" })).finish({ complete: true });
    expect((await readdir(root)).includes(".gitignore")).toBe(false);
    expect(await readFile(join(root, ".meta", ".gitignore"), "utf8")).toBe("*\n");
  });

  it("can be read while it is written, and shows up in the file soon", async () => {
    const store = createLocalStore({ dir: await temporaryFolder() });
    const writer = await store.create({ tool: "slow", callId: "c9" });
    await writer.write(Buffer.from("first line\n"));
    await expect.poll(async () => (await stat(writer.path)).size).toBe(11);
    expect((await store.find("c9"))?.id).toBe(writer.id);
    expect((await store.readLines(writer.id, { offsetLine: 1, limit: 5 })).text).toBe("first line\n");
    expect(await store.verify(writer.id)).toEqual({ ok: false, problem: "incomplete: it is being written" });
    await writer.finish({ complete: true });
  });

  it("does not keep a process alive that forgot to finish", async () => {
    const dir = await temporaryFolder();
    const script = await bundleScript(`
      import { createLocalStore } from "src/artifacts/index.ts";
      const writer = await createLocalStore({ dir: process.argv[2] }).create({ tool: "x" });
      await writer.write(Buffer.alloc(12_000_000, "line\\n"));
      await writer.write(Buffer.from("end"));
    `);
    const { stderr } = await run(process.execPath, [script.path, dir]);
    script.remove();
    expect(stderr).toBe("");
    const [left] = await collect(createLocalStore({ dir }).list());
    expect(left?.complete).toBe(false);
  });
});

describe("a writer that was killed", () => {
  it("leaves an artifact that every reader copes with", async () => {
    const dir = await temporaryFolder();
    const script = await bundleScript(`
      import { createLocalStore } from "src/artifacts/index.ts";
      const writer = await createLocalStore({ dir: process.argv[2] }).create({ tool: "Bash", callId: "toolu/1" });
      for (let line = 1; ; line++) {
        await writer.write(Buffer.from("line " + line + "\\n"));
        if (line === 400_000) console.log("far enough");
        if (line % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    `);
    const child = spawn(process.execPath, [script.path, dir], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
    script.remove();
    const store = createLocalStore({ dir });
    const [left] = (await collect(store.list())) as [Manifest & { path: string }];
    expect(left).toMatchObject({ tool: "Bash", callId: "toolu/1", complete: false, sha256: "" });
    expect(left.reason).toBe("incomplete: the writer ended before it was finished");
    expect(left.bytes).toBe((await stat(left.path)).size);
    expect(left.lines).toBeGreaterThan(100_000);
    expect((await store.find("toolu/1"))?.id).toBe(left.id);
    expect((await store.find(left.id))?.manifest).toBe(undefined);
    expect(await store.verify(left.id)).toMatchObject({ ok: false, problem: left.reason });
    const answer = await store.readLines(left.id, { offsetLine: 99_999, limit: 2 });
    expect(answer.text).toBe("line 99999\nline 100000\n");
    expect(await store.remove(left.id)).toBe(true);
    expect(await readdir(join(dir, ".meta"))).toEqual([".gitignore"]);
  });

  it("or lost its manifest and index, is still an artifact", async () => {
    const dir = await temporaryFolder();
    const store = createLocalStore({ dir });
    const writer = await store.create({ tool: "Bash", callId: "call_7" });
    await writer.write(Buffer.from("a\n".repeat(300_000)));
    await writer.finish({ complete: true });
    await rm(join(dir, ".meta"), { recursive: true });
    expect((await store.find("call_7"))?.id).toBe(writer.id);
    expect((await store.readLines(writer.id, { offsetLine: 299_999, limit: 9 })).text).toBe("a\na\n");
    expect(await store.verify(writer.id)).toEqual({ ok: false, problem: "incomplete: it has no manifest" });
    expect((await store.cleanup({ now: Date.now() + 1e12 })).removed).toEqual([]);
  });
});

describe("what does not work is said plainly", () => {
  const failure = async (action: Promise<unknown>): Promise<{ code: string; message: string }> =>
    action.then(
      () => ({ code: "it worked", message: "" }),
      (error) => error as { code: string; message: string },
    );

  it("when the folder is a file", async () => {
    const root = await temporaryFolder();
    await writeFile(join(root, "out"), "");
    const error = await failure(createLocalStore({ root, dir: "out" }).create({ tool: "x" }));
    expect(error.code).toBe("STORE_FAILED");
    expect(error.message).toMatch(/out is a file, not a folder/);
    const below = await failure(createLocalStore({ root, dir: "out/deeper" }).create({ tool: "x" }));
    expect(below.code).toBe("STORE_FAILED");
  });

  it.each(["out", "parent/out", "out/.meta"])("when %s is a symbolic link", async (linked) => {
    const root = await temporaryFolder();
    const elsewhere = await temporaryFolder();
    const dir = linked === "out/.meta" ? "out" : linked;
    const link = linked === "parent/out" ? "parent" : linked;
    if (linked === "out/.meta") await mkdir(join(root, "out"));
    await symlink(elsewhere, join(root, link));
    const error = await failure(createLocalStore({ root, dir }).create({ tool: "x" }));
    expect(error.code).toBe("STORE_FAILED");
    expect(error.message).toMatch(/symbolic link/);
    expect(await readdir(elsewhere)).toEqual([]);
  });

  it("when an artifact was replaced by a symbolic link", async () => {
    const root = await temporaryFolder();
    const store = createLocalStore({ root, dir: "out" });
    const writer = await store.create({ tool: "x" });
    await writer.finish({ complete: true });
    await writeFile(join(root, "secret"), "secret");
    await rm(writer.path);
    await symlink(join(root, "secret"), writer.path);
    expect(await store.find(writer.id)).toBe(undefined);
    expect((await failure(store.readLines(writer.id, { offsetLine: 1, limit: 1 }))).code).toBe("ARTIFACT_NOT_FOUND");
    expect(await collect(store.list())).toEqual([]);
  });

  it("when the folder is removed while writing", async () => {
    const root = await temporaryFolder();
    const store = createLocalStore({ root, dir: "out" });
    const writer = await store.create({ tool: "x" });
    await writer.write(Buffer.alloc(1_000_000));
    await rm(join(root, "out"), { recursive: true });
    const error = await failure(writer.finish({ complete: true }));
    expect(error).toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringMatching(/removed while it was written/),
    });
    const next = await store.create({ tool: "x" });
    await next.write(Buffer.from("works again"));
    expect((await next.finish({ complete: true })).bytes).toBe(11);
  });

  it("when the file is changed by somebody else while writing", async () => {
    const store = createLocalStore({ dir: await temporaryFolder() });
    const writer = await store.create({ tool: "x" });
    await writer.write(Buffer.alloc(10));
    await writeFile(writer.path, "shorter, and longer than ten bytes");
    expect((await failure(writer.finish({ complete: true }))).code).toBe("STORE_FAILED");
  });

  it.skipIf(process.getuid?.() === 0)(
    "when the folder is read-only (skipped for root, who may write anyway)",
    async () => {
      const root = await temporaryFolder();
      await mkdir(join(root, "out"), { mode: 0o500 });
      const error = await failure(createLocalStore({ root, dir: "out" }).create({ tool: "x" }));
      expect(error).toMatchObject({ code: "STORE_FAILED", message: expect.stringMatching(/permission denied/) });
    },
  );

  it("finish a second time gives the same manifest", async () => {
    const store = createLocalStore({ dir: await temporaryFolder() });
    const writer = await store.create({ tool: "x" });
    const first = await writer.finish({ complete: true });
    expect(await writer.finish({ complete: true })).toEqual(first);
    expect((await lstat(writer.path)).size).toBe(0);
  });
});

const mountSmall = async (): Promise<string | undefined> => {
  const folder = await temporaryFolder();
  return run("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder]).then(
    () => folder,
    () => undefined,
  );
};
const smallDisk = await mountSmall();

describe.skipIf(smallDisk === undefined)(
  "on a full disk (a tmpfs of 2 MB; skipped where mounting is not allowed)",
  () => {
    const fill = async (writer: ArtifactWriter): Promise<string> => {
      try {
        for (let at = 0; at < 100; at++) await writer.write(Buffer.alloc(100_000, "0123456789abcde\n"));
        return "it fitted";
      } catch (error) {
        return (error as Error).message;
      }
    };

    it("the writer rejects and what was kept is recorded as cut short", async () => {
      const store = createLocalStore({ dir: join(smallDisk as string, "a") });
      const writer = await store.create({ tool: "x" });
      expect(await fill(writer)).toBe("cannot write the artifact: the disk is full (ENOSPC)");
      const manifest = await writer.finish({ complete: false, reason: "the disk is full" });
      expect(manifest).toMatchObject({ complete: false, reason: "the disk is full" });
      expect(manifest.bytes).toBeGreaterThan(1_000_000);
      expect((await store.verify(writer.id)).ok).toBe(true);
      await store.remove(writer.id);
    });

    it("an artifact that claims to be complete is not", async () => {
      const store = createLocalStore({ dir: join(smallDisk as string, "b") });
      const writer = await store.create({ tool: "x" });
      await fill(writer);
      await expect(writer.finish({ complete: true })).rejects.toMatchObject({ code: "STORE_FAILED" });
      expect((await store.find(writer.id))?.manifest?.complete).toBe(false);
      await store.remove(writer.id);
    });

    it("which is read-only, nothing can be created", async () => {
      await run("mount", ["-o", "remount,ro", smallDisk as string]);
      try {
        const creating = createLocalStore({ dir: join(smallDisk as string, "c") }).create({ tool: "x" });
        await expect(creating).rejects.toMatchObject({
          code: "STORE_FAILED",
          message: expect.stringMatching(/the file system is read-only/),
        });
      } finally {
        await run("umount", [smallDisk as string]);
      }
    });
  },
);
