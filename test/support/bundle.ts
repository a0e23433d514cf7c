import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsdown";

const PROJECT = new URL("../..", import.meta.url).pathname;

/** A script that a bare `node` can run; it may import from `src/…` by paths relative to the project. */
export interface BundledScript {
  readonly path: string;
  remove(): void;
}

let count = 0;

export interface BundleOptions {
  /** Bundle packages too: takes longer once, and lets each process start in two thirds of the time. @default false */
  readonly packages?: boolean;
}

/** Bundles TypeScript for a child process. The result lies in node_modules, so that packages resolve. */
export async function bundleScript(source: string, { packages = false }: BundleOptions = {}): Promise<BundledScript> {
  const dir = join(PROJECT, "node_modules", ".cache", `script-${process.pid}-${count++}`);
  mkdirSync(dir, { recursive: true });
  const entry = join(dir, "script.ts");
  writeFileSync(entry, source.replaceAll(/(["'])(src|test)\//g, `$1${PROJECT}$2/`));
  await build({
    entry: { script: entry },
    cwd: PROJECT,
    outDir: join(dir, "out"),
    config: false,
    format: "esm",
    platform: "node",
    target: "node20",
    dts: false,
    clean: false,
    logLevel: "silent",
    ...(packages ? { deps: { alwaysBundle: [/^(?!node:|@vscode\/)/] } } : {}),
    outExtensions: () => ({ js: ".mjs" }),
  });
  return { path: join(dir, "out", "script.mjs"), remove: () => rmSync(dir, { recursive: true, force: true }) };
}
