import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const CLIENT = fileURLToPath(new URL("auth-client.mjs", import.meta.url));
const AT_ONCE = 2;
/** Only a client that hangs takes so long, however busy the machine is. */
const PATIENCE_MS = 300_000;

/** Runs the scenarios of authorization that revisions require, directly and through the proxy; 1 when the proxy passes less. */
export async function compareAuth(suite, folder, revisions) {
  let worse = 0;
  for (const revision of revisions) {
    const names = await listScenarios(suite, folder, revision);
    const jobs = names.flatMap((name) => ["direct", "proxy"].map((way) => ({ name, way })));
    const ends = { direct: {}, proxy: {} };
    const work = async () => {
      for (let job = jobs.shift(); job; job = jobs.shift())
        ends[job.way][job.name] = await run(suite, folder, revision, job);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const sum = (way) => {
      const all = Object.values(ends[way]);
      const [passed, checks] = ["passed", "checks"].map((key) => all.reduce((total, end) => total + end[key], 0));
      return `${all.filter(({ held }) => held).length} of ${all.length} (${passed} of ${checks} checks)`;
    };
    console.log(
      `${revision}, authorization: ${sum("direct")} scenarios pass directly, ${sum("proxy")} through the proxy.`,
    );
    for (const name of names)
      for (const way of ["direct", "proxy"])
        if (!ends[way][name].held) console.log(`  ${name}, ${way}:\n${ends[way][name].printed}`);
    if (names.length === 0 || names.some((name) => ends.direct[name].held && !ends.proxy[name].held)) worse = 1;
  }
  return worse;
}

async function listScenarios([node, suite], folder, revision) {
  const { stdout } = await promisify(execFile)(node, [suite, "list", "--requirements", revision], { cwd: folder });
  const [required] = stdout.split("never scored");
  return [...required.matchAll(/^ *- (auth\/[\w-]+)/gm)].map(([, name]) => name);
}

/** How one scenario ended; the suite's exit code says no more than what it prints. */
async function run([node, suite], folder, revision, { name, way }) {
  const command = `${process.execPath} ${CLIENT} ${way}`;
  const words = [
    "--command",
    command,
    "--scenario",
    name,
    "--spec-version",
    revision,
    "--timeout",
    String(PATIENCE_MS),
  ];
  const printed = await new Promise((resolve) =>
    execFile(node, [suite, "client", ...words], { cwd: folder, maxBuffer: 1 << 26 }, (_, out, err) =>
      resolve(out + err),
    ),
  );
  const [, passed = 0, checks = 0] = /Passed: (\d+)\/(\d+)/.exec(printed) ?? [];
  return { held: /OVERALL: PASSED/.test(printed), passed: Number(passed), checks: Number(checks), printed };
}
