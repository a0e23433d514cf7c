import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import ts from "typescript";
import { type BuiltPackage, PROJECT } from "../support/build.ts";
import { type InstalledPackage, userEnvironment } from "../support/installed-package.ts";
import { FILES, PROGRAMS, SOURCES } from "./stand-ins.ts";

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  /** Null where it served until it was ended. */
  readonly code: number | null;
}

/**
 * A user's project with a home of its own. `spillway` is on the path and imported from where it was built, or, with
 * `installed`, it is only in the project's own node_modules, and `npx` is npm's.
 */
export class Sandbox {
  readonly root: string;
  readonly #scriptFolder: string;
  readonly #env: NodeJS.ProcessEnv;
  #scripts = 0;

  constructor(folder: string, built: BuiltPackage | InstalledPackage, env: NodeJS.ProcessEnv, files: boolean) {
    const installed = "app" in built;
    this.root = installed ? built.app : join(folder, "shop");
    this.#scriptFolder = installed ? built.app : built.folder;
    const [bin, home] = [join(folder, "bin"), join(folder, "home")];
    for (const name of [this.root, bin, home, join(home, ".claude")]) mkdirSync(name, { recursive: true });
    const examples = join(installed ? built.folder : PROJECT, "examples");
    if (files) cpSync(examples, join(this.root, "examples"), { recursive: true });
    for (const [name, text] of Object.entries({ ...SOURCES, ...(files ? FILES : {}) })) {
      mkdirSync(dirname(join(this.root, name)), { recursive: true });
      writeFileSync(join(this.root, name), text);
    }
    if (!installed) {
      chmodSync(built.bin, 0o755);
      symlinkSync(built.bin, join(bin, "spillway"));
    }
    for (const [name, script] of Object.entries(PROGRAMS)) {
      if (installed && name === "npx") continue;
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
    const path = `${bin}${delimiter}${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
    this.#env = { ...userEnvironment(home), PATH: path, PROJECT, ...env };
  }

  /** Runs a line of a shell; one that serves is ended once it says where. */
  shell(line: string, serves = false): Promise<Ran> {
    return this.#run("bash", ["-c", line], "", serves);
  }

  /** Runs a line on a terminal, where somebody says yes. */
  terminal(line: string): Promise<Ran> {
    return this.#run("script", ["-qec", line, "/dev/null"], "y\n", false);
  }

  /** Runs a script that imports the package by its name. */
  script(source: string, input = ""): Promise<Ran> {
    const file = join(this.#scriptFolder, `from-docs-${process.pid}-${this.#scripts++}.mjs`);
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true },
    });
    writeFileSync(file, outputText);
    return this.#run(process.execPath, [file], input, false).finally(() => rmSync(file));
  }

  #run(command: string, args: readonly string[], input: string, serves: boolean): Promise<Ran> {
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { cwd: this.root, env: this.#env, detached: serves });
      let [stdout, stderr] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
        if (serves && /https?:\/\//.test(stdout)) process.kill(-child.pid!);
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
      });
      child.stdin.on("error", () => {}); // it may end before it reads
      child.stdin.end(input);
      child.on("error", reject);
      child.on("close", (code) => resolve({ stdout, stderr, code }));
    });
  }
}
