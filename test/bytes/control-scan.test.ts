import { describe, expect, it } from "vitest";
import { lacksControls } from "../../src/bytes/control-scan.ts";

const LARGE = 2_000_000;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("lacksControls", () => {
  it("is not sure of anything at the beginning of an output", () => {
    expect(lacksControls(bytesOf("plain\n"), 0)).toBe(false);
  });

  it("knows text without control characters, of any length", () => {
    for (const length of [0, 1, 15, 16, 17, 65_535, 65_536, 65_537, 200_000]) {
      expect(lacksControls(bytesOf("a\tb ~é…\n".repeat(length).slice(0, length)), LARGE)).toBe(true);
    }
  });

  it("doubts every byte that may be or begin one, wherever it stands", () => {
    for (const at of [0, 1, 15, 16, 40, 65_535, 65_536, 65_599]) {
      for (let byte = 0; byte < 256; byte++) {
        const bytes = new Uint8Array(65_600).fill(0x61);
        bytes[at] = byte;
        expect(lacksControls(bytes, LARGE)).toBe(
          byte === 9 || byte === 10 || (byte >= 32 && byte < 0xf0 && byte !== 0x7f && byte !== 0xc2),
        );
      }
    }
  });
});
