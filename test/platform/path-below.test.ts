import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLocalStore } from "../../src/artifacts/index.ts";
import { relativeTo } from "../../src/gate/render/hint-text.ts";
import { pathBelow } from "../../src/platform/folders.ts";
import { PROJECT } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";
import { spillway } from "../support/spillway-command.ts";

describe("pathBelow", () => {
  it.each([
    ["linux", "/srv/root", "/srv/root", ""],
    ["linux", "/srv/root", "/srv/root/a/..b", "a/..b"],
    ["linux", "/srv/root", "/srv/root/..x", "..x"],
    ["linux", "/srv/root", "/srv/root/...", "..."],
    ["linux", "/", "/srv", "srv"],
    ["linux", "/srv/root", "/srv/root2", undefined],
    ["linux", "/srv/root", "/srv", undefined],
    ["linux", "/srv/root", "/srv/Root/a", undefined],
    ["win32", "C:\\Root", "c:\\root\\a\\b", "a/b"],
    ["win32", "C:\\root", "C:/root/..x/a", "..x/a"],
    ["win32", "C:\\root", "D:\\root\\a", undefined],
    ["win32", "C:\\root", "C:\\root2", undefined],
    ["win32", "C:\\root", "\\\\server\\share", undefined],
  ] as const)("on %s: %s and %s", (platform, folder, location, below) => {
    expect(pathBelow(folder, location, platform)).toBe(below);
  });

  it("is the only place that asks for the way from one path to another", () => {
    const asking = readdirSync(join(PROJECT, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .filter((file) =>
        /\b(?:path(?:\.\w+)?\.)?relative\(\w[^)]*, /.test(readFileSync(join(PROJECT, "src", file), "utf8")),
      );
    // Grep matches patterns, and decides nothing.
    expect(asking).toEqual([join("platform", "folders.ts"), join("tools", "grep", "grep.ts")]);
  });
});

describe("a folder named ..x", () => {
  const root = temporaryFolder("below");
  const inside = join(root, "..x");
  mkdirSync(inside);

  it("is below the root for whoever shows a path", async () => {
    expect(relativeTo(root, inside)).toBe("..x");
    const { out } = await spillway(["run", "--root", root, "--format", "envelope", "--", "echo", "hi"], {
      cwd: inside,
    });
    expect(JSON.parse(out).context.cwd).toBe("..x");
  });

  it("holds artifacts as every other folder below the root does", async () => {
    const store = createLocalStore({ root, dir: join(inside, "out") });
    const writer = await store.create({ tool: "Any" });
    await writer.finish({ complete: true });
    expect(relativeTo(root, writer.path)).toMatch(/^\.\.x\/out\/tool_/);
  });
});
