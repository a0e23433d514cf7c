import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createLocalStore } from "../../src/artifacts/index.ts";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "spillway-large-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

it("keeps hash, line count and index right when the worker takes over, in odd chunks", async () => {
  const store = createLocalStore({ root, dir: "out" });
  const writer = await store.create({ tool: "Bash" });
  const hash = createHash("sha256");
  let lines = 0;
  let bytes = 0;
  let waits = 0;
  const wanted = 40 * 1024 * 1024;
  for (let at = 0; bytes < wanted; at++) {
    const count = 1 + ((at * 7919) % 1500);
    const chunk = Buffer.from(
      Array.from({ length: count }, (_, each) => `line ${lines + each + 1} ${"y".repeat(at % 90)}\n`).join(""),
    );
    lines += count;
    bytes += chunk.length;
    hash.update(chunk);
    const wait = writer.write(chunk);
    if (wait !== undefined) {
      waits += 1;
      await wait;
    }
  }
  const manifest = await writer.finish({ complete: true });
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
