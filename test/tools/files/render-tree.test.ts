import { describe, expect, it } from "vitest";
import { renderTree } from "../../../src/tools/files/repo-structure.ts";

describe("renderTree", () => {
  it("shows a folder of any number of files", () => {
    const paths = Array.from({ length: 300_000 }, (_, at) => `deep/file-${at}`);
    const tree = renderTree(".", paths, { maxDepth: 3, maxFiles: 299_999 });
    expect(tree).toMatchObject({ hiddenFiles: 1, deepFiles: 0 });
    expect(tree.text.split("\n")).toHaveLength(2 + 299_999 + 1);
  });
});
