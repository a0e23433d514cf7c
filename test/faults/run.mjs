// Makes things go wrong and counts what is lost: node test/faults/run.mjs [--long] [--write] [FAULT…]
//   --long   many more tries; without it the short form, five minutes at most
//   --write  puts the table into docs/reliability.md
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const FAULTS = fileURLToPath(new URL("./faults", import.meta.url));
const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const only = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const unknown = flags.find((flag) => !["--long", "--write"].includes(flag));
if (unknown !== undefined) {
  console.error(`test:faults: unknown option ${unknown}`);
  process.exit(2);
}
const long = flags.includes("--long");
// What is this user's own must not decide.
const home = mkdtempSync(join(tmpdir(), "spillway-faults-home-"));
Object.assign(process.env, {
  XDG_STATE_HOME: join(home, "state"),
  XDG_CONFIG_HOME: join(home, "config"),
  NO_COLOR: "1",
});

const rows = [];
const names = readdirSync(FAULTS)
  .filter((name) => name.endsWith(".mjs"))
  .sort();
for (const name of names.filter((each) => only.length === 0 || only.some((word) => each.includes(word)))) {
  const { fault, run } = await import(`./faults/${name}`);
  const folder = mkdtempSync(join(tmpdir(), "spillway-fault-"));
  const started = performance.now();
  let result;
  try {
    result = await run({ long, folder, project: PROJECT });
  } catch (error) {
    result = { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  const seconds = (performance.now() - started) / 1000;
  rmSync(folder, { recursive: true, force: true });
  rows.push({ fault, seconds, ...result });
  console.log(describe(rows.at(-1)));
}
rmSync(home, { recursive: true, force: true });

const failed = rows.filter((row) => row.failed !== undefined || row.lostBytes > 0 || row.leaks > 0);
if (flags.includes("--write") && failed.length === 0) writeTable(rows);
console.log(`${rows.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);

function describe({ fault, tries, lostBytes, leaks, note, skipped, failed: why, seconds }) {
  const time = `${seconds.toFixed(1)} s`;
  if (skipped !== undefined) return `Skipped: ${fault}: ${skipped}.`;
  if (why !== undefined) return `FAIL ${fault} (${time}): ${why}`;
  const state = lostBytes > 0 || leaks > 0 ? "FAIL" : "ok  ";
  return `${state} ${fault}: ${tries} tries, ${lostBytes} bytes lost, ${leaks} leaks${note ? `; ${note}` : ""} (${time})`;
}

function writeTable(all) {
  const page = join(PROJECT, "docs", "reliability.md");
  const cells = all.map(({ fault, tries, lostBytes, leaks, note, skipped }) =>
    skipped === undefined
      ? `| ${fault} | ${tries} | ${lostBytes} | ${leaks} | ${note ?? ""} |`
      : `| ${fault} | skipped | | | ${skipped} |`,
  );
  const table = ["| fault | tries | lost bytes | leaks | |", "|---|---|---|---|---|", ...cells].join("\n");
  const text = readFileSync(page, "utf8");
  writeFileSync(page, text.replace(/(<!-- faults -->\n)[\s\S]*?(\n<!-- \/faults -->)/, `$1${table}$2`));
}
