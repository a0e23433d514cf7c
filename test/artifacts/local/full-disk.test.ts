import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createSession } from "../../../src/agent/session.ts";
import { createSpillway } from "../../../src/gate/spillway.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { mountSmallDisk } from "../../support/small-disk.ts";

const output = Array.from({ length: 20_000 }, (_, at) => `line ${at + 1}\n`).join("");
const TEXTS: Readonly<Record<string, string>> = {
  ".agents": "/.gitignore\n/stats.jsonl\n",
  ".agents/tool-output": "*\n",
  ".agents/tool-output/.meta": "*\n",
  ".agents/sessions": "*\n",
};

/** What git would show, were these files in a repository. */
function untracked(root: string): string {
  if (!existsSync(join(root, ".git"))) execFileSync("git", ["init", "-q", root]);
  return execFileSync("git", ["-C", root, "status", "--short", "-uall"], { encoding: "utf8" });
}

const disk = mountSmallDisk(768);
const stateHome = process.env.XDG_STATE_HOME;

describe.skipIf(disk === undefined)("a disk that becomes full (a tmpfs; skipped where mounting is not allowed)", () => {
  const { path: root, fill, drain } = disk ?? { path: "", fill: () => {}, drain: () => {} };
  beforeEach(() => {
    drain();
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
    // The place beside the root is on the same disk.
    process.env.XDG_STATE_HOME = join(root, "state");
  });
  afterAll(() => {
    if (stateHome === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = stateHome;
  });

  const pages = Math.ceil(output.length / 4096);
  it.each([...Array(8).keys(), 12, 20, ...Array.from({ length: 10 }, (_, at) => pages - 2 + at)])(
    "with %i pages left keeps every byte that fits, and says the truth",
    async (freePages) => {
      fill(freePages);
      const spillway = createSpillway({ root, env: {}, config: false });
      const governed = await spillway.govern(output);
      await spillway.flush();
      if (governed.kind !== "bounded") expect.unreachable();
      const { storage } = governed;
      const stored = [];
      for await (const manifest of spillway.store.list()) stored.push(manifest);
      expect(stored.length).toBeLessThanOrEqual(1);
      for (const { id, path, complete, bytes } of stored) {
        const saved = readFileSync(path, "utf8");
        expect(saved.length).toBeGreaterThan(0);
        expect(output.startsWith(saved)).toBe(true);
        expect(complete).toBe(saved === output);
        expect(bytes).toBe(saved.length);
        expect(await spillway.store.verify(id)).toMatchObject({ ok: true });
        if ("lost" in storage)
          expect(storage.lost).toContain(`only the first ${bytes.toLocaleString("en")} bytes are in`);
        else expect(storage.artifact).toMatchObject({ id, path });
      }
      if (stored.length === 0) expect(storage).toEqual({ lost: expect.stringContaining("the disk is full") });
      for (const [folder, text] of Object.entries(TEXTS)) {
        const file = join(root, folder, ".gitignore");
        if (existsSync(file)) expect([folder, readFileSync(file, "utf8")]).toEqual([folder, text]);
      }
      drain();
      const later = createSpillway({ root, env: {}, config: false });
      await later.govern(output);
      await later.flush();
      expect(untracked(root)).toBe("");
    },
  );

  it("when only the manifest does not fit, still holds the whole output", async () => {
    for (let freePages = pages; freePages < pages + 6; freePages++) {
      drain();
      rmSync(join(root, ".agents"), { recursive: true, force: true });
      fill(freePages);
      const governed = await createSpillway({ root, env: {}, config: false }).govern(output);
      const path = governed.kind === "bounded" && "artifact" in governed.storage ? governed.storage.artifact.path : "";
      if (path === "") continue;
      expect(readFileSync(path, "utf8")).toBe(output);
      return;
    }
    expect.unreachable("the output never fitted");
  });
});

describe("a .gitignore that a full disk cut off", () => {
  it.each(["", "/.git", "/.gitignore\n/stats"])("%j is completed", async (left) => {
    const root = temporaryFolder("healed");
    for (const [folder, text] of Object.entries(TEXTS)) {
      mkdirSync(join(root, folder), { recursive: true });
      writeFileSync(join(root, folder, ".gitignore"), text.startsWith(left) ? left : "");
    }
    const spillway = createSpillway({ root, env: {}, config: false });
    await spillway.govern(output);
    await spillway.flush();
    createSession(root, { model: "m", depth: 0 }).close();
    for (const [folder, text] of Object.entries(TEXTS)) {
      expect([folder, readFileSync(join(root, folder, ".gitignore"), "utf8")]).toEqual([folder, text]);
      expect(lstatSync(join(root, folder, ".gitignore")).mode & 0o777).toBe(0o600);
    }
    expect(untracked(root)).toBe("");
  });

  it("is not mistaken for somebody else's", async () => {
    const root = temporaryFolder("foreign");
    mkdirSync(join(root, ".agents"));
    writeFileSync(join(root, ".agents", ".gitignore"), "notes.md\n");
    const spillway = createSpillway({ root, env: {}, config: false });
    await spillway.govern(output);
    await spillway.flush();
    expect(readFileSync(join(root, ".agents", ".gitignore"), "utf8")).toBe("notes.md\n");
  });
});
