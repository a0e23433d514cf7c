import { execFile } from "node:child_process";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { artifactIdTime, createArtifactId, isArtifactId } from "../../src/artifacts/artifact-name.ts";
import { bundleScript } from "../support/bundle.ts";

const run = promisify(execFile);

describe("artifact ids", () => {
  it("ascend strictly within a process, many in one millisecond", () => {
    const ids = Array.from({ length: 20_000 }, () => createArtifactId());
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every(isArtifactId)).toBe(true);
  });

  it("carry the time they were given, and order by it as text", () => {
    const times = fc.integer({ min: 0, max: Date.UTC(4999, 0, 1) });
    fc.assert(
      fc.property(times, times, (left, right) => {
        const [leftId, rightId] = [createArtifactId(left), createArtifactId(right)];
        expect(artifactIdTime(leftId)).toBe(left);
        expect(leftId).toMatch(/^[0-9a-z]{22}$/);
        if (left !== right) expect(leftId < rightId).toBe(left < right);
        else expect(leftId).not.toBe(rightId);
      }),
    );
  });

  it("do not wrap: an id of the year 2500 sorts after one of today", () => {
    expect(createArtifactId(Date.UTC(2500, 0, 1)) > createArtifactId(Date.UTC(2026, 0, 1))).toBe(true);
  });

  it("are not held back by a clock that was given", () => {
    createArtifactId(Date.UTC(4000, 0, 1));
    expect(artifactIdTime(createArtifactId())).toBeLessThan(Date.UTC(3000, 0, 1));
  });

  it("never collide across processes that make them at the same moment", async () => {
    const script = await bundleScript(`
      import { createArtifactId } from "src/artifacts/artifact-name.ts";
      console.log(Array.from({ length: 5000 }, () => createArtifactId(Date.UTC(2026, 0, 13))).join("\\n"));
    `);
    const outputs = await Promise.all(
      [1, 2, 3, 4].map(() => run(process.execPath, [script.path], { maxBuffer: 2 ** 24 })),
    );
    script.remove();
    const ids = outputs.flatMap(({ stdout }) => stdout.trim().split("\n"));
    expect(ids.length).toBe(20_000);
    expect(new Set(ids).size).toBe(20_000);
  });
});
