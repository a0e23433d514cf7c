// Every suite of the project in its short form, one after the other: node test/every-suite.mjs
// A suite that fails does not hide the next one. Where a suite drives programs of others (agents, servers, a browser), it
// is tried once more when it failed, and the closing table says so: what is ours to mend fails both times. The table
// tells too what was skipped and why; the last line adds everything up.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("..", import.meta.url));

/** In the order of what they need: the agents that test:hosts installs are used by test:mcp too. */
const SUITES = [
  { name: "check" },
  { name: "test:hosts", args: ["--install"], foreign: true },
  { name: "test:mcp", foreign: true },
  { name: "test:conformance", foreign: true },
  { name: "test:nodes", foreign: true },
  { name: "test:runtimes", args: ["--install"], foreign: true },
  { name: "test:scale", foreign: true },
  { name: "test:browser", args: ["--install"], foreign: true },
  { name: "test:faults" },
  { name: "test:frameworks", args: ["--install"], foreign: true },
  { name: "docs", args: ["--or-skip"] },
  { name: "test" },
];

const rows = [];
for (const suite of SUITES) {
  let row = await run(suite);
  if (row.code !== 0 && suite.foreign) {
    console.log(`\n${suite.name} failed; once more, since it drives programs of others.\n`);
    row = { ...(await run(suite)), again: true };
  }
  rows.push(row);
}

const total = { passed: 0, failed: 0, skipped: 0 };
console.log("\nSuites:");
for (const { name, code, again, counts, reasons, seconds } of rows) {
  // A suite that failed without counting anything is one failure.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  for (const key of Object.keys(total)) total[key] += counts[key];
  const state = code === 0 ? "ok    " : "FAILED";
  const second = again ? ", at the second try" : "";
  console.log(
    `${state} ${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped (${seconds} s${second})`,
  );
  for (const reason of reasons) console.log(`         ${reason}`);
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = rows.every(({ code }) => code === 0) ? 0 : 1;

/** Shows what the suite prints as it comes, and keeps its closing lines and what it says was skipped. */
function run({ name, args = [] }) {
  console.log(`\n== npm run ${[name, ...args].join(" ")}\n`);
  const started = performance.now();
  const child = spawn("npm", ["run", "--silent", name, ...(args.length > 0 ? ["--", ...args] : [])], {
    cwd: PROJECT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const reasons = [];
  let rest = "";
  child.stdout.on("data", (chunk) => {
    process.stdout.write(chunk);
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const closing = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/.exec(line);
      for (const [at, key] of Object.keys(counts).entries()) counts[key] += Number(closing?.[at + 1] ?? 0);
      if (line.startsWith("Skipped: ")) reasons.push(line);
    }
  });
  return new Promise((resolve) => {
    child.once("close", (code) => {
      resolve({ name, code: code ?? 1, counts, reasons, seconds: Math.round((performance.now() - started) / 1000) });
    });
  });
}
