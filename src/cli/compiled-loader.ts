import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

/** What a bundle calls to load others; `import()` itself does not work in compiled code that was kept. */
interface BundleRequire {
  (name: string): unknown;
  importModule(name: string): Promise<unknown>;
}

/**
 * Loads CommonJS bundles of one folder and keeps their compiled form in it, for each version of Node its own. Where it
 * cannot be kept or is not accepted the bundles are compiled, as ever.
 */
export class CompiledLoader {
  readonly #folder: string;
  readonly #kept: string;
  readonly #require: BundleRequire;
  readonly #loaded = new Map<string, { exports: unknown }>();
  readonly #scripts = new Map<string, vm.Script>();
  /** True once something was compiled that is not kept. */
  #compiled = false;

  constructor(folder: string) {
    this.#folder = folder;
    this.#kept = join(folder, `compiled-${process.version}-${process.arch}`);
    const others = createRequire(join(folder, "index.cjs"));
    this.#require = Object.assign((name: string): unknown => (name.startsWith("./") ? this.load(name) : others(name)), {
      importModule: (name: string) => import(pathToFileURL(join(folder, name)).href),
    });
  }

  /** The exports of a bundle, by a name such as "./run.cjs". */
  load(name: string): unknown {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    this.#loaded.set(name, module);
    const file = join(this.#folder, name);
    const run = this.#compile(name, file);
    run(module.exports, this.#require, module, file, this.#folder);
    return module.exports;
  }

  /**
   * Keeps what was compiled, with all functions that were called since; to be called at the end. When one bundle is new,
   * all are kept again: a process that needs it calls other functions of the others too.
   */
  keep(): void {
    if (!this.#compiled) return;
    try {
      for (const [name, script] of this.#scripts) {
        mkdirSync(this.#kept, { recursive: true });
        writeWhole(join(this.#kept, name), script.createCachedData());
      }
    } catch {
      // A folder that cannot be written is no one's fault: the next start compiles again.
    }
  }

  #compile(name: string, file: string): (...scope: readonly unknown[]) => void {
    // The build leaves nothing but ASCII in these files.
    const source = readFileSync(file, "latin1");
    const cachedData = this.#readKept(name, file);
    const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
      filename: file,
      ...(cachedData === undefined ? {} : { cachedData }),
    });
    this.#scripts.set(name, script);
    this.#compiled ||= script.cachedDataRejected !== false;
    return script.runInThisContext() as (...scope: readonly unknown[]) => void;
  }

  /** Node itself compares only the length of the source. */
  #readKept(name: string, file: string): Buffer | undefined {
    const kept = join(this.#kept, name);
    try {
      return statSync(kept).mtimeMs < statSync(file).mtimeMs ? undefined : readFileSync(kept);
    } catch {
      return undefined;
    }
  }
}

/** Others may read the file at any time, so that it is never to be seen unfinished. */
function writeWhole(file: string, bytes: Uint8Array): void {
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, bytes, { flag: "wx" });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
