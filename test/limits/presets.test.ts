import { describe, expect, it } from "vitest";
import { createSpillway } from "../../src/gate/spillway.ts";
import { PRESETS, type PresetName } from "../../src/limits/defaults.ts";
import { preview } from "../../src/preview/preview.ts";
import { Truncate } from "../../src/truncate.ts";
import { temporaryFolder } from "../support/folder.ts";

const linesOf = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);
const isMarker = (line: string) => line.includes("omitted");

async function allTexts(text: string, name: PresetName): Promise<Record<string, string>> {
  const gate = createSpillway({ root: temporaryFolder("presets"), config: false, env: {}, ...PRESETS[name] });
  const byGate = await gate.govern(text);
  const byCall = await createSpillway({ root: gate.root, config: false, env: {} }).govern(text, PRESETS[name]);
  const start = process.cwd();
  process.chdir(gate.root);
  const { content } = await Truncate.output(text, PRESETS[name]).finally(() => process.chdir(start));
  return {
    preview: preview(text, PRESETS[name]).text,
    gate: byGate.kind === "bounded" ? byGate.preview.text : byGate.text,
    call: byCall.kind === "bounded" ? byCall.preview.text : byCall.text,
    truncate: content.split("\n\n...")[0] ?? "",
  };
}

describe("presets of both ends", () => {
  it.each([
    ["codex", 128, [257, 258, 300, 1000, 5000]],
    ["aider", 50, [101, 102, 150, 777, 20_000]],
  ] as const)(
    "%s keeps just %i lines of either end, with the marker between them on top",
    async (name, half, counts) => {
      for (const count of counts) {
        const lines = linesOf(count);
        for (const [way, text] of Object.entries(await allTexts(lines.join("\n"), name))) {
          const shown = text.split("\n");
          expect(shown.slice(0, half), `${way}, ${count}`).toEqual(lines.slice(0, half));
          expect(shown.slice(-half), `${way}, ${count}`).toEqual(lines.slice(-half));
          expect(shown.slice(half, -half).map(isMarker), `${way}, ${count}`).toEqual([true]);
        }
      }
    },
  );

  it.each([
    ["codex", 256],
    ["aider", 100],
  ] as const)("%s leaves %i lines as they are", async (name, count) => {
    const text = linesOf(count).join("\n");
    expect(Object.values(await allTexts(text, name))).toEqual([text, text, text, text]);
  });

  it("codex holds half of 10 KB at either end where bytes cut first", async () => {
    const lines = linesOf(200).map((line) => line.padEnd(99, "."));
    for (const text of Object.values(await allTexts(lines.join("\n"), "codex"))) {
      const shown = text.split("\n");
      const marker = shown.findIndex(isMarker);
      expect(shown.slice(0, marker)).toEqual(lines.slice(0, 51));
      expect(shown.slice(marker + 1)).toEqual(lines.slice(-51));
    }
  });
});

it.each(["config", "search"] as const)("%s keeps the head within the usual limits", async (name) => {
  const { gate = "", truncate } = await allTexts(linesOf(3000).join("\n"), name);
  expect(gate).toMatch(/^line 1\nline 2\n/);
  expect(truncate?.split("\n")).toHaveLength(2000);
});
