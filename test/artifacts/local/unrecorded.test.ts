import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLocalStore } from "../../../src/artifacts/local/local-store.ts";
import { renderHint } from "../../../src/gate/render/hint-text.ts";
import { createSpillway } from "../../../src/gate/spillway.ts";
import { temporaryFolder } from "../../support/folder.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const output = "one line\n".repeat(60_000);

describe("an artifact whose manifest cannot be written", () => {
  it("keeps its bytes, is known to list and verify, and goes when it is old", async () => {
    const root = temporaryFolder("unrecorded");
    const store = createLocalStore({ root, dir: "out" });
    const writer = await store.create({ tool: "Bash", callId: "call_1" });
    await writer.write(Buffer.from(output));
    mkdirSync(join(root, "out/.meta", `${writer.id}.json`, "in the way"), { recursive: true });
    const finished = await writer.finish({ complete: true });
    expect(finished).toMatchObject({ complete: true, bytes: output.length });
    expect(finished.unrecorded).toMatch(/^cannot write the artifact's manifest: /);
    expect(readFileSync(writer.path, "utf8")).toBe(output);

    const listed = [];
    for await (const each of store.list()) listed.push(each);
    expect(listed).toMatchObject([{ id: writer.id, tool: "Bash", callId: "call_1", bytes: output.length }]);
    expect(listed[0]?.reason).toMatch(/manifest is missing/);
    expect(await store.verify(writer.id)).toEqual({ ok: false, problem: expect.stringMatching(/manifest is missing/) });
    expect((await store.readLines(writer.id, { offsetLine: 60_000, limit: 1 })).text).toBe("one line\n");
    rmSync(join(root, "out/.meta", `${writer.id}.json`), { recursive: true });
    expect((await store.cleanup({ now: Date.now() + 8 * DAY_MS })).removed).toEqual([writer.id]);
    expect(existsSync(writer.path)).toBe(false);
  });

  it("is named by the hint, with what is missing", async () => {
    const root = temporaryFolder("unrecorded-hint");
    const spillway = createSpillway({ root, env: {}, config: false });
    const capture = await spillway.capture();
    await capture.write(output);
    const meta = join(root, ".agents/tool-output/.meta");
    const id = readdirSync(meta).flatMap((name) => /^(.*)\.writing$/.exec(name)?.[1] ?? [])[0];
    mkdirSync(join(meta, `${id}.json`, "in the way"), { recursive: true });
    const governed = await capture.finish();
    if (governed.kind !== "bounded" || "lost" in governed.storage) expect.unreachable();
    expect(readFileSync(governed.storage.artifact.path, "utf8")).toBe(output);
    expect(renderHint(governed.hint)).toContain(
      `saved to: ${governed.storage.artifact.path} (cannot write the artifact's`,
    );
    expect(governed.notice).toContain("manifest");
  });
});

describe("links that come in while an artifact is written", () => {
  it.each([".meta", "."])("get nothing through %s", async (swapped) => {
    const root = temporaryFolder("swapped");
    const elsewhere = temporaryFolder("elsewhere");
    const store = createLocalStore({ root, dir: "out" });
    const writer = await store.create({ tool: "x" });
    await writer.write(Buffer.from(output));
    const folder = join(root, "out", swapped);
    renameSync(folder, join(root, "moved"));
    symlinkSync(elsewhere, folder);
    const finished = await writer.finish({ complete: true }).catch((error: Error) => error.message);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(typeof finished === "string" ? finished : finished.unrecorded).toMatch(/symbolic link|while it was written/);
    await store.remove(writer.id).catch(() => {});
    await store.pin("session", [writer.id]).catch(() => {});
    await writer.discard().catch(() => {});
    await expect(store.create({ tool: "x" })).rejects.toMatchObject({
      message: expect.stringMatching(/symbolic link/),
    });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it("get no statistics: a linked .agents is not followed, and a warning says so", async () => {
    const root = temporaryFolder("linked-agents");
    const elsewhere = temporaryFolder("stats-elsewhere");
    symlinkSync(elsewhere, join(root, ".agents"));
    const warnings: string[] = [];
    const logger = { info: () => {}, warn: (message: string) => warnings.push(message) };
    const store = createLocalStore({ root: temporaryFolder("other-store"), dir: "out" });
    const spillway = createSpillway({ root, store, env: {}, config: false, logger });
    await spillway.govern(output);
    await spillway.flush();
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(warnings.join("\n")).toMatch(/symbolic link, which is not followed/);
  });
});

describe("an empty artifact", () => {
  it("never verifies", async () => {
    const store = createLocalStore({ root: temporaryFolder("empty"), dir: "out" });
    const writer = await store.create({ tool: "x" });
    await writer.finish({ complete: false, reason: "the disk is full" });
    expect(await store.verify(writer.id)).toMatchObject({ ok: false, problem: "it is empty" });
    writeFileSync(writer.path, "");
    expect((await store.verify(writer.id)).ok).toBe(false);
  });
});
