import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemorySource } from "../../src/artifacts/byte-source.ts";
import { readPart } from "../../src/artifacts/read-lines.ts";

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 2000, size: "max" }),
  fc
    .array(fc.constantFrom("\n", "\r\n", "a", "é", "漢", "🙂", "some words "), { maxLength: 800, size: "max" })
    .map((parts) => parts.join("")),
);

async function readAll(bytes: Uint8Array, maxBytes: number) {
  const source = createMemorySource(bytes);
  const first = await readPart(source, { part: 1, maxBytes });
  const rest = Array.from({ length: first.parts - 1 }, (_, at) => readPart(source, { part: at + 2, maxBytes }));
  return [first, ...(await Promise.all(rest))];
}

describe("all of an output in parts", () => {
  it("has each byte exactly once, in as many parts as the first says, none above the budget", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.integer({ min: 1, max: 500 }), async (text, maxBytes) => {
        const bytes = Buffer.from(text.toWellFormed?.() ?? Buffer.from(text).toString());
        const parts = await readAll(bytes, maxBytes);
        expect(Buffer.concat(parts.map((part) => Buffer.from(part.text)))).toEqual(bytes);
        for (const [at, part] of parts.entries()) {
          expect(part).toMatchObject({ part: at + 1, parts: parts.length, totalBytes: bytes.length });
          expect(part.startByte).toBe(at === 0 ? 0 : parts[at - 1]?.endByte);
          expect(part.endByte - part.startByte).toBeLessThanOrEqual(Math.max(32, maxBytes));
          if (bytes.length > 0) expect(part.endByte).toBeGreaterThan(part.startByte);
        }
      }),
    );
  });

  it("covers bytes that are no text too", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2000, size: "max" }),
        fc.integer({ min: 1, max: 300 }),
        async (bytes, room) => {
          const parts = await readAll(bytes, room);
          expect(parts.at(-1)?.endByte).toBe(bytes.length);
          for (const [at, part] of parts.entries()) expect(part.startByte).toBe(at === 0 ? 0 : parts[at - 1]?.endByte);
        },
      ),
    );
  });

  it("ends with a line where one ends near the limit", async () => {
    const rows = Array.from({ length: 500 }, (_, at) => `row ${at}\n`).join("");
    const parts = await readAll(Buffer.from(rows), 1000);
    expect(parts.length).toBeGreaterThan(4);
    for (const { text } of parts) expect(text).toMatch(/^row \d+\n[\s\S]*\n$/);
  });

  it("names how many parts there are instead of one too many", async () => {
    await expect(readPart(createMemorySource(Buffer.from("abc")), { part: 2, maxBytes: 100 })).rejects.toThrow(
      "There is no part 2: it has 1 part.",
    );
    expect(await readPart(createMemorySource(Buffer.of()), { part: 1, maxBytes: 100 })).toMatchObject({ text: "" });
  });
});
