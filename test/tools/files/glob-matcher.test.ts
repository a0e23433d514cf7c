import { describe, expect, it } from "vitest";
import { createGlobMatcher } from "../../../src/tools/files/glob.ts";
import { expectError } from "../../support/envelope.ts";
import { createWorkspace } from "../workspace.ts";

const matches = (glob: string, path: string) => createGlobMatcher(glob, { parameter: "glob" })(path);

describe("a glob", () => {
  it("takes parentheses as part of a name unless they offer a choice", () => {
    expect(matches("app/(shop)/**", "app/(shop)/page.tsx")).toBe(true);
    expect(matches("app/(shop)/**", "app/shop/page.tsx")).toBe(false);
    for (const glob of ["*.(ts|js)", "*.@(ts|js)", "*.{ts,js}"]) expect(matches(glob, "a.js")).toBe(true);
    expect(matches("!(a).ts", "b.ts")).toBe(true);
  });

  it("matches names with a line break", () => {
    expect(matches("**", "two\nlines/a.txt")).toBe(true);
  });

  it.each(["*a*a*a*a*a*a*a*ab", "+(a|aa)b", "(a+|b)+(c|d)e"])("%s does not take for ever", (glob) => {
    try {
      expect(matches(glob, "a".repeat(250))).toBe(false);
    } catch (error) {
      expect(error).toMatchObject({ code: "INVALID_PARAM" });
    }
  });
});

describe("Grep's glob", () => {
  const space = createWorkspace();
  space.write("a.ts", "word\n");
  space.write("b.md", "word\n");
  const files = async (glob: string) => {
    const { data } = await space.call("Grep", { pattern: "word", glob });
    return (data.matches as { file: string }[]).map(({ file }) => file);
  };

  it.each(["*.(ts|js)", "*.@(ts|js)", "[a].ts", "*.t[s]", "{a,b}.ts"])("%s finds what it names", async (glob) => {
    expect(await files(glob)).toEqual(["a.ts"]);
  });

  it("may hold what ripgrep's own globs refuse", async () => {
    for (const glob of ["a:b", "*.ts}", "a\\\\"]) expect(await files(glob)).toEqual([]);
    expectError(await space.call("Grep", { pattern: "word", glob: "[z-a]" }), "INVALID_PARAM");
  });
});
