import { describe, expect, it } from "vitest";
import { createAccumulator, preview } from "../../../../src/preview/index.ts";

const CYCLES: readonly (readonly string[])[] = [
  ["Waiting for database…"],
  ["ERROR connection refused"],
  ["polling", "nothing new"],
  ["a: start", "a: start", "b: start"],
  ["GET /health", "", "200 OK", "-"],
  ["one", "two", "one", "three", "four"],
];
const AROUND: readonly (readonly [readonly string[], readonly string[]])[] = [
  [[], []],
  [
    ["starting up", "reading settings"],
    ["all done", "bye"],
  ],
];

function show(lines: readonly string[], maxBytes = 2000): string {
  return preview(`${lines.join("\n")}\n`, { strategy: "smart", maxBytes }).text;
}

const repeat = (cycle: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, index) => cycle[index % cycle.length] as string);

describe("lines that repeat", () => {
  it.each(CYCLES)("are shown once with their number: %j", (...cycle) => {
    for (const [before, after] of AROUND) {
      for (const times of [1200, 20_000]) {
        const count = times * cycle.length;
        const shown = show([...before, ...repeat(cycle, count), ...after]).split("\n");
        const left = count - cycle.length;
        const again = (left / cycle.length).toLocaleString("en");
        const like =
          cycle.length === 1
            ? `${again} more lines like one above are not shown`
            : `${again} more times the ${cycle.length} lines above`;
        const from = before.length + cycle.length + 1;
        const marker = `… ${left.toLocaleString("en")} lines omitted: lines ${from}-${before.length + count}; ${like} …`;
        expect(shown.filter((line) => line !== "")).toEqual(
          [...before, ...cycle, marker, ...after].filter((line) => line !== ""),
        );
      }
    }
  });

  it("are shown with their first and last time when they differ by nothing else", () => {
    const lines = Array.from({ length: 5000 }, (_, index) => {
      const [minutes, seconds] = [Math.floor(index / 60) % 60, index % 60].map((part) => String(part).padStart(2, "0"));
      return `2026-03-01 12:${minutes}:${seconds} waiting for the lock`;
    });
    const shown = show(["begin", ...lines, "end"]).split("\n");
    expect(shown).toEqual([
      "begin",
      lines[0],
      "… 4,998 lines omitted: lines 3-5000; 4,998 more lines like one above are not shown …",
      lines.at(-1),
      "end",
    ]);
  });

  it("leave room for what stands between their runs, in any chunks", () => {
    const lines = [
      ...repeat(["tick"], 3000),
      "disk is full",
      ...repeat(["tick", "tock"], 3000),
      "worker 3 left",
      ...repeat(["tick"], 2000),
    ];
    const text = `${lines.join("\n")}\n`;
    const bytes = new TextEncoder().encode(text);
    const shown = [300, 4096, bytes.length].map((step) => {
      const accumulator = createAccumulator({ strategy: "smart", limits: { maxBytes: 1500 } });
      for (let at = 0; at < bytes.length; at += step) accumulator.write(bytes.subarray(at, at + step));
      return accumulator.finish().text;
    });
    expect(new Set(shown).size).toBe(1);
    expect(shown[0]?.match(/^tick$/gm)?.length).toBeLessThanOrEqual(4);
  });
});

describe("a marker that counts lines like one above", () => {
  const kinds = [
    { kind: "refused", line: (index: number) => `ERROR: connection ${index} refused by the server` },
    { kind: "missing", line: (index: number) => `ERROR: file part-${index}.bin is missing, giving up` },
    { kind: "late", line: (index: number) => `WARNING: job ${index} is late by ${index % 7} s` },
  ];

  it.each([400, 3000])("stands right below a line of the kind that it counts, in %d lines", (count) => {
    const lines = Array.from({ length: count }, (_, index) =>
      index % 5 === 0
        ? (kinds[(index / 5) % 3] as (typeof kinds)[0]).line(index)
        : `step ${index} of the ${index % 11 === 0 ? "first" : "other"} batch ran`,
    );
    for (const maxBytes of [1000, 2000, 8000]) {
      const shown = show(lines, maxBytes).split("\n");
      shown.forEach((line, index) => {
        const counted = /; ([\d,]+) more lines? like one above/.exec(line)?.[1];
        if (counted === undefined) return;
        const above = shown[index - 1] as string;
        const kind = kinds.find(({ kind }) => above.includes(kind))?.kind ?? "no kind";
        const all = lines.filter((other) => other.includes(kind)).length;
        const visible = shown.filter((other) => other.includes(kind)).length;
        expect(Number(counted.replaceAll(",", "")), above).toBe(all - visible);
      });
    }
  });
});
