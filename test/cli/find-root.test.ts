import { chownSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, parse } from "node:path";
import { describe, expect, it } from "vitest";
import { findRoot } from "../../src/cli/options.ts";
import { temporaryFolder } from "../support/folder.ts";
import { spillway } from "../support/spillway-command.ts";

function project(mark: string): { readonly top: string; readonly deep: string } {
  const top = temporaryFolder("find-root");
  const deep = join(top, "packages", "..x", "src");
  mkdirSync(deep, { recursive: true });
  if (mark.endsWith(".yaml")) writeFileSync(join(top, mark), "");
  else mkdirSync(join(top, mark));
  return { top, deep };
}

describe("the root of a project", () => {
  it.each(["spillway.yaml", ".git"])("is the nearest folder upwards with %s", (mark) => {
    const { top, deep } = project(mark);
    expect(findRoot(deep)).toBe(top);
    expect(findRoot(top)).toBe(top);
    writeFileSync(join(deep, "..", "spillway.yaml"), "");
    expect(findRoot(deep)).toBe(join(deep, ".."));
  });

  it("is the working directory when nothing marks one", () => {
    const folder = temporaryFolder("unmarked");
    expect(findRoot(folder)).toBe(folder);
    expect(findRoot(parse(folder).root)).toBe(parse(folder).root);
  });

  it("is never the home folder, nor what lies above it", () => {
    const { top, deep } = project(".git");
    expect(findRoot(deep, top)).toBe(deep);
    expect(findRoot(deep, join(top, "packages"))).toBe(deep);
  });

  it.runIf(process.getuid?.() === 0)("is never a folder of another user (needs root, to make one)", () => {
    const { top, deep } = project(".git");
    chownSync(top, 65_534, 65_534);
    expect(findRoot(deep)).toBe(deep);
  });
});

describe("where the command line puts things", () => {
  it("saves at the top of the project, and finds it from any folder of it", async () => {
    const { top, deep } = project(".git");
    await spillway(["run", "--call-id", "c1", "--", "seq", "1", "9000"], { cwd: deep });
    expect(existsSync(join(top, ".agents", "tool-output"))).toBe(true);
    expect(existsSync(join(deep, ".agents"))).toBe(false);
    const read = await spillway(["artifacts", "read", "c1", "--offset", "42", "--limit", "1"], {
      cwd: join(top, "packages"),
    });
    expect(read.out).toBe("42\n");
  });

  it("reads the project's limits from a folder below, and --root says otherwise", async () => {
    const { top, deep } = project("spillway.yaml");
    writeFileSync(join(top, "spillway.yaml"), "tool_output_limits:\n  default:\n    max_lines: 12\n");
    const lines = async (...more: string[]) =>
      (await spillway(["run", ...more, "--", "seq", "1", "100"], { cwd: deep })).out.trimEnd().split("\n").length;
    expect(await lines()).toBeLessThanOrEqual(12);
    expect(await lines("--root", deep)).toBe(100);
  });

  it("finds what an agent saved that was started in a folder below", async () => {
    const { deep } = project(".git");
    await spillway(["run", "--root", deep, "--call-id", "below", "--", "seq", "1", "9000"], { cwd: deep });
    expect((await spillway(["artifacts", "list"], { cwd: deep })).out).toContain("_seq_below_");
  });

  it("keeps tools behind the wall of the working directory", async () => {
    const { top, deep } = project(".git");
    writeFileSync(join(top, "secret.txt"), "above");
    const { out } = await spillway(["tool", "Read", JSON.stringify({ path: join(top, "secret.txt") })], { cwd: deep });
    expect(JSON.parse(out)).toMatchObject({ status: "error", error: { code: "ACCESS_DENIED" } });
  });

  it("leaves no trace of an output within limits", async () => {
    const { top, deep } = project(".git");
    await spillway(["run", "--", "echo", "small"], { cwd: deep });
    await spillway(["pipe"], { cwd: deep, input: "small" });
    expect(existsSync(join(top, ".agents"))).toBe(false);
    expect(existsSync(join(deep, ".agents"))).toBe(false);
  });
});
