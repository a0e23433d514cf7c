import { describe, expect, it } from "vitest";
import { createAccumulator, preview } from "../../../../src/preview/index.ts";

const MAX_BYTES = 8000;
const SIZES = [500, 2000, 8000, 24_000];
const POSITIONS = [0, 0.1, 0.5, 0.9, 1];
const QUESTIONS = ["", "which requests failed"];

type Random = () => number;

function seeded(seed: number): Random {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Line = (index: number, random: Random, odd: boolean) => string;

const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
const upTo = (random: Random, most: number): number => Math.floor(random() * most);
const two = (value: number): string => String(value).padStart(2, "0");
const clock = (index: number): string =>
  `${two(Math.floor(index / 3600) % 24)}:${two(Math.floor(index / 60) % 60)}:${two(index % 60)}`;
const PATHS = ["/", "/api/users", "/api/orders", "/static/app.js", "/health", "/login"];
const AGENTS = ['"Mozilla/5.0 (X11; Linux x86_64)"', '"curl/8.5.0"', '"-"'];

/** One line of each form; the odd one differs from the others by a value that no list of words knows. */
const FORMS: Readonly<Record<string, Line>> = {
  "status in logfmt": (index, random, odd) =>
    `ts=2026-03-01T${clock(index)}.${index % 1000}Z level=info method=${pick(random, ["GET", "POST"])} path=${pick(random, PATHS)} status=${odd ? 500 : 200} dur=${(1 + 90 * random()).toFixed(1)}ms id=${upTo(random, 1e9).toString(16)}`,
  "duration in logfmt": (index, random, odd) =>
    `time=${clock(index)} svc=cart op=load took=${odd ? 48_213 : 20 + upTo(random, 200)} rows=${upTo(random, 50)}`,
  "unit of a duration": (index, random, odd) =>
    `[${index}] rendered ${pick(random, PATHS)} in ${odd ? "41.7s" : `${20 + upTo(random, 70)}ms`}`,
  "status in an access log": (index, random, odd) =>
    `10.0.${index % 7}.${upTo(random, 250)} - - [01/Mar/2026:${clock(index)} +0000] "GET ${pick(random, PATHS)} HTTP/1.1" ${odd ? 502 : random() < 0.08 ? 304 : 200} ${200 + upTo(random, 40_000)} "-" ${pick(random, AGENTS)}`,
  "count in a plain line": (index, random, odd) =>
    `shard ${index}: ${90 + upTo(random, 30)} passed, ${odd ? 3 : 0} failed`,
  "exit code in a sentence": (index, random, odd) =>
    `Worker ${index % 16} left job ${1000 + index} with exit code ${odd ? 137 : 0} after ${10 + upTo(random, 50)} seconds`,
  "number behind a key": (index, _, odd) => `host-${index}: ${odd ? 0 : 3} replicas ready`,
  "number below all others": (index, random, odd) =>
    `batch ${index} wrote ${odd ? 2 : 900 + upTo(random, 300)} rows of table ${pick(random, ["users", "orders"])}`,
  "word behind a key": (index, _, odd) => `job: ${index}  state: ${odd ? "stuck" : "done"}`,
  "word in a sentence": (index, random, odd) =>
    `node n${index} of zone ${pick(random, ["a", "b", "c"])} reports ${odd ? "drained" : "ready"}`,
  "number in padded columns": (index, random, odd) =>
    `${String(index).padStart(6)}  ${pick(random, ["sda", "sdb"])}  ${String(upTo(random, 4000)).padStart(5)} kB  ${odd ? "  7" : "  0"} retries`,
  "number in a dated log": (index, random, odd) =>
    `2026-03-01 ${clock(index)} INFO replica ${index % 5} lag ${odd ? 91_234 : upTo(random, 30)} ms`,
  "status in JSON lines": (index, random, odd) =>
    JSON.stringify({ at: index, route: pick(random, PATHS), status: odd ? 503 : 200, ms: upTo(random, 80) }),
};

/** Lines of which none tells more than the others. */
const PLAIN: Readonly<Record<string, (index: number, random: Random) => string>> = {
  "ids and a time": (index, random) =>
    `${clock(index)} stored ${upTo(random, 1e12).toString(36)} as part-${index} of upload ${upTo(random, 1e9)}`,
  "a counter": (index) => `step ${index} of 24000: offset ${index * 4096}, ${index % 100}% of its page`,
  "durations with a long tail": (index, random) =>
    `[${index}] flushed in ${(-Math.log(1 - random()) * 40).toFixed(2)} ms`,
  "usual values only": (index, random) => `slot ${index} is ${pick(random, ["free", "held", "idle"])}`,
};

function linesOf(line: Line, count: number): string[] {
  const random = seeded(7);
  return Array.from({ length: count }, (_, index) => line(index, random, false));
}

function rareRows(text: string): number {
  const { blocks } = preview(text, { strategy: "smart", maxBytes: MAX_BYTES });
  return blocks.filter(({ reason }) => reason === "rare value").length;
}

describe("a line that differs from all others of its form by one value", () => {
  it.each(Object.entries(FORMS))("is shown wherever it stands: %s", (_, line) => {
    const missing: string[] = [];
    for (const size of SIZES) {
      const lines = linesOf(line, size);
      for (const position of POSITIONS) {
        const at = Math.min(size - 1, Math.floor(position * size));
        const odd = line(at, seeded(3), true);
        const text = `${lines.with(at, odd).join("\n")}\n`;
        for (const query of QUESTIONS) {
          const shown = preview(text, { strategy: "smart", maxBytes: MAX_BYTES, query }).text;
          // JSON may be shown with other blanks, or only in part.
          const parts = odd.startsWith("{") ? [`"at":${at},`, '"status":503'] : [odd];
          if (!parts.every((part) => shown.includes(part) || shown.replaceAll(/([:,]) /g, "$1").includes(part)))
            missing.push(`${size} lines, at ${position}${query === "" ? "" : ", asked"}`);
        }
      }
    }
    expect(missing).toEqual([]);
  });

  it.each([
    [
      "a sentence",
      (index: number, failed: number) => `shard ${index}: ${90 + ((index * 7) % 30)} passed, ${failed} failed`,
    ],
    ["logfmt", (index: number, failed: number) => `shard=${index} passed=${90 + ((index * 7) % 30)} failed=${failed}`],
    ["behind a key", (index: number, failed: number) => `shard-${index}: exit code: ${failed}`],
    [
      "an access log",
      (index: number, failed: number) =>
        `10.0.0.${index % 7} - - [01/Mar/2026:${clock(index)} +0000] "GET / HTTP/1.1" ${failed === 0 ? 200 : 502} ${(index * 7919) % 4000}`,
    ],
  ] as const)("is shown among few lines, and where up to 5 %% differ: %s", (_, line) => {
    const missing: string[] = [];
    for (const [count, odd] of [
      [40, 1],
      [60, 2],
      [200, 5],
      [1000, 40],
    ] as const)
      for (const position of [0.2, 0.5, 0.8]) {
        const random = seeded(5);
        const noise = Array.from(
          { length: 400 },
          () => `${upTo(random, 1e9).toString(26)} went ${upTo(random, 1e9).toString(26)}`,
        );
        const places = Array.from({ length: odd }, (__, at) => Math.floor(position * count) + (at % (count / 8)) * 1);
        const lines = Array.from({ length: count }, (__, at) => line(at, places.includes(at) ? 3 : 0));
        const text = `${[...noise, ...lines, ...noise].join("\n")}\n`;
        for (const query of QUESTIONS) {
          const shown = preview(text, { strategy: "smart", maxBytes: 3000, query }).text;
          if (!shown.includes(line(places[0] as number, 3)))
            missing.push(`${odd} of ${count}, at ${position}${query && ", asked"}`);
        }
      }
    expect(missing).toEqual([]);
  });

  it("is shown beside others like it, whatever the chunks", () => {
    const lines = linesOf(FORMS["status in an access log"] as Line, 4000);
    const odd = [900, 901, 2500].map((at) => (FORMS["status in an access log"] as Line)(at, seeded(at), true));
    const bytes = new TextEncoder().encode(
      `${lines
        .with(900, odd[0] as string)
        .with(901, odd[1] as string)
        .with(2500, odd[2] as string)
        .join("\n")}\n`,
    );
    const read = (step: number): string => {
      const accumulator = createAccumulator({ strategy: "smart", limits: { maxBytes: MAX_BYTES } });
      for (let at = 0; at < bytes.length; at += step) accumulator.write(bytes.subarray(at, at + step));
      return accumulator.finish().text;
    };
    const whole = read(bytes.length);
    for (const line of odd) expect(whole).toContain(line);
    expect([read(977), read(4096), read(65_536)]).toEqual([whole, whole, whole]);
  });

  it.each(Object.entries(PLAIN))("is not made up where all values differ or are usual: %s", (_, line) => {
    const counts = [500, 8000].map((size) => rareRows(`${linesOf(line, size).join("\n")}\n`));
    expect(counts).toEqual([0, 0]);
  });
});
