import { describe, expect, it } from "vitest";
import { createAccumulator } from "../../../../src/preview/accumulator.ts";
import { preview } from "../../../../src/preview/preview.ts";
import type { Preview } from "../../../../src/preview/types.ts";

const CHUNKS = [1, 7, 1000, 4096, 8192, 16_385, 65_536];
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
const encoder = new TextEncoder();

const DELIMITERS = { comma: ",", tab: "\t", semicolon: ";", bar: " | ", aligned: "" } as const;
type Form = keyof typeof DELIMITERS;

const STATES = {
  plain: ["running", "pending", "failed"],
  colored: ["\u001b[32mrunning\u001b[0m", "\u001b[33mpending\u001b[0m", "\u001b[1;31mfailed\u001b[0m"],
  wide: ["漢字".repeat(20), "é".repeat(70), "ok"],
  pairs: ["😀".repeat(40), `x${"😀".repeat(40)}`, "🏳️‍🌈"],
  controls: ["a\u0007b", "c\u0008\u0008d", "e\u0000f", "\u009b31mg"],
  longEscape: [`\u001b[${"1;".repeat(25)}31mlong\u001b[0m`, `${"y".repeat(58)}\u001b[31mred\u001b[0m`],
} as const;

/** A row: its number, a state, and as many letters as the row is long. */
function tableOf(form: Form, states: readonly string[], rowChars: number, bytes: number, eol = "\n"): string {
  const delimiter = DELIMITERS[form];
  const cellsOf = (cells: readonly string[]): string =>
    form === "aligned"
      ? `${(cells[0] ?? "").padEnd(8)}${(cells[1] ?? "").padEnd(90)}${cells[2]}`
      : cells.join(delimiter);
  const rows = [cellsOf(form === "aligned" ? ["ID", "STATE", "NOTE"] : ["id", "state", "note"])];
  const count = Math.max(30, Math.floor(bytes / (rowChars + 30)));
  for (let row = 0; row < count; row++) {
    const state = states[row % 11 === 3 ? 1 % states.length : row === count - 9 ? states.length - 1 : 0] ?? "";
    rows.push(cellsOf([String(row), state, "the note of a row ".repeat(Math.ceil(rowChars / 18)).slice(0, rowChars)]));
  }
  return rows.join(eol) + eol;
}

function chunked(bytes: Uint8Array, size: number, query = ""): Preview {
  const accumulator = createAccumulator({ limits: { maxBytes: 4000 }, strategy: "smart", query });
  for (let at = 0; at < bytes.length; at += size) accumulator.write(bytes.subarray(at, at + size));
  return accumulator.finish();
}

const CASES = Object.keys(DELIMITERS).flatMap((form) =>
  Object.keys(STATES).map((states) => [form as Form, states as keyof typeof STATES] as const),
);

describe("tables", () => {
  it.each(CASES)("%s, %s: no control characters, nothing cut within a character", (form, states) => {
    for (const rowChars of [4, 200, 5000]) {
      const { text, shape } = preview(tableOf(form, STATES[states], rowChars, 60_000), {
        strategy: "smart",
        maxBytes: 3000,
      });
      expect(shape === "binary" || text.isWellFormed()).toBe(true);
      expect(text.split("\n").filter((line) => CONTROL.test(line.replaceAll("\t", "")))).toEqual([]);
      expect(text.split("\n").filter((line) => /^\[(?:values|ranges):/.test(line) && CONTROL.test(line))).toEqual([]);
    }
  });

  it("counts a value by what is seen of it", () => {
    const text = tableOf("tab", STATES.colored, 10, 30_000);
    const shown = preview(text, { strategy: "smart", maxBytes: 3000 }).text;
    expect(shown).toMatch(/^\[values: .*state running ×\d+, pending ×\d+, failed ×1\b/m);
    const long = preview(tableOf("bar", STATES.pairs, 10, 30_000), { strategy: "smart", maxBytes: 3000 }).text;
    expect(long).toMatch(/^\[values: .*(?:😀){30}… ×\d+/mu);
  });

  it.each(CASES)("%s, %s: the same bytes give the same preview in any chunks", (form, states) => {
    for (const [rowChars, bytes, eol] of [
      [30, 12_000, "\n"],
      [900, 90_000, "\r\n"],
      [5000, 90_000, "\n"],
      [20_000, 650_000, "\n"],
    ] as const) {
      const encoded = encoder.encode(tableOf(form, STATES[states], rowChars, bytes, eol));
      const whole = chunked(encoded, encoded.length);
      for (const size of CHUNKS.filter((size) => size > 1 || bytes < 20_000)) {
        expect(chunked(encoded, size), `${rowChars} characters, chunks of ${size}`).toEqual(whole);
      }
    }
  });

  // Rows so long that chunks of a power of two hold the same text again and again.
  it.each([64, 128, 512, 1024, 2048, 4096])(
    "finds trouble in equal rows of %i bytes, whatever the chunks",
    (rowBytes) => {
      const row = (state: string): string => `1234567,${state},`.padEnd(rowBytes - 1, "x");
      const block = [row("good"), row("fine"), row("good"), row("failed"), row("good")];
      const header = "id,state,note".padEnd(rowBytes - 1, "s");
      const rows = [header, ...Array.from({ length: Math.ceil(300_000 / rowBytes) }, (_, at) => block[at % 4] ?? "")];
      const encoded = encoder.encode(`${rows.join("\n")}\n`);
      const whole = chunked(encoded, encoded.length);
      for (const size of [rowBytes, 2 * rowBytes, 4 * rowBytes, 4096, 8192, 65_536]) {
        expect(chunked(encoded, size), `chunks of ${size}`).toEqual(whole);
        expect(chunked(encoded, size, "which row is good"), `asked, chunks of ${size}`).toEqual(
          chunked(encoded, encoded.length, "which row is good"),
        );
      }
    },
  );
});
