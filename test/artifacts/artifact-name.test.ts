import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  artifactIdTime,
  createArtifactId,
  createArtifactName,
  parseArtifactName,
} from "../../src/artifacts/artifact-name.ts";

const id = createArtifactId(Date.UTC(2026, 0, 13, 15, 30, 45, 678));

describe("artifact names", () => {
  it("hold time, tool, call id and id", () => {
    const name = createArtifactName({ id, tool: "Bash", callId: "toolu_01AbC", extension: "json" });
    expect(name).toBe(`tool_20260113_153045_Bash_toolu_01AbC_${id}.json`);
    expect(parseArtifactName(name)).toEqual({
      id,
      label: "Bash_toolu_01AbC",
      extension: "json",
      time: Date.UTC(2026, 0, 13, 15, 30, 45, 678),
    });
  });

  it("keep underscores, as in read_file, and leave an absent call id out", () => {
    expect(createArtifactName({ id, tool: "read_file" })).toBe(`tool_20260113_153045_read_file_${id}.txt`);
  });

  it.each([
    ["../../x", "x"],
    ["CON", "CON"],
    ["", "tool"],
    ["...", "tool"],
    ["工具", "tool"],
    ["a:b*c?d", "a-b-c-d"],
    ["x".repeat(400), "x".repeat(48)],
    ["name\0with\nthings", "name-with-things"],
  ])("turn the tool %j into %j", (tool, label) => {
    expect(parseArtifactName(createArtifactName({ id, tool }))?.label).toBe(label);
  });

  it("are legal on every system, bounded, and can be parsed, whatever their parts contain", () => {
    const anyText = fc.string({ unit: "binary", maxLength: 120, size: "max" });
    fc.assert(
      fc.property(anyText, fc.option(anyText, { nil: undefined }), anyText, (tool, callId, extension) => {
        const made = createArtifactId();
        const name = createArtifactName({ id: made, tool, callId, extension });
        expect(name).toMatch(/^tool_[A-Za-z0-9_-]+\.[a-z0-9]{1,10}$/);
        expect(name.length).toBeLessThanOrEqual(180);
        expect(parseArtifactName(name)).toMatchObject({ id: made, time: artifactIdTime(made) });
      }),
    );
  });

  it("are not taken from others' files that look alike", () => {
    const name = createArtifactName({ id, tool: "Bash" });
    for (const other of [
      "tool_20260113_153045_Read.json",
      name.replace("153045", "153046"),
      `${name}.bak`,
      name.replace("tool_", "Tool_"),
      `x${name}`,
      "tool_abc",
      "",
    ]) {
      expect([other, parseArtifactName(other)]).toEqual([other, undefined]);
    }
  });
});
