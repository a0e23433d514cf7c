import { describe, expect, it } from "vitest";
import { createAccumulator } from "../../src/preview/index.ts";

const STRATEGIES = ["smart", "head", "tail", "head_tail"] as const;
const MARKERS = ["inside", "outside"] as const;
const LENGTHS = [300, 2100, 40_000, 400_000];
const POSITIONS = ["only", "first", "middle", "last"] as const;
const RESTARTS = ["\r", "\u001b[2K\u001b[1G"];
const LAST = "100% all 9000 parts are here";

const steps = (name: string): string[] =>
  Array.from({ length: 400 }, (_, index) => `${name} step ${index} went on as usual`);
const BEFORE = steps("alpha");
const AFTER = steps("omega");
const WHOLE = new Set([...BEFORE, ...AFTER, LAST, ""]);

function progress(length: number, restart: string): string {
  let line = "";
  for (let part = 0; line.length < length; part++)
    line += `${part % 100}% fetching part ${part}${part % 50 === 7 ? ", error: connection reset, trying again" : ""}${restart}`;
  return line + LAST;
}

describe.each(STRATEGIES)("a line that is rewritten, with strategy %s", (strategy) => {
  it.each(POSITIONS)("shows nothing but its last state: %s line", (position) => {
    const wrong: string[] = [];
    for (const length of LENGTHS) {
      for (const restart of RESTARTS) {
        const line = progress(length, restart);
        const lines = {
          only: [line],
          first: [line, ...AFTER],
          middle: [...BEFORE, line, ...AFTER],
          last: [...BEFORE, line],
        }[position];
        const bytes = new TextEncoder().encode(`${lines.join("\n")}\n`);
        const known = strategy === "smart" || (position === "first" ? strategy !== "tail" : strategy !== "head");
        const wanted = position === "only" || (position !== "middle" && known);
        for (const maxBytes of [1000, 8000]) {
          for (const markers of MARKERS) {
            const accumulator = createAccumulator({ strategy, limits: { maxBytes }, markers });
            for (let at = 0; at < bytes.length; at += 60_000) accumulator.write(bytes.subarray(at, at + 60_000));
            const { text, truncated } = accumulator.finish({ markers });
            if (!truncated) continue;
            const odd = text.split("\n").find((shown) => !WHOLE.has(shown) && !/^… .* …$/.test(shown));
            const where = `${length} characters, ${maxBytes} bytes, markers ${markers}`;
            if (odd !== undefined) wrong.push(`${where}: ${odd.slice(0, 100)}`);
            else if (wanted && !text.includes(LAST)) wrong.push(`${where}: not shown`);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
