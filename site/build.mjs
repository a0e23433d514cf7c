// Builds docs/ into a static site and follows every link in it: node site/build.mjs [--or-skip]
//   --or-skip  says so and ends well where VitePress cannot be installed
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findDeadLinks } from "./dead-links.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const INSTALLED = join(HERE, "node_modules", ".spillway-lock");
const lock = readFileSync(join(HERE, "package-lock.json"), "utf8");
const upToDate = () => existsSync(INSTALLED) && readFileSync(INSTALLED, "utf8") === lock;

if (!upToDate()) {
  // Not `npm ci`, which refuses a lock file without the binaries of other platforms; a registry may lack those.
  const npm = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", HERE];
  if (spawnSync("npm", npm, { cwd: HERE, stdio: ["ignore", "ignore", "inherit"] }).status === 0)
    writeFileSync(INSTALLED, lock);
}
if (!upToDate()) {
  console.log("Skipped: VitePress could not be installed, so the site is not built.");
  process.exit(process.argv.includes("--or-skip") ? 0 : 1);
}

// A dead link between pages ends the build itself.
const vitepress = join(HERE, "node_modules", "vitepress", "bin", "vitepress.js");
const built = spawnSync(process.execPath, [vitepress, "build", HERE], { stdio: ["ignore", "ignore", "inherit"] });
if (built.status !== 0) process.exit(built.status ?? 1);

const searched = readdirSync(join(HERE, "dist", "assets", "chunks")).some((name) => name.includes("localSearchIndex"));
if (!searched) console.error("The site has no index to search.");
const { pages, links, dead } = findDeadLinks(join(HERE, "dist"));
for (const link of dead) console.error(`Dead link: ${link}`);
console.log(`Site: ${pages} pages, ${links} links, ${dead.length} dead; it is in site/dist.`);
process.exit(!searched || dead.length > 0 || pages < 20 || links < 200 ? 1 : 0);
