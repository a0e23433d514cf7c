import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { STRATEGIES } from "../../../src/limits/types.ts";
import { createAccumulator } from "../../../src/preview/accumulator.ts";
import { contentOf } from "../../../src/preview/binary/describe-binary.ts";
import type { Preview, Strategy } from "../../../src/preview/index.ts";

const LIMITS = { maxLines: 2000, maxBytes: 3000, maxChars: Infinity, maxTokens: Infinity };

function show(bytes: Uint8Array, strategy: Strategy = "head", limits = LIMITS, step = 65_536): Preview {
  const accumulator = createAccumulator({ limits, strategy });
  for (let at = 0; at < bytes.length; at += step) accumulator.write(bytes.subarray(at, at + step));
  return accumulator.finish();
}

const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
/** Bytes without a pattern, the same on every day. */
const noise = (bytes: number): Buffer => {
  const all = Buffer.alloc(bytes);
  let state = 1;
  for (let at = 0; at < bytes; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    all[at] = state >>> 24;
  }
  return all;
};

describe("an output that is no text", () => {
  it.each(STRATEGIES)("says what it is, how large, and what can be read in it (%s)", (strategy) => {
    const program = readFileSync(process.execPath).subarray(0, 200_000);
    const { text, truncated, shape, kept, omissions } = show(program, strategy);
    expect(truncated).toBe(true);
    expect(shape).toBe("binary");
    expect(text).toMatch(/^\[binary output: (?:ELF|Mach-O|Windows) .*, 200,000 bytes\]/);
    expect(text).toMatch(/^\[readable in it:\]\n(?:[ -~]{6,}\n?)+$/m);
    expect(text).not.toContain("\ufffd");
    expect(kept).toEqual({ lines: 0, bytes: 0, chars: 0 });
    expect(omissions.map(({ bytes }) => bytes)).toEqual([200_000]);
  });

  it.each([
    ["gzip data", gzipSync(noise(20_000))],
    ["of no known type", noise(20_000)],
    ["of no known type", deflateSync(noise(20_000))],
    ["tar archive", Buffer.concat([Buffer.alloc(257, "a"), Buffer.from("ustar"), Buffer.alloc(4000)])],
    ["PNG image", Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"), noise(9000)])],
  ])("knows %s by its first bytes", (type, bytes) => {
    const { text } = show(bytes);
    expect(text.split("\n")[0]).toBe(`[binary output: ${type}, ${bytes.length.toLocaleString("en-US")} bytes]`);
  });

  it("is left as it is within the limits", () => {
    const bytes = noise(500);
    expect(show(bytes)).toMatchObject({ truncated: false, text: bytes.toString("utf8") });
  });

  it("decodes the beginning of UTF-16 text, and counts exactly what it shows", () => {
    const bytes = utf16(Array.from({ length: 3000 }, (_, index) => `line ${index + 1} of größe 日本`).join("\r\n"));
    const { text, kept, omissions } = show(bytes);
    const lines = text.split("\n");
    expect(lines[0]).toBe(
      `[UTF-16 text, little endian, ${bytes.length.toLocaleString("en-US")} bytes; its beginning, decoded:]`,
    );
    expect(lines[1]).toBe("line 1 of größe 日本");
    const last = `${lines.at(-1)}\r\n`;
    const shown = bytes.indexOf(Buffer.from(last, "utf16le")) + 2 * last.length;
    expect(kept.bytes).toBe(shown);
    expect(omissions).toMatchObject([{ startByte: shown, endByte: bytes.length }]);
    expect(show(Buffer.from(bytes).swap16()).text.split("\n")[1]).toBe(lines[1]);
  });

  it("is told from text in another encoding", () => {
    const bytes = Buffer.from(Array.from({ length: 9000 }, (_, at) => (at % 8 === 7 ? 32 : 0xe0 + (at % 30))));
    expect(show(bytes).text).toBe("[text in an encoding other than UTF-8: 9,000 bytes]");
  });

  it("exceeds no limit, adds up, and is the same whatever the chunks", () => {
    const limits = fc.record({
      maxLines: fc.integer({ min: 1, max: 20 }),
      maxBytes: fc.integer({ min: 1, max: 600 }),
      maxChars: fc.integer({ min: 1, max: 600 }),
      maxTokens: fc.constant(Infinity),
    });
    const bytes = fc.constantFrom(noise(2000), utf16("a line\n".repeat(300)), gzipSync(noise(3000)));
    fc.assert(
      fc.property(bytes, limits, fc.constantFrom(...STRATEGIES), (source, limit, strategy) => {
        const preview = show(source, strategy, limit);
        expect(Buffer.byteLength(preview.text)).toBeLessThanOrEqual(limit.maxBytes);
        expect(preview.text.length).toBeLessThanOrEqual(limit.maxChars);
        expect(preview.text.split("\n").length).toBeLessThanOrEqual(limit.maxLines);
        for (const unit of ["lines", "bytes", "chars"] as const) {
          const omitted = preview.omissions.reduce((sum, omission) => sum + omission[unit], 0);
          expect(preview.kept[unit] + omitted).toBe(preview.source[unit]);
        }
        expect(show(source, strategy, limit, 7)).toEqual(preview);
      }),
    );
  });
});

describe("text", () => {
  it.each([
    ["source with a stray byte", Buffer.concat([Buffer.from("const a = 1;\n".repeat(50)), Buffer.from([0xff, 0])])],
    ["names that end with a NUL", Buffer.from("src/a.ts\0src/b.ts\0".repeat(200))],
    ["colours and progress", Buffer.from("\u001b[31mred\u001b[0m\rdone\b\b\t\n".repeat(100))],
    [
      "Chinese that the sample cuts within a character",
      Buffer.from("漢字かな交じり文".repeat(900)).subarray(0, 16_384),
    ],
    [
      "Latin-1 with accents",
      Buffer.from("r\u00e9sum\u00e9 d\u00e9j\u00e0 vu et cetera, et cetera\n".repeat(99), "latin1"),
    ],
    ["nothing", Buffer.alloc(0)],
  ])("%s is no binary", (_, bytes) => {
    expect(contentOf(bytes)).not.toBe("binary");
  });

  it("random bytes are no text", () => {
    expect(contentOf(randomBytes(5000))).toBe("binary");
  });
});
