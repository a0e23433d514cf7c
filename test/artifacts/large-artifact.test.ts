import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Worker } from "node:worker_threads";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { builtPackage } from "../support/build.ts";
import { bundleScript } from "../support/bundle.ts";

// The worker's file exists only in the build.
let entry: string;
let createLocalStore: typeof import("../../src/artifacts/index.ts").createLocalStore;

let root: string;

beforeAll(async () => {
  entry = pathToFileURL(join((await builtPackage()).dist, "artifacts.mjs")).href;
  ({ createLocalStore } = await import(entry));
}, 240_000);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "spillway-large-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

it("keeps hash, line count and index right when the worker takes over, in odd chunks", async () => {
  let workers = 0;
  const count = () => {
    workers += 1;
  };
  process.on("worker", count);
  const store = createLocalStore({ root, dir: "out" });
  const writer = await store.create({ tool: "Bash" });
  const hash = createHash("sha256");
  let lines = 0;
  let bytes = 0;
  let waits = 0;
  const wanted = 40 * 1024 * 1024;
  for (let at = 0; bytes < wanted; at++) {
    const added = 1 + ((at * 7919) % 1500);
    const chunk = Buffer.from(
      Array.from({ length: added }, (_, each) => `line ${lines + each + 1} ${"y".repeat(at % 90)}\n`).join(""),
    );
    lines += added;
    bytes += chunk.length;
    hash.update(chunk);
    const wait = writer.write(chunk);
    if (wait !== undefined) {
      waits += 1;
      await wait;
    }
  }
  const manifest = await writer.finish({ complete: true });
  process.off("worker", count);
  expect(workers).toBe(1);
  expect(manifest).toMatchObject({ bytes, lines, sha256: hash.digest("hex"), complete: true });
  expect(waits).toBeGreaterThan(0);
  expect((await store.verify(manifest.id)).ok).toBe(true);
  for (const line of [1, 2, 12_345, lines - 1, lines]) {
    const answer = await store.readLines(manifest.id, { offsetLine: line, limit: 1 });
    expect(answer.text).toMatch(new RegExp(`^line ${line} y*\n$`));
  }
  const index = await readFile(join(root, "out", ".meta", `${manifest.id}.idx`));
  expect(index.subarray(0, 4).toString()).toBe("SPIX");
});

it("hashes several large artifacts at once, whether or not a worker is free for each", async () => {
  const store = createLocalStore({ root, dir: "out" });
  const chunk = Buffer.alloc(3 * 1024 * 1024 + 17, "some text\n");
  const expected = createHash("sha256");
  for (let at = 0; at < 5; at++) expected.update(chunk);
  const sha256 = expected.digest("hex");
  const manifests = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const writer = await store.create({ tool: "Bash" });
      for (let at = 0; at < 5; at++) await writer.write(chunk);
      return writer.finish({ complete: true });
    }),
  );
  expect(manifests.map((manifest) => manifest.sha256)).toEqual([sha256, sha256, sha256, sha256]);
});

async function writeLarge(dir: string): Promise<void> {
  const store = createLocalStore({ root, dir });
  const chunk = Buffer.alloc(1_000_003, "some text\n");
  const hash = createHash("sha256");
  const writer = await store.create({ tool: "Bash" });
  for (let at = 0; at < 40; at++) {
    hash.update(chunk);
    await writer.write(chunk);
  }
  const manifest = await writer.finish({ complete: true });
  expect(manifest).toMatchObject({ bytes: 40 * chunk.length, sha256: hash.digest("hex"), complete: true });
  expect((await store.verify(writer.id)).ok).toBe(true);
}

it.each([0, 20])("loses nothing when the worker dies %d ms after its start", async (delayMs) => {
  const deaths: Promise<unknown>[] = [];
  const kill = (worker: Worker) => {
    deaths.push(setTimeout(delayMs).then(() => worker.terminate()));
  };
  process.on("worker", kill);
  await writeLarge("dying");
  process.off("worker", kill);
  await Promise.all(deaths);
  expect(deaths.length).toBe(1);
});

const WRITE = `
  const store = createLocalStore({ dir: process.argv[2] });
  const writer = await store.create({ tool: "x" });
  for (let at = 0; at < 24; at++) await writer.write(Buffer.alloc(1_000_000, "line\\n"));
  const { id, lines } = await writer.finish({ complete: true });
  console.log(lines, (await store.verify(id)).ok);
`;

it.each([
  ["compiled modules", ["--jitless"]],
  ["threads", ["--experimental-permission", "--allow-fs-read=*", "--allow-fs-write=*"]],
])("works where %s are not to be had", async (_, flags) => {
  const script = join(root, "write.mjs");
  await writeFile(script, `import { createLocalStore } from ${JSON.stringify(entry)};${WRITE}`);
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, join(root, "out")]);
  expect(stdout).toBe("4800000 true\n");
});

it("works bundled into another program, without the worker's file", async () => {
  const script = await bundleScript(`import { createLocalStore } from "src/artifacts/index.ts";${WRITE}`);
  const { stdout } = await promisify(execFile)(process.execPath, [script.path, join(root, "out")]);
  script.remove();
  expect(stdout).toBe("4800000 true\n");
});
