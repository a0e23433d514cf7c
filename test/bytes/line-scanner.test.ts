import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DOUBTFUL, END_SHIFT, MENTIONS, PARENTHESIS, SIGNS, WIDE } from "../../src/bytes/line-scan-code.ts";
import { type LineScanner, OutputScanner } from "../../src/bytes/line-scanner.ts";
import { SCAN_BYTES } from "../../src/bytes/scan-steps.ts";

const LARGE = 2_000_000;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const letters = (text: string): number[][] => [...bytesOf(text)].map((byte) => [byte]);

interface Scanned {
  readonly text: string;
  readonly flags: number;
}

/** Every line with its flags, however many scans that takes. */
function scanAll(scanner: LineScanner, bytes: Uint8Array): Scanned[] {
  const lines: Scanned[] = [];
  let start = 0;
  for (let from = 0; from < bytes.length; from += SCAN_BYTES) {
    const count = scanner.scan(bytes, from, from > 0);
    for (const packed of scanner.ends.slice(0, count)) {
      const end = from + (packed >>> END_SHIFT);
      lines.push({
        text: new TextDecoder().decode(bytes.subarray(start, end)),
        flags: packed & ((1 << END_SHIFT) - 1),
      });
      start = end;
    }
  }
  return lines;
}

function asking(...words: string[]): LineScanner {
  return new OutputScanner({ beginnings: words.map(letters) }).after(LARGE) as LineScanner;
}

describe("a line scanner", () => {
  const plain = new OutputScanner(undefined).after(LARGE) as LineScanner;

  it("is not made at the beginning of an output", () => {
    expect(new OutputScanner(undefined).after(1000)).toBeUndefined();
  });

  it("ends lines where their newlines stand, over the edges of what it reads at once", () => {
    for (const length of [1, 15, 16, 17, 31, 32, 33, SCAN_BYTES - 1, SCAN_BYTES, SCAN_BYTES + 1, 200_000]) {
      const text = `${"x".repeat(length - 1)}\n\n${"yz\n".repeat(5)}`;
      expect(scanAll(plain, bytesOf(text)).map((line) => line.text)).toEqual(text.split(/(?<=\n)/));
    }
  });

  it("doubts every byte that may be or begin what a terminal does not show, in its line only", () => {
    for (let byte = 0; byte < 256; byte++) {
      for (const at of [0, 13, 14, 15, 16, 30]) {
        const line = new Uint8Array(32).fill(0x61);
        line[at] = byte;
        const bytes = new Uint8Array([...bytesOf("before\n"), ...line, ...bytesOf("\nafter\n")]);
        const doubted = byte !== 9 && byte !== 10 && (byte < 32 || byte === 0x7f || byte >= 0xf0);
        const flags = scanAll(plain, bytes).map((one) => one.flags);
        expect(flags).toEqual(byte === 10 ? [0, 0, 0, 0] : [0, doubted ? DOUBTFUL : 0, 0]);
      }
    }
  });

  it("tells control characters of two bytes from letters", () => {
    expect(scanAll(plain, bytesOf("a\u0085b\na\u00a0b\na\u009fb\né\n")).map((one) => one.flags)).toEqual([2, 0, 2, 0]);
  });

  it("flags the lines that hold a beginning, wherever it stands", () => {
    for (let at = 0; at < 40; at++) {
      const line = `${".".repeat(at)}time${".".repeat(40 - at)}\n`;
      const flags = scanAll(asking("time"), bytesOf(`tim\n${line}ime\n`)).map((one) => one.flags);
      expect(flags).toEqual([0, MENTIONS, 0]);
    }
  });

  it("flags the signs of source, wherever they stand, and nothing else", () => {
    const scanner = new OutputScanner(undefined, { signs: true }).after(LARGE) as LineScanner;
    const signs = { "(": PARENTHESIS, "/*": SIGNS, "*/": SIGNS, ": /": SIGNS, '"""': SIGNS, "'''": SIGNS };
    const plain = ["a / b * c", ")", "::", ": a /", "\"'\"'", "// a"];
    for (let at = 0; at < 40; at++) {
      const spread = (sign: string): string => `${".".repeat(at)}${sign}${".".repeat(40 - at)}`;
      const lines = [...Object.keys(signs), ...plain].map(spread);
      const flags = scanAll(scanner, bytesOf(lines.map((one) => `${one}\n`).join(""))).map((one) => one.flags);
      expect(flags).toEqual([...Object.values(signs), ...plain.map(() => 0)]);
    }
  });

  it("looks for words and signs together", () => {
    const question = { beginnings: [letters("time")] };
    const scanner = new OutputScanner(question, { signs: true }).after(LARGE) as LineScanner;
    const flags = scanAll(scanner, bytesOf("time\ntime(\n/* \u00e9\n(\n")).map((one) => one.flags);
    expect(flags).toEqual([MENTIONS, MENTIONS | PARENTHESIS, SIGNS | WIDE, PARENTHESIS]);
  });

  it("never misses one, of many words and of any length", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "é"), minLength: 1, maxLength: 6 });
    const line = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "é"), maxLength: 40 });
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 20 }),
        fc.array(line, { maxLength: 40 }),
        (words, lines) => {
          const scanned = scanAll(asking(...words), bytesOf(lines.map((one) => `${one}\n`).join("")));
          expect(scanned).toHaveLength(lines.length);
          for (const { text, flags } of scanned) {
            if (words.some((one) => text.includes(one))) expect(flags & MENTIONS).toBe(MENTIONS);
          }
        },
      ),
    );
  });
});
