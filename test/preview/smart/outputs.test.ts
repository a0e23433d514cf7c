import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { keptKeys } from "../../../bench/quality/kept-keys.mjs";
import { preview } from "../../../src/preview/index.ts";
import { PROJECT } from "../../support/build.ts";

/** One output of a real tool, and what a reader must find in its preview. */
interface Label {
  readonly file: string;
  readonly shape: string;
  readonly needles: readonly string[];
  readonly query?: string;
}

const FOLDER = join(PROJECT, "test", "fixtures", "outputs");
const labels: readonly Label[] = JSON.parse(readFileSync(join(FOLDER, "labels.json"), "utf8"));

/** The share of what must be found that is found in previews of 4 KB, or a quarter of the output; never to be lowered. */
const FLOORS: Readonly<Record<string, number>> = {
  csv: 1,
  diff: 1,
  grep: 1,
  html: 1,
  json: 1,
  listing: 1,
  log: 1,
  "test run": 1,
};

/** These are read alike, and told apart by what was kept of them. */
const LOGS: ReadonlySet<string> = new Set(["log", "test run", "trace"]);

/** True when a text stands in a preview, or below the line that names its folder. */
function isShown(text: string, shown: string): boolean {
  return shown.includes(text) || keptKeys([{ line: 1, text }], shown)[0] === true;
}

const found = labels.map((label) => {
  const text = gunzipSync(readFileSync(join(FOLDER, label.file))).toString("utf8");
  const maxBytes = Math.min(4096, Math.floor(Buffer.byteLength(text) / 4));
  const shown = preview(text, { strategy: "smart", maxBytes, query: label.query });
  return { ...label, shown, maxBytes, missed: label.needles.filter((text) => !isShown(text, shown.text)) };
});

describe("outputs of real tools", () => {
  it("are there for every shape", () => {
    expect(labels.length).toBeGreaterThanOrEqual(30);
    expect([...new Set(labels.map(({ shape }) => shape))].sort()).toEqual(Object.keys(FLOORS));
  });

  it.each(found)("$file is read as $shape", ({ shown, shape, maxBytes }) => {
    expect(shown.truncated).toBe(true);
    expect(LOGS.has(shown.shape ?? "") ? LOGS.has(shape) : shown.shape === shape).toBe(true);
    expect(Buffer.byteLength(shown.text)).toBeLessThanOrEqual(maxBytes);
  });

  it.each(Object.entries(FLOORS))("of shape %s show what matters, at least %f of it", (shape, floor) => {
    const ofShape = found.filter((each) => each.shape === shape);
    const wanted = ofShape.reduce((sum, { needles }) => sum + needles.length, 0);
    const missed = ofShape.flatMap((each) => each.missed.map((needle) => `${each.file}: ${needle}`));
    expect(1 - missed.length / wanted, missed.join("\n")).toBeGreaterThanOrEqual(floor);
  });
});

/** Outputs of more tools, labelled before a preview of them was seen. */
const tools: readonly Omit<Label, "shape">[] = JSON.parse(readFileSync(join(FOLDER, "tools.json"), "utf8"));
/** Twenty failures with a traceback each are too many for 4 KB; never to grow. */
const TOO_MANY: ReadonlySet<string> = new Set(["unittest-many.txt.gz"]);

describe.each([8000, 4096])("outputs of more tools in %i bytes", (maxBytes) => {
  it.each(tools)("$file shows what matters", ({ file, needles, query }) => {
    const text = gunzipSync(readFileSync(join(FOLDER, file))).toString("utf8");
    const shown = preview(text, { strategy: "smart", maxBytes, query }).text;
    const missed = needles.filter((needle) => !shown.includes(needle));
    expect(missed.length).toBeLessThanOrEqual(maxBytes < 8000 && TOO_MANY.has(file) ? 11 : 0);
  });
});
