import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanLine, cleanText } from "../../src/preview/clean.ts";

describe("cleanLine", () => {
  it.each([
    ["plain text\twith a tab", "plain text\twith a tab"],
    ["\u001b[1;31mred\u001b[0m and \u001b[38:2::1:2:3mtrue colour\u001b[K", "red and true colour"],
    ["\u001b]0;window title\u0007shown", "shown"],
    ["\u001b]8;;https://x.test\u001b\\link\u001b]8;;\u001b\\", "link"],
    ["\u009b1;31mred\u009b0m and \u001b[32mgreen\u009b0m", "red and green"],
    ["10%\r50%\r100%", "100%"],
    ["10%\r50%\r100%\r", "100%"],
    ["100%\r   ", "100%"],
    ["windows line\r", "windows line"],
    ["N\bNA\bAM\bM", "NAM"],
    ["nul\0byte", "nul␀byte"],
    ["bell\u0007 and delete\u007f", "bell and delete"],
    ["lone \ud800 half", "lone \ufffd half"],
    ["\u{10000}\b", ""],
  ])("shows %j as %j", (line, shown) => {
    expect(cleanLine(line)).toBe(shown);
  });

  it("gives valid Unicode without control characters, for any line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200, size: "max" }), (text) => {
        const line = cleanLine(text.replaceAll("\n", ""));
        expect(line.isWellFormed()).toBe(true);
        expect(line).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
      }),
    );
  });

  it("is not slowed down by an escape that never ends", () => {
    expect(cleanLine(`${"\u001b]".repeat(20_000)}end`)).toMatch(/end$/);
  });

  it("treats each line of a text by itself", () => {
    expect(cleanText("1%\r2%\nnext\u001b[0m\n")).toBe("2%\nnext\n");
  });
});
