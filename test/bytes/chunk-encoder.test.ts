import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChunkEncoder } from "../../src/bytes/chunk-encoder.ts";

function encodeAll(chunks: readonly (string | Uint8Array)[]): string {
  const encoder = new ChunkEncoder();
  const parts = chunks.map((chunk) => Uint8Array.from(encoder.encode(chunk)));
  return Buffer.concat([...parts, encoder.end()]).toString();
}

describe("ChunkEncoder", () => {
  it("gives the bytes of the text, wherever it is cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(40), (text, at) => {
        const chunks = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)];
        expect(encodeAll(chunks)).toBe(text.toWellFormed());
      }),
    );
  });

  it("puts half a character before the bytes that follow it", () => {
    expect(encodeAll(["a\ud83d", Buffer.from("B"), "\ude00c"])).toBe("a\ufffdB\ufffdc");
    expect(encodeAll(["a\ud83d"])).toBe("a\ufffd");
  });
});
