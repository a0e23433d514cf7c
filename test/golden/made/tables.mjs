import { AREAS, PARTS, Random, rows } from "./random.mjs";

/** Tables of coverage: the lowest rows and the total are what is read. */
export function coverage(seed) {
  const random = new Random(seed);
  const count = 140;
  const path = (index) => `src/${AREAS[index % AREAS.length]}/${PARTS[index % PARTS.length]}_${index}`;
  const low = [random.between(15, 50), random.between(55, 90), random.between(95, 130)];
  const share = (index) => (low.includes(index) ? 3 + 4 * low.indexOf(index) : random.between(88, 100));
  const total = 93;
  const kinds = [
    () => {
      const row = (name, statements, part) =>
        `${name.padEnd(44)}${String(statements).padStart(7)}${String(Math.round((statements * (100 - part)) / 100)).padStart(7)}${`${part}%`.padStart(7)}`;
      const lines = rows(count, (index) => row(`${path(index)}.py`, random.between(40, 400), share(index)));
      const rule = "-".repeat(65);
      return {
        head: [`${"Name".padEnd(44)}${"Stmts".padStart(7)}${"Miss".padStart(7)}${"Cover".padStart(7)}`, rule],
        lines,
        tail: [rule, row("TOTAL", 30811, total)],
      };
    },
    () => {
      const row = (name, part, missing) =>
        `${name.padEnd(30)}|${String(part).padStart(8)} |${String(part).padStart(9)} |${String(part).padStart(8)} |${String(part).padStart(8)} | ${missing}`;
      const lines = rows(count, (index) =>
        row(
          ` ${PARTS[index % 11]}-${index}.ts`,
          share(index),
          share(index) === 100 ? "" : `${random.between(5, 90)}-${random.between(91, 200)}`,
        ),
      );
      const rule = `${"-".repeat(30)}|---------|----------|---------|---------|-------------------`;
      return {
        head: [
          rule,
          `${"File".padEnd(30)}| % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s`,
          rule,
          row("All files", total, ""),
        ],
        lines,
        tail: [rule],
      };
    },
    () => {
      const lines = rows(
        count,
        (index) =>
          `example.org/shop/${path(index)}.go:${random.between(10, 400)}:\t\t${`Handle${index}`.padEnd(24)}\t${share(index)}.0%`,
      );
      return { head: [], lines, tail: [`total:\t\t\t\t\t\t(statements)\t\t\t${total}.0%`] };
    },
    () => {
      const row = (name, part) =>
        `${name.padEnd(40)}${String(random.between(20, 90)).padStart(10)}${String(random.between(0, 9)).padStart(16)}${`${part}.00%`.padStart(10)}${String(random.between(90, 900)).padStart(10)}`;
      const lines = rows(count, (index) => row(`${AREAS[index % 10]}/${PARTS[index % 11]}_${index}.cpp`, share(index)));
      const rule = "-".repeat(90);
      return {
        head: [
          `${"Filename".padEnd(40)}${"Regions".padStart(10)}${"Missed Regions".padStart(16)}${"Cover".padStart(10)}${"Lines".padStart(10)}`,
          rule,
        ],
        lines,
        tail: [rule, row("TOTAL", total)],
      };
    },
    () => {
      const lines = rows(count, (index) => `${path(index)}.rb,${random.between(50, 500)},${share(index)}.1`);
      return { head: ["file,lines,covered_percent"], lines, tail: [] };
    },
    () => {
      const lines = rows(
        count,
        (index) =>
          `| ${path(index).padEnd(36)} | ${String(random.between(50, 500)).padStart(6)} | ${`${share(index)}.5 %`.padStart(8)} |`,
      );
      const rule = `|${"-".repeat(38)}|${"-".repeat(8)}|${"-".repeat(10)}|`;
      return {
        head: [`| ${"Module".padEnd(36)} | ${"Lines".padStart(6)} | ${"Covered".padStart(8)} |`, rule],
        lines,
        tail: [rule, `| ${"Total".padEnd(36)} | ${"30811".padStart(6)} | ${`${total}.0 %`.padStart(8)} |`],
      };
    },
  ];
  const { head, lines, tail } = kinds[seed % kinds.length]();
  const last = tail.filter((line) => /total/i.test(line));
  return {
    text: [...head, ...lines, ...tail, ""].join("\n"),
    question: `how well is ${PARTS[20 % 11]} 20 covered`,
    must: [...low.map((index) => lines[index]), ...last],
    asked: low.map((index) => lines[index]),
  };
}

/** Measurements: one value far above and one far below all others. */
export function measures(seed) {
  const random = new Random(seed);
  const delimiter = [",", "\t", ";", ",", "|", "\t"][seed % 6];
  const line = (index, value) =>
    [
      `2026-03-${String(1 + (index % 28)).padStart(2, "0")}`,
      random.pick(AREAS),
      random.pick(["eu", "us"]),
      value,
      random.between(1, 9),
    ].join(delimiter);
  const lines = rows(900, (index) => line(index, (180 + 40 * random.next()).toFixed(1)));
  const high = line(300, "9120.4");
  const low = line(500, "0.2");
  lines.splice(310 + seed, 0, high);
  lines.splice(610 + seed, 0, low);
  const head = ["day", "area", "region", "latency_ms", "tries"].join(delimiter);
  return {
    text: [head, ...lines, ""].join("\n"),
    question: "which row has the highest latency",
    must: [head, high, low],
    asked: [head, high],
  };
}
