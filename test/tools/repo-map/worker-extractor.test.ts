import { execFile } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ToolResponse } from "../../../src/protocol/types.ts";
import { builtPackage, PROJECT } from "../../support/build.ts";
import { expectEnvelope } from "../../support/envelope.ts";
import { createWorkspace } from "../workspace.ts";

const FILES = 160;
const PARAMS = JSON.stringify({ max_tokens: 20_000 });
const folder = path.join(PROJECT, "node_modules", ".cache", `spillway-tag-worker-${process.pid}`);
const space = createWorkspace();
for (let index = 0; index < FILES; index++) {
  const other = (index * 7 + 1) % FILES;
  space.write(
    `src/module${index}.ts`,
    `import { openGate${other} } from "./module${other}.ts";\nexport function openGate${index}() {\n  openGate${other}();\n}\n`,
  );
}

async function mapBuilt(): Promise<ToolResponse> {
  rmSync(space.path(".agents"), { recursive: true, force: true });
  const bin = path.join(folder, "bin", "spillway.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [
    bin,
    "tool",
    "RepoMap",
    PARAMS,
    "--root",
    space.root,
  ]);
  return expectEnvelope(JSON.parse(stdout));
}

beforeAll(async () => cpSync((await builtPackage()).folder, folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// One after the other: each puts another worker in its place.
describe("a repository large enough for a second thread", () => {
  it("gets the same map as by one thread", async () => {
    const bySource = await space.call("RepoMap", JSON.parse(PARAMS));
    const built = await mapBuilt();
    expect(built.data).toEqual(bySource.data);
    expect(built.stats).toMatchObject({ total_files: FILES, cached_files: 0, total_definitions: FILES });
  });

  it("is still mapped whole when the thread cannot start", async () => {
    const { data } = await space.call("RepoMap", JSON.parse(PARAMS));
    writeFileSync(path.join(folder, "dist", "tag-worker.mjs"), 'throw new Error("no thread for you");\n');
    expect((await mapBuilt()).data).toEqual(data);
  });

  it("is mapped by threads alone, which can be ended", async () => {
    writeFileSync(
      path.join(folder, "dist", "tag-worker.mjs"),
      `import { parentPort } from "node:worker_threads";
      const tags = { defs: [["openGate", 1, "found by the other thread", 1]], words: [], counts: [] };
      parentPort.on("message", ({ id }) => parentPort.postMessage({ id, tags }));`,
    );
    const { data } = await mapBuilt();
    expect(data.map).toContain("found by the other thread");
    expect(data.map).not.toContain("export function openGate");
  });
});
