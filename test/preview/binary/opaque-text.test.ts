import { describe, expect, it } from "vitest";
import { createAccumulator, preview } from "../../../src/preview/index.ts";

const bytes = Buffer.from(Array.from({ length: 30_000 }, (_, at) => (at * 7919 + (at >> 3) * 31 + (at >> 7)) & 255));
const wrapped = (text: string, width: number, newline = "\n"): string =>
  text.replace(new RegExp(`(.{${width}})`, "g"), `$1${newline}`);
const pdf = Buffer.concat([Buffer.from("%PDF-1.7\n"), bytes]).toString("base64");
const script = Array.from({ length: 700 }, (_, at) => `function f${at}(a){return a.map(b=>b+${at})}`).join(";");
const shown = (text: string, query?: string): string =>
  preview(text, { strategy: "smart", maxBytes: 8000, ...(query === undefined ? {} : { query }) }).text;

const OPAQUE: readonly (readonly [name: string, text: string, told: string])[] = [
  ["base64 in one line", pdf, "[base64 data: PDF document, 40,012 bytes in 1 line]"],
  ["base64 in lines", wrapped(pdf, 76), "[base64 data: PDF document, 40,538 bytes in 527 lines]"],
  ["base64 in Windows lines", wrapped(pdf, 64, "\r\n"), "[base64 data: PDF document,"],
  ["base64 for URLs", bytes.toString("base64url"), "[base64 data: 40,000 bytes in 1 line]"],
  ["hexadecimal", `${bytes.toString("hex")}\n`, "[hexadecimal data: 60,001 bytes in 1 line]"],
  [
    "a certificate",
    `-----BEGIN CERTIFICATE-----\n${wrapped(bytes.toString("base64"), 64)}\n-----END CERTIFICATE-----\n`,
    "lines]\n-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----",
  ],
  ["minified JavaScript", `/* shop 2 */\n${script}\n//# sourceMappingURL=a.map\n`, "[minified JavaScript: "],
  ["minified CSS", ".a{margin:0;padding:1px}.b{color:red}".repeat(900), "[minified CSS: 33,300 bytes in 1 line]"],
];

describe("an output that tells nothing by its text", () => {
  it.each(OPAQUE)("is named in a line: %s", (_, text, told) => {
    expect(shown(text)).toContain(told);
    expect(shown(text).length).toBeLessThan(200);
  });

  it.each(OPAQUE)("is the same in whatever chunks it comes: %s", (_, text) => {
    const whole = shown(text);
    for (const size of [1, 7, 1000]) {
      const accumulator = createAccumulator({ limits: { maxBytes: 8000 }, strategy: "smart" });
      const raw = Buffer.from(text);
      for (let at = 0; at < raw.length; at += size) accumulator.write(raw.subarray(at, at + size));
      expect(accumulator.finish().text).toBe(whole);
    }
  });

  it("shows the short lines beside minified code", () => {
    expect(shown(`/* shop 2 */\n${script}\nnpm ERR! missing script: lint\n`)).toMatch(/shop 2 \*\/\nnpm ERR! missing/);
  });

  it("is cut as ever by positions", () => {
    expect(preview(pdf, { strategy: "head", maxBytes: 8000 }).text.length).toBeGreaterThan(7000);
  });
});

describe("an output with something to read", () => {
  it.each([
    ["base64 before an error", `${wrapped(pdf, 76)}\nbase64: write error: No space left on device\n`, "No space left"],
    ["base64 around an error", `${wrapped(pdf, 76)}\nKilled\n${wrapped(pdf, 76)}\n`, "Killed"],
    ["minified code with what is asked", script.replace("f333", "loadCart"), "loadCart"],
    [
      "hashes",
      Array.from({ length: 900 }, (_, at) => `${bytes.toString("hex", at, at + 20)}  file${at}`).join("\n"),
      "file",
    ],
    ["one word", `${"abcdefghij".repeat(4000)}\n`, "abcdefghij"],
    ["digits", "31415926535897932384".repeat(900), "31415926"],
  ])("is shown: %s", (name, text, told) => {
    expect(shown(text, name.includes("asked") ? "where is loadCart defined" : undefined)).toContain(told);
  });
});
