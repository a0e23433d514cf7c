// Looks at the inspector in Debian's Chromium, and at what is left of real snapshots by browser servers: node test/browser/run.mjs [--install] [--long] [--write]
//   --install  brings Chromium (apt) and the packages of this folder (npm) where they are missing
//   --long     an artifact of 1 GB instead of 100 MB
//   --write    puts the screenshots into docs/images
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const flags = process.argv.slice(2);
const unknown = flags.find((flag) => !["--install", "--long", "--write"].includes(flag));
if (unknown !== undefined) {
  console.error(`test:browser: unknown option ${unknown}`);
  process.exit(2);
}

const run = (program, args) => spawnSync(program, args, { stdio: "inherit" }).status === 0;
const chromium = () => ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));

if (flags.includes("--install")) {
  if (chromium() === undefined && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const quiet = ["-qq", "-y", "--no-install-recommends"];
    run("apt-get", ["update", "-qq"]) && run("apt-get", ["install", ...quiet, "chromium", "fonts-wqy-microhei"]);
  }
  run("npm", ["ci", "--no-audit", "--no-fund", "--prefix", HERE]);
}
const program = chromium();
if (program === undefined || !existsSync(`${HERE}node_modules/playwright-core`)) {
  console.log(
    "Skipped: there is no Chromium, or playwright-core is not installed here. npm run test:browser -- --install brings both on Debian.",
  );
  process.exit(0);
}
const env = {
  ...process.env,
  SPILLWAY_CHROMIUM: program,
  SPILLWAY_BROWSER_LONG: flags.includes("--long") ? "1" : "0",
  SPILLWAY_BROWSER_WRITE: flags.includes("--write") ? "1" : "0",
};
const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.browser.config.ts"];
process.exit(spawnSync(process.execPath, args, { cwd: PROJECT, env, stdio: "inherit" }).status ?? 1);
