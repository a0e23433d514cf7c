import { describe, expect, it } from "vitest";
import { createAccumulator } from "../../src/preview/accumulator.ts";
import { measure } from "../../src/preview/measure.ts";
import { preview } from "../../src/preview/preview.ts";
import { loadTokenizer } from "../../src/preview/tokenizer.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

describe("preview", () => {
  it.each(["", "one line", "a\nb\n", "\n", "crlf\r\n"])("gives %j back untouched", (text) => {
    expect(preview(text)).toMatchObject({ text, truncated: false, omissions: [], kept: measure(text) });
  });

  it("counts 2,000 lines as 2,000, with and without a final newline", () => {
    const text = numbered(2000).join("\n");
    expect(preview(text).truncated).toBe(false);
    expect(preview(`${text}\n`).truncated).toBe(false);
    expect(preview(`${text}\nx`).truncated).toBe(true);
    expect(preview(`${text}\n\n`).truncated).toBe(true);
  });

  it("holds exactly 51,200 bytes", () => {
    expect(preview("x".repeat(51_200)).truncated).toBe(false);
    expect(preview("x".repeat(51_201)).truncated).toBe(true);
    expect(preview("漢".repeat(17_067)).truncated).toBe(true);
  });

  it("keeps the head and says exactly what is left out", () => {
    const result = preview(numbered(10).join("\n"), { maxLines: 4 });
    expect(result.text).toBe("line 1\nline 2\nline 3\n… 7 lines (49 characters) omitted: lines 4-10 …");
    expect(result.omissions).toEqual([
      { lines: 7, bytes: 49, chars: 49, startLine: 4, endLine: 10, startByte: 21, endByte: 70 },
    ]);
    expect(result.kept).toEqual({ lines: 3, bytes: 21, chars: 21 });
  });

  it("keeps the tail", () => {
    expect(preview(numbered(10).join("\n"), { maxLines: 3, strategy: "tail" }).text).toBe(
      "… 8 lines (56 characters) omitted: lines 1-8 …\nline 9\nline 10",
    );
  });

  it("keeps both ends, half and half by lines", () => {
    expect(preview(numbered(10).join("\n"), { maxLines: 5, strategy: "head_tail" }).text).toBe(
      "line 1\nline 2\n… 6 lines (42 characters) omitted: lines 3-8 …\nline 9\nline 10",
    );
  });

  it("keeps 40 % and 40 % of 8,000 characters when head_tail has no limit", () => {
    const text = "0123456789".repeat(2000);
    const result = preview(text, { strategy: "head_tail" });
    const [omission] = result.omissions;
    expect(omission).toMatchObject({ chars: 20_000 - 6400, startByte: 3200, endByte: 16_800 });
    expect(result.text).toBe(
      `${text.slice(0, 3200)} … 13,600 characters of line 1 omitted: bytes 3200-16800 … ${text.slice(-3200)}`,
    );
  });

  it("counts lines and characters in the marker of head_tail", () => {
    const text = numbered(3000).join("\n");
    const result = preview(text, { strategy: "head_tail" });
    const [omission] = result.omissions;
    expect(result.text).toContain(
      `… ${omission?.lines.toLocaleString("en-US")} lines (${omission?.chars.toLocaleString("en-US")} characters) omitted: lines ${omission?.startLine}-${omission?.endLine} …`,
    );
    expect(measure(result.text).lines).toBeLessThanOrEqual(500);
    expect(result.text.length).toBeLessThanOrEqual(8000);
  });

  it("shows both ends of a line that is too long, and its byte range", () => {
    const text = `first\n${"a".repeat(500)}${"b".repeat(500)}\nlast`;
    const { text: shown, omissions } = preview(text, { maxBytes: 300 });
    expect(shown).toMatch(
      /^first\na{30,} … \d+ characters of line 2 omitted: bytes \d+-\d+ … b{30,}\n… 1 line \(4 characters\) omitted: line 3 …$/,
    );
    const [inLine, rest] = omissions;
    expect(inLine).toMatchObject({ lines: 0, startLine: 2, endLine: 2 });
    expect(text.slice(inLine?.startByte, inLine?.endByte)).toMatch(/^a+b+$/);
    expect(text.slice(rest?.startByte, rest?.endByte)).toBe("last");
  });

  it("names bytes, not lines, when a region starts inside a line of which no end is shown", () => {
    const long = 1_000_000;
    const { text, omissions, kept } = preview(`top\n${"z".repeat(long)}\n${"next\n".repeat(10)}`, { maxBytes: 180 });
    expect(text).toMatch(/^top\nz+\n… 10 lines \(.*\) omitted: bytes \d+-1000055 …$/);
    expect(omissions).toHaveLength(1);
    expect(omissions[0]).toMatchObject({ lines: 10, startLine: 2, endLine: 12, endByte: long + 55 });
    expect(kept.lines).toBe(2);
  });

  describe("a long line of which memory holds one end only", () => {
    const line = (first: string, last: string) => `${first}${"-".repeat(3_000_000)}${last}`;
    const short = Array.from({ length: 20_000 }, (_, index) => `row ${index}`).join("\n");
    const text = `top\n${line("ONE", "TWO")}\n${short}\n${line("THREE", "FOUR")}\nbottom\n`;
    const marker = (row: number) => `… [\\d,]+ characters of line ${row} omitted: bytes \\d+-\\d+ …`;
    const first = `top\\nONE-+ ${marker(2)} -+TWO`;
    const last = `THREE-+ ${marker(20_003)} -+FOUR\\nbottom`;

    it.each([
      ["head", `^${first}\\n… .* lines 3-20004 …$`],
      ["tail", `^… .* lines 1-20002 …\\n${last}$`],
      ["head_tail", `^${first}\\n… 20,000 lines .* lines 3-20002 …\\n${last}$`],
    ] as const)("shows both ends of it by %s", (strategy, shape) => {
      const result = preview(text, { strategy, maxBytes: 2000 });
      expect(result.text).toMatch(new RegExp(shape));
      for (const { startByte, endByte, lines } of result.omissions)
        if (lines === 0) expect(text.slice(startByte, endByte)).toMatch(/^-+$/);
    });
  });

  it("cuts neither a code point nor an escape sequence", () => {
    for (let maxBytes = 1; maxBytes < 200; maxBytes++) {
      const text = preview("😀\u001b[31m漢é".repeat(200), { maxBytes }).text;
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/\ufffd|\u001b|\[31|31m/);
    }
  });

  it("leaves the text empty and the facts typed when a limit holds nothing", () => {
    const result = preview("漢字", { maxBytes: 1 });
    expect(result).toMatchObject({ text: "", truncated: true, kept: { bytes: 0 } });
    expect(result.omissions).toMatchObject([{ lines: 1, bytes: 6, chars: 2 }]);
  });

  it("removes formatting from what it shows, and may then show all of it", () => {
    const result = preview("\u001b[31mred\u001b[0m\n".repeat(30), { maxBytes: 200 });
    expect(result.text).toBe(Array(30).fill("red").join("\n"));
    expect(result).toMatchObject({ truncated: true, omissions: [] });
  });

  it("collapses progress to its last state", () => {
    const progress = Array.from({ length: 5000 }, (_, index) => `${index / 50}%`).join("\r");
    expect(preview(`${progress}\rdone\nnext`, { maxBytes: 100 }).text).toBe("done\nnext");
  });

  it.each([0, -1, NaN, 1.5, "50KB", "1e3"])("refuses a limit of %s", (maxLines) => {
    expect(() => preview("text", { maxLines: maxLines as number })).toThrow(/^maxLines must be a whole number/);
  });

  it("refuses what is not a text, and an unknown strategy", () => {
    expect(() => preview(5 as never)).toThrow(/takes a string/);
    expect(() => preview("x", { strategy: "middle" as never })).toThrow(/^strategy must be one of/);
  });

  it("holds one line of 100 MB in bounded memory", () => {
    const accumulator = createAccumulator({
      strategy: "head_tail",
      limits: { maxLines: 2000, maxBytes: 51_200, maxChars: Infinity, maxTokens: Infinity },
    });
    const chunk = new Uint8Array(1 << 20).fill(0x78);
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 100; count++) accumulator.write(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20);
    const result = accumulator.finish();
    expect(result.source).toEqual({ lines: 1, bytes: 100 << 20, chars: 100 << 20 });
    expect(measure(result.text).bytes).toBeGreaterThan(40_000);
    expect(result.text).toMatch(/^x+ … [\d,]+ characters of line 1 omitted: bytes \d+-\d+ … x+$/);
  });
});

describe("token limits", () => {
  it("hold with an exact counter", async () => {
    const countTokens = await loadTokenizer();
    const text = numbered(4000).join("\n");
    for (const strategy of ["head", "tail", "head_tail"] as const) {
      const result = preview(text, { maxTokens: 500, strategy, countTokens });
      expect(countTokens(result.text)).toBeLessThanOrEqual(500);
      expect(countTokens(result.text)).toBeGreaterThan(300);
    }
    expect(preview("short", { maxTokens: 5, countTokens }).truncated).toBe(false);
    expect(preview("one two three four five six", { maxTokens: 5, countTokens }).truncated).toBe(true);
  });

  it("count a run of one character without delay, and a long text by samples", async () => {
    const countTokens = await loadTokenizer();
    expect(countTokens("a".repeat(200_000))).toBeGreaterThan(10_000);
    const sentence = "The quick brown fox jumps over the lazy dog. ";
    const exact = countTokens(sentence.repeat(1000)) * 10;
    const sampled = countTokens(sentence.repeat(10_000));
    expect(Math.abs(sampled - exact) / exact).toBeLessThan(0.02);
  });
});
