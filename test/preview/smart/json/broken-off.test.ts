import { describe, expect, it } from "vitest";
import { createAccumulator } from "../../../../src/preview/accumulator.ts";
import { preview } from "../../../../src/preview/preview.ts";

/** Strings hold no brackets, so that those of a preview can be counted. */
const record = (at: number): object => ({
  id: `job-${at}`,
  ok: at % 7 !== 3,
  took: at * 1.5e3,
  note: `the "note" of ${at}: caf\u00e9 \u{1f600} \\ ${"long ".repeat(at % 11)}`,
  steps: at % 5 === 0 ? [[1, 2], [{ name: `step ${at}` }], []] : [],
  ...(at === 31 ? { error: "disk full" } : {}),
});
const records = Array.from({ length: 90 }, (_, at) => record(at));
const FORMS: Readonly<Record<string, string>> = {
  array: JSON.stringify(records),
  indented: JSON.stringify({ version: 3, results: records, done: true }, null, 2),
  nested: JSON.stringify({ a: { b: { c: [[[records]]] } } }),
  lines: records.map((one) => JSON.stringify(one)).join("\n"),
  map: JSON.stringify(Object.fromEntries(records.map((one, at) => [`key ${at}`, one]))),
  numbers: JSON.stringify(Array.from({ length: 4000 }, (_, at) => at * 1.25)),
};

/** Brackets that are open at the end of a JSON text, and whether a string is. */
function openAt(text: string): { readonly depth: number; readonly inString: boolean } {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (inString) {
      if (sign === "\\") at++;
      else if (sign === '"') inString = false;
    } else if (sign === '"') inString = true;
    else if ("[{".includes(sign)) depth++;
    else if ("]}".includes(sign)) depth--;
  }
  return { depth, inString };
}

/** Brackets that the drawn lines open and do not close. */
function openIn(shown: string): number {
  const drawn = shown.split("\n").filter((line) => !line.startsWith("[preview of JSON"));
  const signs = [...drawn.join("\n")];
  return signs.filter((sign) => "[{".includes(sign)).length - signs.filter((sign) => "]}".includes(sign)).length;
}

describe.each(Object.entries(FORMS))("JSON that breaks off: %s", (_, whole) => {
  const cuts = Array.from({ length: 60 }, (_, at) => Math.floor(whole.length * (0.3 + (0.7 * at) / 60)) + at);

  it.each([900, 3000])("says so and closes nothing that the output does not close, in %i bytes", (maxBytes) => {
    for (const cut of cuts) {
      const text = whole.slice(0, cut).toWellFormed();
      const { depth, inString } = openAt(text);
      const { text: shown, shape } = preview(text, { strategy: "smart", maxBytes });
      expect(shape, `cut at ${cut}`).toBe("json");
      expect(/^\[preview of JSON: .*breaks off/.test(shown), `cut at ${cut}`).toBe(depth > 0 || inString);
      expect(shown.endsWith("… the output breaks off here …"), `cut at ${cut}`).toBe(depth > 0 || inString);
      const open = openIn(shown);
      expect(open, `cut at ${cut}\n${shown}`).toBeLessThanOrEqual(depth);
      if (_ !== "lines") expect(open, `cut at ${cut}\n${shown}`).toBeGreaterThanOrEqual(Math.min(1, depth));
    }
  });

  it("does not say so of the whole", () => {
    const { text } = preview(whole, { strategy: "smart", maxBytes: 2000 });
    expect(text).not.toContain("breaks off");
    expect(openIn(text)).toBe(0);
  });

  it("is the same in any chunks", () => {
    const bytes = new TextEncoder().encode(whole.slice(0, -17));
    const inChunks = (size: number): string => {
      const accumulator = createAccumulator({ limits: { maxBytes: 2000 }, strategy: "smart" });
      for (let at = 0; at < bytes.length; at += size) accumulator.write(bytes.subarray(at, at + size));
      return accumulator.finish().text;
    };
    const expected = inChunks(bytes.length);
    for (const size of [1, 13, 4096, 8192]) expect(inChunks(size)).toBe(expected);
  });
});

describe("JSON that breaks off in a small output", () => {
  const whole = JSON.stringify(records.slice(0, 12));

  it.each(Array.from({ length: 50 }, (_, at) => whole.length - 1 - at * 7))("at byte %i", (cut) => {
    const text = whole.slice(0, cut).toWellFormed();
    const { text: shown } = preview(text, { strategy: "smart", maxBytes: 700 });
    expect(shown).toMatch(/^\[preview of JSON: .*breaks off/);
    expect(openIn(shown)).toBeGreaterThanOrEqual(1);
  });
});
