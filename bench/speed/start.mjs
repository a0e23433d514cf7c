import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { logText } from "../log-text.mjs";
import { CLI, HOME, ms, race, report, reportTitle, scratchFolder } from "../measure.mjs";

// What it takes to begin: to import the package, and to run a command that does nothing, over a node that does nothing.
// Processor time of the process and its children, as bash counts it: a start is short, and the clock would tell what else
// the machine does. It is somewhat more than the clock shows on an idle machine, since node has helping threads.
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 41);
/** Another build to compare with: a folder with `bin/` and `dist/`. */
const BASE = process.env.BENCH_BASE;
const node = process.execPath;
const folder = scratchFolder("start");
const root = path.join(folder, "root");
mkdirSync(root);

const COUNTED = 'TIMEFORMAT="%3U %3S"; { time "$@" > "$out" 2>&1; } 2>&1';
const processorTime = (...argv) => {
  const env = { ...process.env, out: path.join(folder, "out") };
  const said = execFileSync("bash", ["-c", COUNTED, "bash", ...argv], { encoding: "utf8", env });
  return said
    .trim()
    .split(" ")
    .reduce((sum, seconds) => sum + Number(seconds) * 1000, 0);
};

const importing = (name, ...lines) => {
  const file = path.join(folder, `${name}.mjs`);
  writeFileSync(file, `${lines.join("\n")}\n`);
  return () => processorTime(node, file);
};
/** What Node takes for an entry. */
const entryFile = (name, home = HOME) => {
  const { exports } = JSON.parse(readFileSync(path.join(home, "package.json"), "utf8"));
  const { node: late, default: file } = exports[name];
  return JSON.stringify(pathToFileURL(path.join(home, late ?? file)).href);
};
const entry = (name, home) => `import ${entryFile(name, home)};`;
// What agents have most: an output over the limit, of a log.
const log = path.join(folder, "100KB.log");
writeFileSync(log, logText(100_000));
// What tools answer with most.
const records = path.join(folder, "100KB.json");
writeFileSync(records, jsonText(100_000));
const firstPreview = (home, file = log) => [
  `import { preview } from ${entryFile("./preview", home)};`,
  'import { readFileSync } from "node:fs";',
  `preview(readFileSync(${JSON.stringify(file)}, "utf8"), { strategy: "smart" });`,
];
const show = (program) => () => processorTime(node, program, "run", "--root", root, "--", "cat", log);

const result = await race(
  {
    nothing: importing("nothing"),
    index: importing("index", entry(".")),
    preview: importing("preview", entry("./preview")),
    first: importing("first", ...firstPreview()),
    json: importing("json", ...firstPreview(HOME, records)),
    version: () => processorTime(node, CLI, "--version"),
    run: () => processorTime(node, CLI, "run", "--root", root, "--", "true"),
    log: show(CLI),
    ...(BASE && {
      "index of the other": importing("other-index", entry(".", BASE)),
      "preview of the other": importing("other-preview", entry("./preview", BASE)),
      "first of the other": importing("other-first", ...firstPreview(BASE)),
      "json of the other": importing("other-json", ...firstPreview(BASE, records)),
      "log by the other": show(path.join(BASE, "bin", "spillway.mjs")),
    }),
  },
  { rounds: ROUNDS, warmUps: 2 },
);

reportTitle(`Starting, processor time, medians of ${ROUNDS} interleaved rounds`);
report({ what: "an empty module", result: ms(result.median("nothing")) });
over('`import "spillway"`', "index", 15);
over('`import "spillway/preview"`', "preview", 10);
over("the first smart preview of a process, 100 KB, import included", "first", 40);
over("the same of 100 KB of JSON", "json", 80);
over("`spillway --version`", "version");
over("`spillway run -- true`", "run", 45);
over("`spillway run -- cat` of a 100 KB log", "log", 80);
if (BASE) {
  over('`import "spillway"` of the other build', "index of the other");
  over('`import "spillway/preview"` of the other build', "preview of the other");
  over("the first smart preview of the other build", "first of the other");
  over("the same of 100 KB of JSON", "json of the other");
  over("`spillway run -- cat` of the other build", "log by the other");
}

function over(what, name, most) {
  const cost = result.difference(name, "nothing");
  const budget = most === undefined ? {} : { budget: `<= ${most} ms`, holds: cost <= most };
  report({ what: `${what}, over it`, result: ms(cost), ...budget });
}

/** Records of several kinds of values, in several lines each, the same in every run. */
function jsonText(bytes) {
  const words = "river stone cloud paper winter engine parser socket buffer token index window".split(" ");
  const word = (n) => words[(n * 7 + (n >> 3)) % words.length];
  const record = (n) => ({
    id: n,
    user: { name: word(n), email: `${word(n + 1)}@${word(n + 2)}.example` },
    title: `${word(n + 3)} ${word(n + 5)} ${n}`,
    labels: [{ name: word(n + 4), color: (n * 2654435).toString(16).slice(0, 6) }],
    state: n % 40 === 7 ? "failed" : "open",
    created_at: `2026-01-${10 + (n % 20)}T10:00:00Z`,
    body: null,
  });
  const each = JSON.stringify([record(1000)], null, 2).length;
  return JSON.stringify(
    Array.from({ length: Math.ceil(bytes / each) }, (_, n) => record(n)),
    null,
    2,
  );
}
