import { symlinkSync, utimesSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectEnvelope, expectError } from "../../support/envelope.ts";
import { mkfifoSync } from "../../support/mkfifo.ts";
import { createWorkspace } from "../workspace.ts";

describe("LS", () => {
  const space = createWorkspace();
  space.write("b.txt", "12345");
  space.write("a/inner.txt", "x");
  space.write(".hidden", "x");
  space.write("skip.log", "x");
  symlinkSync("b.txt", space.path("link"));
  mkfifoSync(space.path("fifo"));

  it("lists directories first, with types and sizes", async () => {
    const response = expectEnvelope(await space.call("LS", { ignore: ["*.log"] }), "ls");
    expect(response.status).toBe("success");
    expect(response.data.entries).toEqual([
      { path: "a", type: "dir" },
      { path: "b.txt", type: "file", size: 5 },
      { path: "fifo", type: "file", size: 0 },
      { path: "link", type: "link" },
    ]);
    expect(response.stats.total_entries).toBe(4);
    expect(response.context).toMatchObject({ cwd: ".", path_resolved: ".", params_input: { ignore: ["*.log"] } });
  });

  it("shows hidden names when asked", async () => {
    const { data } = await space.call("LS", { hidden: true });
    expect(JSON.stringify(data)).toContain(".hidden");
  });

  it("says what it left out, and the next call works", async () => {
    const response = await space.call("LS", { limit: 2 });
    expect(response).toMatchObject({ status: "partial", data: { truncated: true }, stats: { total_entries: 5 } });
    const next = JSON.parse(/LS (\{.*?\})/.exec(response.text)?.[1] ?? "");
    expect(await space.call("LS", next)).toMatchObject({ status: "success" });
  });

  it("gives a path relative to the root for a subdirectory", async () => {
    expect((await space.call("LS", { path: "a" })).data.entries).toEqual([
      { path: "a/inner.txt", type: "file", size: 1 },
    ]);
  });

  it("names a next call that keeps what was asked", async () => {
    const response = await space.call("LS", { limit: 1, hidden: true, ignore: ["a"] });
    const next = JSON.parse(/LS (\{.*?\}) shows/.exec(response.text)?.[1] ?? "");
    const all = await space.call("LS", next);
    expect(all.stats.total_entries).toBe(response.stats.total_entries);
    expect(all.status).toBe("success");
  });

  it.each(["", "[", "x\0", "a".repeat(2000), "[z-a]"])("refuses to ignore %j", async (glob) => {
    expectError(await space.call("LS", { ignore: [glob] }), "INVALID_PARAM");
  });

  it("refuses a file, a missing path and wrong parameters", async () => {
    expectError(await space.call("LS", { path: "b.txt" }), "INVALID_PARAM");
    expectError(await space.call("LS", { path: "nowhere" }), "NOT_FOUND");
    expectError(await space.call("LS", { limit: 0 }), "INVALID_PARAM");
    expect(expectError(await space.call("LS", { pth: "." }), "INVALID_PARAM").text).toContain("path");
  });
});

describe.each([
  ["ripgrep", undefined],
  ["javascript", null],
] as const)("Glob with %s", (name, ripgrep) => {
  const space = createWorkspace({ ripgrep });
  space.write(".gitignore", "ignored/\n*.log\n");
  space.write("sub/.gitignore", "!kept.log\nsecret.ts\n");
  for (const file of [
    "a.ts",
    "src/b.ts",
    "src/deep/c.ts",
    "ignored/d.ts",
    "x.log",
    "sub/kept.log",
    "sub/secret.ts",
    ".github/e.ts",
  ]) {
    space.write(file, "x");
  }
  utimesSync(space.path("src/deep/c.ts"), 2_000_000_000, 2_000_000_000);
  utimesSync(space.path("a.ts"), 1_000_000_000, 1_000_000_000);
  const status = name === "ripgrep" ? "success" : "partial";

  it("finds files, newest first, without what .gitignore leaves out", async () => {
    const response = expectEnvelope(await space.call("Glob", { pattern: "**/*.ts" }), "glob");
    expect(response.status).toBe(status);
    expect(response.data.paths).toEqual(["src/deep/c.ts", "src/b.ts", "a.ts"]);
    expect(response.data.fallback).toBe(name === "javascript" ? "javascript" : undefined);
  });

  it("lets an inner .gitignore take back what an outer one left out, also from a subdirectory", async () => {
    expect((await space.call("Glob", { pattern: "**/*.log" })).data.paths).toEqual(["sub/kept.log"]);
    expect((await space.call("Glob", { pattern: "*", path: "sub" })).data.paths).toEqual(["sub/kept.log"]);
    expect((await space.call("Glob", { pattern: "**/*.log", path: "src" })).data.paths).toEqual([]);
  });

  it("reaches hidden names only when the pattern names the dot", async () => {
    expect((await space.call("Glob", { pattern: ".github/**" })).data.paths).toEqual([".github/e.ts"]);
  });

  it("says that a pattern without slash matches one level only", async () => {
    const response = await space.call("Glob", { pattern: "c.ts" });
    expect(response.data.paths).toEqual([]);
    expect(response.text).toContain("1 more match '**/c.ts'");
  });

  it("cuts at the limit and tells the total", async () => {
    const response = await space.call("Glob", { pattern: "**/*.ts", limit: 1 });
    expect(response).toMatchObject({ status: "partial", data: { truncated: true, paths: ["src/deep/c.ts"] } });
    expect(response.stats.total_paths).toBe(3);
  });

  it("refuses a pattern that leads outside", async () => {
    expectError(await space.call("Glob", { pattern: "../*" }), "ACCESS_DENIED");
    expectError(await space.call("Glob", { pattern: "/etc/*" }), "ACCESS_DENIED");
  });
});
