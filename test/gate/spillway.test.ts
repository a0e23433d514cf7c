import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLocalStore } from "../../src/artifacts/local/local-store.ts";
import { createMemoryStore } from "../../src/artifacts/memory-store.ts";
import type { ArtifactStore, ArtifactWriter } from "../../src/artifacts/types.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import type { GateOptions } from "../../src/gate/types.ts";
import { temporaryFolder } from "../support/folder.ts";

const output = Array.from({ length: 3000 }, (_, index) => `line ${index + 1}`).join("\n");
const artifactsIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("tool_"));

function project(yaml?: string): string {
  const root = temporaryFolder("gate");
  if (yaml !== undefined) writeFileSync(join(root, "spillway.yaml"), yaml);
  return root;
}

describe("the order of limits", () => {
  const yaml = "tool_output_limits: {default: {max_lines: 5, strategy: tail}, tools: {Grep: {max_lines: 2}}}";
  const env = { TOOL_OUTPUT_MAX_LINES: "4" };

  it("is call > file tools.NAME > tool definition > environment > file default > built-in", async () => {
    const spillway = createSpillway({ root: project(yaml), env });
    const lines = async (options: GateOptions) => {
      const { limits, origin } = await spillway.limits(options);
      return [limits.maxLines, origin.maxLines];
    };
    const toolLimits = { maxLines: 3 };
    expect(await lines({ tool: "Grep", toolLimits, maxLines: 1 })).toEqual([1, "call"]);
    expect(await lines({ tool: "Grep", toolLimits })).toEqual([2, "file tools.Grep"]);
    expect(await lines({ tool: "x", aliases: ["Grep"], toolLimits })).toEqual([2, "file tools.Grep"]);
    expect(await lines({ tool: "Read", toolLimits })).toEqual([3, "tool definition"]);
    expect(await lines({ tool: "Read" })).toEqual([4, "environment"]);
    const plain = createSpillway({ root: project(yaml), env: {} });
    expect((await plain.limits()).origin).toMatchObject({ maxLines: "file default", strategy: "file default" });
    expect((await createSpillway({ root: project(), env: {} }).limits()).origin.maxLines).toBe("built-in");
  });

  it("applies to outputs by itself", async () => {
    const spillway = createSpillway({ root: project(yaml), env: {} });
    expect(await spillway.govern("1\n2\n3", { tool: "Grep" })).toMatchObject({ kind: "bounded", strategy: "tail" });
    expect(await spillway.govern("1\n2\n3", { tool: "Read" })).toMatchObject({ kind: "whole" });
  });

  it("complains about a wrong file with each call, naming file and key", async () => {
    const root = project("tool_output_limits: {default: {max_lines: none}}");
    const spillway = createSpillway({ root, env: {} });
    await expect(spillway.govern("x")).rejects.toThrow(
      `${join(root, "spillway.yaml")}: tool_output_limits.default.max_lines must be`,
    );
  });
});

describe("the artifact folder", () => {
  it("is option > environment > file > built-in, each relative to the root", async () => {
    const root = project("artifacts: {dir: from-file}");
    const env = { TOOL_OUTPUT_DIR: "from/env" };
    await createSpillway({ root, env, dir: "from-option" }).govern(output);
    await createSpillway({ root, env }).govern(output);
    await createSpillway({ root, env: {} }).govern(output);
    await createSpillway({ root, env: {}, config: false }).govern(output);
    for (const dir of ["from-option", "from/env", "from-file", ".agents/tool-output"])
      expect(artifactsIn(join(root, dir))).toHaveLength(1);
  });

  it("is the same for who uses the store before the first output", async () => {
    const root = project("artifacts: {dir: from-file}");
    const spillway = createSpillway({ root, env: {} });
    expect(await spillway.store.find("nothing")).toBeUndefined();
    const governed = await spillway.govern(output, { callId: "call_1" });
    expect(artifactsIn(join(root, "from-file"))).toHaveLength(1);
    const found = await spillway.store.find("call_1");
    expect(found?.path).toBe(
      governed.kind === "bounded" && "artifact" in governed.storage && governed.storage.artifact.path,
    );
    expect(existsSync(join(root, ".agents"))).toBe(false);
  });

  it("loses what is older than the retention time with the first truncation, and nothing else", async () => {
    const root = project();
    const old = createLocalStore({ root, dir: "out", now: () => Date.now() - 8 * 24 * 3600 * 1000 });
    const writer = await old.create({ tool: "Old" });
    await writer.write(Buffer.from("old"));
    await writer.finish({ complete: true });
    const written = new Date(Date.now() - 8 * 24 * 3600 * 1000);
    utimesSync(writer.path, written, written);
    const yesterday = new Date(Date.now() - 24 * 3600 * 1000);
    const before = createLocalStore({ root, dir: "out", now: () => yesterday.getTime() });
    const kept = await before.create({ tool: "Kept" });
    await kept.finish({ complete: true });
    utimesSync(kept.path, yesterday, yesterday);
    writeFileSync(join(root, "out", "mine.txt"), "mine");
    const spillway = createSpillway({ root, dir: "out", env: {} });
    await spillway.govern("small");
    expect(existsSync(writer.path)).toBe(true);
    await spillway.govern(output);
    await expect.poll(() => existsSync(writer.path)).toBe(false);
    expect(readdirSync(join(root, "out"))).toContain("mine.txt");
    expect(artifactsIn(join(root, "out"))).toHaveLength(2);
  });
});

describe("a capture", () => {
  it("opens no artifact until a limit is passed, then holds everything from the start", async () => {
    const root = project();
    const spillway = createSpillway({ root, env: {}, maxLines: 3 });
    const capture = await spillway.capture({ tool: "Bash" });
    await capture.write("1\n2\n");
    expect(capture.size).toEqual({ lines: 2, bytes: 4, chars: 4 });
    expect(existsSync(join(root, ".agents"))).toBe(false);
    await capture.write("3\n4\n");
    expect(artifactsIn(join(root, ".agents", "tool-output"))).toHaveLength(1);
    const governed = await capture.finish();
    const id = governed.kind === "bounded" && "artifact" in governed.storage ? governed.storage.artifact.id : "";
    expect((await spillway.store.readLines(id, { offsetLine: 1, limit: 9 })).text).toBe("1\n2\n3\n4\n");
  });

  it("keeps the order of writes nobody waited for, also when buffers are used again", async () => {
    const spillway = createSpillway({ root: project(), env: {}, maxLines: 3 });
    const capture = await spillway.capture();
    const buffer = Buffer.alloc(6);
    const wanted: string[] = [];
    for (let index = 10_000; index < 10_500; index++) {
      buffer.write(`${index}\n`);
      wanted.push(`${index}\n`);
      void capture.write(buffer);
    }
    const governed = await capture.finish();
    const id = governed.kind === "bounded" && "artifact" in governed.storage ? governed.storage.artifact.id : "";
    const text = await spillway.store.readLines(id, { offsetLine: 1, limit: 1000 });
    expect(text.text).toBe(wanted.join(""));
  });

  it("previews 256 MB in bounded memory", async () => {
    const spillway = createSpillway({ store: createDiscardingStore(), env: {}, config: false, strategy: "head_tail" });
    const capture = await spillway.capture();
    const chunk = Buffer.from("0123456789abcde\n".repeat(1 << 14));
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 1024; count++) await capture.write(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 << 20);
    await capture.write("the real end");
    const governed = await capture.finish();
    expect(governed.size).toMatchObject({ lines: (1 << 24) + 1 });
    expect(governed.kind === "bounded" && governed.preview.text).toMatch(/the real end$/);
  });
});

/** Takes artifacts and keeps none of their bytes. */
function createDiscardingStore(): ArtifactStore {
  const store = createMemoryStore();
  const create = store.create.bind(store);
  store.create = async (request): Promise<ArtifactWriter> => ({ ...(await create(request)), write: () => undefined });
  return store;
}
