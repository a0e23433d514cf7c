import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeSlices } from "../../src/bytes/utf8.ts";
import { Counter, measure } from "../../src/preview/measure.ts";
import { chunked, cuts, outputBytes, outputText } from "../support/text.ts";

describe("measure", () => {
  it.each([
    ["", { lines: 0, bytes: 0, chars: 0 }],
    ["\n", { lines: 1, bytes: 1, chars: 1 }],
    ["a", { lines: 1, bytes: 1, chars: 1 }],
    ["a\n", { lines: 1, bytes: 2, chars: 2 }],
    ["a\nb", { lines: 2, bytes: 3, chars: 3 }],
    ["a\r\nb\r\n", { lines: 2, bytes: 6, chars: 6 }],
    ["漢😀", { lines: 1, bytes: 7, chars: 3 }],
    ["\ud800", { lines: 1, bytes: 3, chars: 1 }],
  ])("counts %j", (text, size) => {
    expect(measure(text)).toEqual(size);
  });

  it("agrees with Buffer and split, for any text", () => {
    fc.assert(
      fc.property(outputText, (text) => {
        const lines = text.split("\n").length - (text === "" || text.endsWith("\n") ? 1 : 0);
        expect(measure(text)).toEqual({ lines, bytes: Buffer.byteLength(text), chars: text.length });
      }),
    );
  });

  it("splits no surrogate pair between slices", () => {
    const text = `${"a".repeat(65_535)}😀b`;
    let decoded = "";
    for (const slice of encodeSlices(text)) decoded += Buffer.from(slice).toString();
    expect(decoded).toBe(text);
  });
});

describe("Counter", () => {
  it("counts any bytes in any chunks as the decoded whole", () => {
    fc.assert(
      fc.property(outputBytes, cuts, (bytes, cuts) => {
        const counter = new Counter();
        for (const chunk of chunked(bytes, cuts)) counter.write(chunk);
        counter.end();
        const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
        expect(counter.size).toEqual({ ...measure(text), bytes: bytes.length });
      }),
      { numRuns: 300 },
    );
  });

  it("counts in memory that starts at any address", () => {
    for (let offset = 0; offset < 8; offset++) {
      const counter = new Counter();
      counter.write(Buffer.from(`${"-".repeat(offset)}\n\n\u008aä\n\n\n12\n`).subarray(offset));
      expect(counter.size.lines).toBe(6);
    }
  });
});
