import { describe, expect, it } from "vitest";
import { createAccumulator } from "../../../../src/preview/accumulator.ts";
import { cleanLine } from "../../../../src/preview/clean.ts";

/** How progress is written over what stood there: what comes between two states of `chars` characters. */
const BETWEEN: Readonly<Record<string, (chars: number) => string>> = {
  "carriage return": () => "\r",
  "carriage return and erase": () => "\r\u001b[K",
  "erase and return": () => "\u001b[2K\r",
  "erase and first column": () => "\u001b[2K\u001b[1G",
  "first column": () => "\u001b[G\u001b[0K",
  "cursor up": () => "\u001b[1A\u001b[2K",
  backspaces: (chars) => "\b".repeat(chars),
  "cursor left": (chars) => `\u001b[${chars}D`,
};
const STATES: Readonly<Record<string, (at: number) => string>> = {
  percent: (at) => `Downloading ${String(at).padStart(6)} of 99999 [${"=".repeat(at % 20).padEnd(20)}]`,
  colored: (at) => `\u001b[32mfetch\u001b[0m \u001b[1;31m${String(at).padStart(6)}\u001b[0m objects`,
  wide: (at) => `下载 ${String(at).padStart(6)} ━━━ ✓`,
};
const widthOf = (state: string): number => [...cleanLine(state)].length;

describe.each(Object.entries(BETWEEN))("a line rewritten by %s", (_, between) => {
  it.each(Object.entries(STATES))("shows its last state, whatever its length and the chunks: %s", (_, state) => {
    for (const [count, place] of [
      [30, "middle"],
      [70, "end"],
      [90, "start"],
      [900, "start"],
      [900, "middle"],
      [901, "end"],
      [2500, "start"],
      [2501, "end"],
    ] as const) {
      const first = state(0);
      const states = Array.from({ length: count }, (_, at) => state(at));
      const seen = new Set(states.map((one) => cleanLine(one)));
      const line = `${first}${states.map((one) => between(widthOf(first)) + one).join("")}`;
      const rest = Array.from({ length: 400 }, (_, at) => `step ${at} of the build is done now`);
      if (place === "start") rest.unshift(line);
      else if (place === "end") rest.push(line);
      else rest.splice(200, 0, line);
      const bytes = new TextEncoder().encode(`${rest.join("\n")}\n`);
      const previews = [bytes.length, 1000, 4096, 8192].map((size) => {
        const accumulator = createAccumulator({ limits: { maxBytes: 3000 }, strategy: "smart" });
        for (let at = 0; at < bytes.length; at += size) accumulator.write(bytes.subarray(at, at + size));
        return accumulator.finish().text;
      });
      const [text = ""] = previews;
      expect(new Set(previews).size).toBe(1);
      const shown = text.split("\n").filter((one) => !/^step \d+ of|^…/.test(one));
      expect(
        shown.filter((one) => !seen.has(one)),
        `${count} states at the ${place}`,
      ).toEqual([]);
      if (place !== "middle")
        expect(shown, `${count} states at the ${place}`).toEqual([cleanLine(states.at(-1) ?? "")]);
    }
  });
});

describe("what a terminal leaves of a line", () => {
  it.each([
    ["10%\b\b\b20%", "20%"],
    ["done |\b/\b-\b\\\b", "done"],
    ["N\bNA\bAM\bME\bE", "NAME"],
    ["_\bu_\bn", "un"],
    ["abc\b\b\bx", "x"],
    ["abcd\b\bx", "abxd"],
    ["abc\b \b", "ab"],
    ["\u001b[2K\u001b[1Ga\u001b[2K\u001b[1Gb", "b"],
    ["\u001b[1A\u001b[2Klayer 1\u001b[1Blayer 2", "layer 1layer 2"],
    ["state 1\u001b[7Dstate 2", "state 2"],
    ["\u001b[31mred\u001b[0m\u001b[K", "red"],
    ["last\u001b[2K\r", "last"],
  ])("%j is %j", (line, text) => {
    expect(cleanLine(line)).toBe(text);
  });
});
