import { describe, expect, it } from "vitest";
import { expectError } from "../../support/envelope.ts";
import { createWorkspace } from "../workspace.ts";

describe("a glob that does not close", () => {
  const space = createWorkspace();
  space.write("a[1.txt", "word\n");
  space.write("b.ts", "word\n");

  it.each(["[", "src/[a-z", "*.{ts,txt", "*.(ts|js"])("%s is refused", async (glob) => {
    expectError(await space.call("Glob", { pattern: glob }), "INVALID_PARAM");
    expectError(await space.call("Grep", { pattern: "word", glob }), "INVALID_PARAM");
  });

  it.each([
    ["[ab].ts", ["b.ts"]],
    ["*.{ts,js}", ["b.ts"]],
    ["[!x].ts", ["b.ts"]],
    ["a\\[1.txt", ["a[1.txt"]],
  ])("%s is not", async (pattern, paths) => {
    expect((await space.call("Glob", { pattern })).data.paths).toEqual(paths);
  });
});
