import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { builtPackage, PROJECT } from "./build.ts";

const run = promisify(execFile);

/** Spillway installed into a project that has nothing else. */
export interface InstalledPackage {
  /** The project. */
  readonly app: string;
  /** The installed package. */
  readonly folder: string;
  /** The command line, to be run by `node`. */
  readonly bin: string;
  /** What npm printed; undefined without a registry, where the packages are copied instead. */
  readonly npmOutput: string | undefined;
}

/** The environment of a user who knows nothing of this repository. */
export function userEnvironment(home: string): NodeJS.ProcessEnv {
  const own = /^(npm_|NODE_PATH$|NODE_OPTIONS$|TOOL_OUTPUT_|SPILLWAY|XDG_|OTEL_|VITEST|AWS_|(OPENAI|ANTHROPIC)_|CI$)/;
  const inherited = Object.entries(process.env).filter(([name]) => !own.test(name) || name === "npm_config_cache");
  return { ...Object.fromEntries(inherited), HOME: home, NO_COLOR: "1" };
}

/** Packs the built package and gives the tarball's path. */
export async function packPackage(folder: string): Promise<string> {
  const staging = join(folder, "staging");
  cpSync((await builtPackage()).folder, staging, { recursive: true });
  for (const name of ["README.md", "README.zh-CN.md", "SECURITY.md", "LICENSE", "CHANGELOG.md", "docs", "examples"])
    cpSync(join(PROJECT, name), join(staging, name), { recursive: true });
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", pack, { cwd: staging });
  return join(folder, JSON.parse(stdout)[0].filename);
}

/** Installs the packed package into the project `app`, which must lie outside of this repository. */
export async function installPackage(app: string, tarball: string): Promise<InstalledPackage> {
  mkdirSync(app, { recursive: true });
  if (!existsSync(join(app, "package.json"))) writeFileSync(join(app, "package.json"), '{ "private": true }\n');
  const folder = join(realpathSync(app), "node_modules", "spillway");
  const npm = ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball];
  // npm's cache stays the user's own, so that a machine that has run `npm ci` needs hardly any network.
  const npmOutput = await run("npm", npm, { cwd: app, env: userEnvironment(process.env.HOME ?? app) }).then(
    ({ stdout, stderr }) => stdout + stderr,
    async (failed: { stderr: string }) => {
      if (!/ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENOTCACHED/.test(failed.stderr)) throw failed;
      await copyInstead(folder, tarball);
      return undefined;
    },
  );
  return { app: realpathSync(app), folder, bin: join(folder, "bin", "spillway.mjs"), npmOutput };
}

/** What npm would install, from this repository's own modules. */
async function copyInstead(folder: string, tarball: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
  const names = ["zod", "@vscode/ripgrep", `@vscode/ripgrep-${process.platform}-${process.arch}`];
  for (const name of names)
    cpSync(join(PROJECT, "node_modules", name), join(dirname(folder), name), { recursive: true, dereference: true });
}

/** The entries that the package exports, as a user names them. */
export function packageEntries(folder: string): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.keys(exports)
    .filter((name) => name !== "./package.json")
    .map((name) => `spillway${name.slice(1)}`);
}
