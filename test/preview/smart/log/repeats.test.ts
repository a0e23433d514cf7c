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
          cycle.length === 1 ? "all like the one above" : `${again} more times the ${cycle.length} lines above`;
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
      "… 4,998 lines omitted: lines 3-5000; all like the one above …",
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

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const two = (number: number): string => String(number).padStart(2, "0");
const timeOf = (date: Date): string => date.toISOString().slice(11, 19);
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
const monthOf = (date: Date): string => MONTHS[date.getUTCMonth()] as string;

/** How logs write the time of a line. */
const STAMPS: Readonly<Record<string, (date: Date) => string>> = {
  "no time": () => "",
  syslog: (date) => `${monthOf(date)} ${String(date.getUTCDate()).padStart(2)} ${timeOf(date)} host app[12]: `,
  ISO: (date) => `${date.toISOString()} `,
  "ISO with a blank": (date) => `${dayOf(date)} ${timeOf(date)},${date.getUTCMilliseconds()} - root - INFO - `,
  klog: (date) => `I${dayOf(date).slice(5).replace("-", "")} ${timeOf(date)}.000000   12345 main.go:12] `,
  "nginx error": (date) => `${dayOf(date).replaceAll("-", "/")} ${timeOf(date)} [error] 31#31: `,
  "access log": (date) =>
    `10.0.0.1 - - [${two(date.getUTCDate())}/${monthOf(date)}/2026:${timeOf(date)} +0000] "GET / HTTP/1.1" 200 2 `,
  epoch: (date) => `${Math.floor(date.getTime() / 1000)} `,
  "epoch with a fraction": (date) => `${(date.getTime() / 1000).toFixed(3)} `,
  bracketed: (date) => `[${DAYS[date.getUTCDay()]} ${monthOf(date)} ${two(date.getUTCDate())} ${timeOf(date)} 2026] `,
  uptime: (date) => `[${((date.getTime() - 1.76e12) / 1000).toFixed(6).padStart(16)}] `,
  "bracketed time": (date) => `[${timeOf(date)}] `,
  logfmt: (date) => `ts=${date.toISOString()} level=info msg=`,
};
const TEXTS: readonly (readonly string[])[] = [
  ["waiting for the lock"],
  ["waiting for the lock (attempt #)"],
  ["polling", "nothing new"],
];
const START = Date.UTC(2026, 1, 20);

describe("lines that are equal but for times and counters", () => {
  it.each(Object.entries(STAMPS))("are shown as one line and a count, wherever they stand: %s", (_, stamp) => {
    const wrong: string[] = [];
    for (const texts of TEXTS)
      for (const [count, seconds] of [
        [100, 1],
        [100, 50_000],
        [2000, 977],
        [20_000, 7],
      ] as const)
        for (const before of count > 10_000 ? [34_000] : [0, 7, 300]) {
          const text = (index: number): string =>
            (texts[index % texts.length] as string).replace("#", String(index + 1));
          const line = (index: number): string => stamp(new Date(START + index * seconds * 1000)) + text(index);
          const lines = Array.from({ length: count }, (_, index) => line(index));
          const others = Array.from({ length: before }, (_, index) => `part ${(index * 7919) % 10_007} is loaded`);
          const shown = show([...others, ...lines, "done"], Math.min(1500, 8 * count)).split("\n");
          const copies = shown.filter((one) => /waiting|polling|nothing/.test(one));
          const place = `${texts[0]}: ${count} lines each ${seconds} s after ${before} others`;
          // The cycle, and the last line where they differ.
          if (copies.length > texts.length + 1) wrong.push(`${place}: ${copies.length} copies`);
          const first = shown.indexOf(lines[0] as string);
          const marker = shown[first + texts.length] ?? "";
          const omitted = Number(/^… ([\d,]+) lines omitted/.exec(marker)?.[1]?.replaceAll(",", ""));
          if (first < 0 || omitted !== count - copies.length) wrong.push(`${place}: ${marker}`);
          else if (!/; (?:all like the one above|[\d,]+ more times the 2 lines above)/.test(marker)) wrong.push(marker);
        }
    expect(wrong).toEqual([]);
  });

  it("are not taken for equal when another number falls or a word differs", () => {
    const lines = Array.from({ length: 300 }, (_, index) => `epoch ${index + 1}: loss ${(9 / (index + 3)).toFixed(4)}`);
    expect(show(lines, 1500).split("\n").length).toBeGreaterThan(20);
    const named = Array.from({ length: 300 }, (_, index) => `job ${"abcdefg"[index % 7]}${index % 4} went on`);
    expect(show(named, 1500)).not.toContain("like the one above");
  });

  it("hide no line that differs by a rare value", () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `shard ${index}: ${index === 1700 ? 3 : 0} failed`);
    expect(show(lines, 1500)).toContain("shard 1700: 3 failed");
  });
});

describe("a marker that counts lines like one above", () => {
  const kinds = [
    { kind: "refused", line: (index: number) => `ERROR: connection ${index} refused by the server` },
    { kind: "missing", line: (index: number) => `ERROR: file part-${index}.bin is missing, giving up` },
    { kind: "late", line: (index: number) => `WARNING: job ${index} is late by ${index % 7} s` },
  ];

  it.each([400, 3000, 40_000])("stands right below a line of the kind that it counts, in %d lines", (count) => {
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
