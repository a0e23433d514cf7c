import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemorySource } from "../../src/artifacts/byte-source.ts";
import { decodeLineIndex, encodeLineIndex, INDEX_STRIDE, LineIndexBuilder } from "../../src/artifacts/line-index.ts";
import { findLineStart, readLinesFrom, readTextRange, scanLineIndex } from "../../src/artifacts/read-lines.ts";
import { countNewlines } from "../../src/bytes/count-newlines.ts";

const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 300, size: "max" }),
  fc.string({ unit: "grapheme", maxLength: 200, size: "max" }).map((text) => new TextEncoder().encode(text)),
  fc
    .array(fc.constantFrom("\n", "\r\n", "a", "é", "漢", "🙂", ""), { maxLength: 80 })
    .map((parts) => new TextEncoder().encode(parts.join(""))),
);

function splitLines(bytes: Uint8Array): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    lines.push(Buffer.from(bytes.subarray(start, end)));
    start = end;
  }
  return lines;
}

describe("counting newlines", () => {
  it("is the same as counting byte by byte, at any alignment", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000, max: 12, size: "max" }), fc.nat(7), (bytes, skip) => {
        const part = bytes.subarray(Math.min(skip, bytes.length));
        expect(countNewlines(part)).toBe(part.filter((byte) => byte === 10).length);
      }),
    );
    expect(countNewlines(new Uint8Array(100_003).fill(10))).toBe(100_003);
    const many = Uint8Array.from({ length: 200_000 }, (_, index) => (index * index) % 13);
    for (const [start, end] of [
      [0, 8192],
      [1, 65_537],
      [3, 131_100],
      [5, 199_999],
    ] as const) {
      const part = many.subarray(start, end);
      expect(countNewlines(part)).toBe(part.filter((byte) => byte === 10).length);
    }
  });
});

describe("lines by the index", () => {
  it("are the lines by splitting, for any bytes", async () => {
    await fc.assert(
      fc.asyncProperty(anyBytes, async (bytes) => {
        const source = createMemorySource(bytes);
        const index = await scanLineIndex(source);
        const lines = splitLines(bytes);
        expect(index.lines).toBe(lines.length);
        let start = 0;
        for (const [at, line] of lines.entries()) {
          const answer = await readLinesFrom(source, index, { offsetLine: at + 1, limit: 1, maxBytes: 5000 });
          expect(answer).toMatchObject({
            startByte: start,
            endByte: start + line.length,
            endLine: at + 1,
            lineCut: false,
          });
          expect(answer.text).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(line));
          start += line.length;
        }
      }),
      { numRuns: 60 },
    );
  });

  it("hold across checkpoints, whatever the chunks the index was built from", async () => {
    const long = "x".repeat(INDEX_STRIDE + 7);
    const text = `${Array.from({ length: 30_000 }, (_, at) => `line ${at + 1}`).join("\n")}\n${long}\nafter\n${"\n".repeat(300_000)}end`;
    const bytes = Buffer.from(text);
    const whole = await scanLineIndex(createMemorySource(bytes));
    const builder = new LineIndexBuilder();
    for (let at = 0, step = 1; at < bytes.length; at += step, step = (step * 31 + 7) % 70_001) {
      builder.add(bytes.subarray(at, at + step));
    }
    expect(builder.finish()).toEqual(whole);
    const index = decodeLineIndex(encodeLineIndex(whole));
    expect(index).toEqual(whole);
    const source = createMemorySource(bytes);
    const lines = text.split("\n");
    expect(whole.lines).toBe(lines.length);
    for (const line of [1, 2, 29_999, 30_000, 30_001, 30_002, 30_003, 200_000, lines.length - 1, lines.length]) {
      const start = await findLineStart(source, whole, line);
      const expected = Buffer.byteLength(lines.slice(0, line - 1).join("\n")) + (line > 1 ? 1 : 0);
      expect([line, start]).toEqual([line, expected]);
    }
    expect(await findLineStart(source, whole, lines.length + 1)).toBe(bytes.length);
  });

  it("refuse a damaged index file", async () => {
    const index = encodeLineIndex(await scanLineIndex(createMemorySource(Buffer.from("a\nb"))));
    expect(decodeLineIndex(index.subarray(0, index.length - 1))).toBe(undefined);
    for (let at = 0; at < index.length; at++) {
      const flipped = Uint8Array.from(index);
      flipped[at] = flipped[at]! ^ 1;
      expect(decodeLineIndex(flipped), `byte ${at}`).toBe(undefined);
    }
    expect(decodeLineIndex(new Uint8Array(0))).toBe(undefined);
    expect(decodeLineIndex(Buffer.from("something else entirely, but long enough to be one"))).toBe(undefined);
  });
});

describe("paging", () => {
  it("by lines of at most maxBytes gives back everything and splits no code point", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyBytes,
        fc.integer({ min: 4, max: 40 }),
        fc.integer({ min: 1, max: 5 }),
        async (bytes, maxBytes, limit) => {
          const source = createMemorySource(bytes);
          const index = await scanLineIndex(source);
          const valid = Buffer.from(bytes).toString("utf8");
          const isValid = Buffer.from(valid).equals(Buffer.from(bytes));
          let text = "";
          let covered = 0;
          for (let line = 1; line <= index.lines; ) {
            const answer = await readLinesFrom(source, index, { offsetLine: line, limit, maxBytes });
            expect(answer.endByte - answer.startByte).toBeLessThanOrEqual(maxBytes);
            expect(answer.startByte).toBe(covered);
            text += answer.text;
            covered = answer.endByte;
            line = answer.endLine + 1;
            if (!answer.lineCut) continue;
            const lineEnd = await findLineStart(source, index, line);
            while (covered < lineEnd) {
              const more = await readTextRange(source, {
                startByte: covered,
                endByte: Math.min(lineEnd, covered + maxBytes),
              });
              expect(more.endByte).toBeGreaterThan(covered);
              text += more.text;
              covered = more.endByte;
            }
          }
          expect(covered).toBe(bytes.length);
          if (isValid) expect(text).toBe(valid);
          expect(text.isWellFormed()).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("by byte ranges that follow one another gives the whole text, wherever they are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", maxLength: 60 }),
        fc.array(fc.nat(240), { maxLength: 8 }),
        async (text, cuts) => {
          const source = createMemorySource(Buffer.from(text));
          const places = [0, ...cuts.map((cut) => Math.min(cut, source.size)), source.size].sort((a, b) => a - b);
          let joined = "";
          for (const [at, startByte] of places.slice(0, -1).entries()) {
            joined += (await readTextRange(source, { startByte, endByte: places[at + 1] as number })).text;
          }
          expect(joined).toBe(text);
        },
      ),
    );
  });

  it("gives at least one code point even when maxBytes is smaller than it", async () => {
    const source = createMemorySource(Buffer.from("🙂🙂"));
    const answer = await readLinesFrom(source, await scanLineIndex(source), { offsetLine: 1, limit: 1, maxBytes: 1 });
    expect(answer).toMatchObject({ text: "🙂", endByte: 4, lineCut: true });
  });
});
