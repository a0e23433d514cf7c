import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createLocalStore, type LocalStore } from "../../../src/artifacts/index.ts";
import { createSpillway } from "../../../src/gate/spillway.ts";
import { readConfiguration } from "../../../src/limits/configuration.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const NOBODY = 65_534;
/** Only root can give a folder to somebody else. */
const NOT_ROOT = process.getuid?.() !== 0;
const OUTPUT = "a line of the output\n".repeat(20_000);

async function save(store: LocalStore, text: string): Promise<{ id: string; path: string }> {
  const writer = await store.create({ tool: "x", callId: "call" });
  await writer.write(Buffer.from(text));
  return { path: writer.path, id: (await writer.finish({ complete: true })).id };
}

describe("a folder in which other users can exchange files", () => {
  const everybody = (path: string) => chmodSync(path, 0o777);
  const nobody = (path: string) => chownSync(path, NOBODY, NOBODY);
  const agents = ".agents";
  const outputs = join(".agents", "tool-output");

  it.each([
    ["everybody may write to .agents", agents, everybody],
    ["everybody may write to tool-output", outputs, everybody],
    ...(!NOT_ROOT ? ([[".agents is another user's", agents, nobody]] as const) : []),
  ] as const)("is not where outputs go by default: %s", async (_what, folder, plant) => {
    const [root, state] = [await temporaryFolder(), await temporaryFolder()];
    vi.stubEnv("XDG_STATE_HOME", state);
    mkdirSync(join(root, folder), { recursive: true });
    plant(join(root, folder));
    const governed = await createSpillway({ root, env: {}, maxBytes: 5000 }).govern(OUTPUT);
    const path = governed.kind === "bounded" && "artifact" in governed.storage ? governed.storage.artifact.path : "";
    expect(path).toContain(join(state, "spillway", "tool-output"));
    expect(existsSync(path)).toBe(true);
  });

  it("is used when it is named, and what is read from it is what was saved", async () => {
    const dir = await temporaryFolder();
    chmodSync(dir, 0o777);
    const store = createLocalStore({ dir });
    const { id, path } = await save(store, OUTPUT);
    expect((await store.readLines(id, { offsetLine: 7, limit: 1 })).text).toContain("a line of the output");
    const planted = OUTPUT.replace("a line", "rm -rf");
    renameSync(path, `${path}.aside`);
    writeFileSync(path, planted);
    for (const read of [
      () => store.find(id),
      () => store.find("call"),
      () => store.open!(id),
      () => store.readLines(id, { offsetLine: 1, limit: 1 }),
    ])
      await expect(read()).rejects.toMatchObject({
        code: "STORE_FAILED",
        message: expect.stringContaining("other users can write"),
      });
    expect((await store.verify(id)).ok).toBe(false);
    rmSync(path);
    renameSync(`${path}.aside`, path);
    expect((await store.find(id))?.path).toBe(path);
  });

  it.skipIf(NOT_ROOT)("has no artifact whose manifest another user wrote", async () => {
    const dir = await temporaryFolder();
    const { id, path } = await save(createLocalStore({ dir }), OUTPUT);
    chmodSync(dir, 0o777);
    for (const name of readdirSync(join(dir, ".meta"))) chownSync(join(dir, ".meta", name), NOBODY, NOBODY);
    await expect(createLocalStore({ dir }).find(path)).rejects.toMatchObject({ code: "STORE_FAILED" });
    await expect(createLocalStore({ dir }).open!(id)).rejects.toMatchObject({ code: "STORE_FAILED" });
  });
});

describe("spillway.yaml of another user", () => {
  const CONFIG = "tool_output_limits: { default: { max_lines: 3 } }\n";

  it.skipIf(NOT_ROOT).each(["the file", "its folder"])("is ignored, and `config` says so (%s)", async (what) => {
    const root = await temporaryFolder();
    writeFileSync(join(root, "spillway.yaml"), CONFIG);
    expect((await readConfiguration(root)).files).toHaveLength(1);
    chownSync(what === "the file" ? join(root, "spillway.yaml") : root, NOBODY, NOBODY);
    const { files, ignored } = await readConfiguration(root);
    expect(files).toEqual([]);
    expect(ignored).toEqual([
      { file: join(root, "spillway.yaml"), key: "*", reason: expect.stringContaining("another user (65534)") },
    ]);
    expect((await readConfiguration(root, "spillway.yaml")).files).toHaveLength(1);
  });

  it.skipIf(NOT_ROOT)("that the caller of sudo owns is the user's own", async () => {
    const root = await temporaryFolder();
    writeFileSync(join(root, "spillway.yaml"), CONFIG);
    chownSync(join(root, "spillway.yaml"), 1234, 1234);
    vi.stubEnv("SUDO_UID", "1234");
    expect((await readConfiguration(root)).files).toHaveLength(1);
  });
});
