import { statSync } from "node:fs";
import path from "node:path";
import { quoteWord } from "../gate/quote-word.ts";
import type { ShellCommand } from "../gate/reader.ts";
import type { RootOptions } from "./options.ts";

export interface StartedAs {
  /** The script that node was given. */
  readonly script: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Folders that npm puts before the search path of what it starts; the reader's own shell does not have them. */
const NPM_FOLDER = /[/\\](?:node_modules[/\\]\.bin|node-gyp-bin)[/\\]?$/;
/** Where npx keeps what it fetched. */
const NPX_CACHE = /[/\\]_npx[/\\]/;

/** How the reader's shell starts this very program again, looking for artifacts where this run puts them. */
export function ownCommand(
  options: RootOptions,
  started: StartedAs = { script: process.argv[1] ?? "", env: process.env, cwd: process.cwd() },
): ShellCommand {
  const { root, config, dir = started.env.TOOL_OUTPUT_DIR } = options;
  const given = { root: root && path.resolve(root), dir, config: config && path.resolve(config) };
  const flags = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || value.trim() === "" ? [] : `--${name} ${quoteWord(value)}`,
  );
  return { program: sayProgram(started), flags: flags.join(" ") };
}

function sayProgram({ script, env, cwd }: StartedAs): string {
  const byNpm = env.npm_execpath !== undefined || env.npm_command !== undefined;
  const folders = (env.PATH ?? "").split(path.delimiter).filter((folder) => folder !== "");
  if (folders.some((folder) => !(byNpm && NPM_FOLDER.test(folder)) && isProgram(path.join(folder, "spillway")))) {
    return "spillway";
  }
  if (env.npm_command === "exec" || NPX_CACHE.test(script) || isInstalledAbove(cwd)) return "npx spillway";
  return `node ${quoteWord(script)}`;
}

/** True when npx finds the program in a project around this folder. */
function isInstalledAbove(folder: string): boolean {
  const parent = path.dirname(folder);
  return (
    isProgram(path.join(folder, "node_modules", ".bin", "spillway")) || (parent !== folder && isInstalledAbove(parent))
  );
}

/** True for a file of that name, or its form on Windows. */
function isProgram(file: string): boolean {
  return [file, `${file}.cmd`].some((name) => {
    try {
      return statSync(name, { throwIfNoEntry: false })?.isFile() === true;
    } catch {
      return false;
    }
  });
}
