import { lstatSync } from "node:fs";
import path from "node:path";
import vm from "node:vm";
import picomatch from "picomatch";
import { z } from "zod";
import { closing } from "../../artifacts/byte-source.ts";
import { ToolFailure } from "../../protocol/builder.ts";
import { defineTool, nextPage } from "../registry/define-tool.ts";
import { fitsWhole } from "../registry/tool-run.ts";
import { listFiles } from "./list-files.ts";

const MAX_GLOB_CHARS = 1000;
/** A path takes microseconds; an expression that explodes takes for ever. */
const COSTLY_TIMEOUT_MS = 500;
/** Four stars in one name, and repeated or alternative groups: patterns that can backtrack exponentially. */
const COSTLY = /(?:\*[^/*]+){3}\*|\(/;

export interface GlobOptions {
  /** Name of the parameter, for a complaint. */
  readonly parameter: string;
  /** Match names that start with a dot. @default false */
  readonly dot?: boolean;
}

/** Tests paths against a glob; fails with INVALID_PARAM for an invalid one. */
export function createGlobMatcher(glob: string, { parameter, dot = false }: GlobOptions): (path: string) => boolean {
  if (glob === "" || glob.length > MAX_GLOB_CHARS || glob.includes("\0")) {
    throw wrong(parameter, glob, `must have 1 to ${MAX_GLOB_CHARS} characters, none of them NUL`);
  }
  checkClosed(parameter, glob);
  const expression = compile(parameter, glob, dot);
  if (!COSTLY.test(glob)) return (path) => path === glob || expression.test(path);
  const context = vm.createContext({ expression, path: "" });
  const script = new vm.Script("expression.test(path)");
  return (path) => {
    context.path = path;
    try {
      return path === glob || Boolean(script.runInContext(context, { timeout: COSTLY_TIMEOUT_MS }));
    } catch {
      throw wrong(parameter, glob, "takes too long to compare with a path");
    }
  };
}

function compile(parameter: string, glob: string, dot: boolean): RegExp {
  try {
    // Without `debug`, picomatch turns an invalid expression into one that never matches.
    return picomatch.makeRe(takeLiterally(glob), { dot, posix: true, flags: "s", debug: true });
  } catch (cause) {
    throw wrong(parameter, glob, "is not a valid glob", cause);
  }
}

/** Parentheses are part of a name, as in app/(shop)/page.tsx, unless they offer a choice. */
function takeLiterally(glob: string): string {
  return glob.replace(/(^|[^@!+*?\\])\(([^()|]*)\)/g, "$1\\($2\\)");
}

function wrong(parameter: string, glob: string, what: string, cause?: unknown): ToolFailure {
  const shown = glob.length > 100 ? `${glob.slice(0, 100)}…` : glob;
  return new ToolFailure("INVALID_PARAM", `${parameter} ${shown.replaceAll("\0", "\\0")} ${what}.`, {
    next: 'Give a glob such as "**/*.ts" or "*.{ts,tsx}".',
    cause,
  });
}

/** Refuses a glob with a bracket, brace or parenthesis that never closes, which would quietly match nothing. */
function checkClosed(parameter: string, glob: string): void {
  const plain = glob.replace(/\\./g, "").replace(/\[[!^]?\]?[^\]]*\]/g, "");
  const isOpen = (open: string, close: string) => plain.split(open).length > plain.split(close).length;
  const open = plain.includes("[") ? "[" : isOpen("{", "}") ? "{" : isOpen("(", ")") ? "(" : undefined;
  if (open === undefined) return;
  throw new ToolFailure("INVALID_PARAM", `${parameter} ${glob} opens a ${open} that it does not close.`, {
    next: `Close it, or write \\${open} for the character itself.`,
  });
}

const GLOB_LIMIT = 100;
/** Quotes, escapes and the newline of a path. */
const PATH_BYTES = 8;

/** Finds files by name. */
export const globTool = defineTool({
  name: "Glob",
  description: `Find files by a glob pattern such as "src/**/*.ts" ("**/" for any depth), newest first, at most ${GLOB_LIMIT} unless limit says otherwise. Respects .gitignore; names that start with a dot only if the pattern has the dot.`,
  readOnly: true,
  parameters: z.strictObject({
    pattern: z.string().min(1).describe("Glob pattern, relative to path."),
    path: z.string().default(".").describe("Directory to search, relative to the root."),
    limit: z.int().min(1).default(GLOB_LIMIT).describe("Most paths to return."),
    offset: z.int().min(1).default(1).describe("First path to return, from 1."),
  }),
  async execute({ pattern, path: given, limit, offset }, run) {
    checkPattern(pattern);
    const directory = await run.sandbox.openDirectory(given);
    return closing(directory.handle, async () => {
      const hidden = /(^|\/)\./.test(pattern);
      const options = { parameter: "pattern", dot: hidden };
      const matches = createGlobMatcher(pattern, options);
      const deeper = pattern.includes("/") ? () => false : createGlobMatcher(`**/${pattern}`, options);
      const newest = new NewestPaths(offset - 1 + limit);
      let deeperCount = 0;
      const shortcoming = await listFiles(run, directory, {
        hidden,
        accepts: (name) => matches(name) || deeper(name),
        onPath(name) {
          if (matches(name)) newest.add(name, modifiedAt(`${directory.real}/${name}`));
          else deeperCount++;
        },
      });
      const prefix = directory.relative === "." ? "" : `${directory.relative}/`;
      const listed = newest.list().slice(offset - 1);
      const paths = listed.map((name) => prefix + name);
      const cut = newest.total > paths.length;
      const data = { paths, truncated: cut, ...shortcoming.data };
      const parts = { path: directory.relative, stats: { total_paths: newest.total } };
      const wider = deeperCount > 0 ? ` ${deeperCount} more match '**/${pattern}'.` : "";
      const found = `${newest.total} ${newest.total === 1 ? "path" : "paths"}`;
      const text = `Found ${found} for '${pattern}' in '${directory.relative}'.${wider}`;
      const because = [
        ...(cut ? [offset > 1 ? `begun at path ${offset}` : `cut at the limit of ${limit}`] : []),
        ...shortcoming.because,
      ].join("; ");
      if (because === "") return run.success({ paths, truncated: false }, text, parts);
      const { total } = newest;
      const fits = fitsWhole(total, newest.bytes + total * (prefix.length + PATH_BYTES), await run.limits());
      const page = { offset, limit, shown: paths.length, total, fits };
      const next = cut
        ? `${nextPage("Glob", { pattern, path: directory.relative }, page)}; or narrow pattern or path.`
        : "Narrow pattern or path when a file seems to be missing.";
      return run.partial(data as typeof data & { truncated: true }, text, { because, next }, parts);
    });
  },
});

function checkPattern(pattern: string): void {
  const absolute = path.isAbsolute(pattern) || path.win32.isAbsolute(pattern);
  if (!absolute && !pattern.split(/[/\\]/).includes("..")) return;
  throw new ToolFailure("ACCESS_DENIED", `The pattern ${pattern} leads outside the directory it is searched in.`, {
    next: 'Give a pattern relative to path, such as "src/**/*.ts".',
  });
}

function modifiedAt(location: string): number {
  try {
    return lstatSync(location).mtimeMs;
  } catch {
    return 0; // gone since it was listed
  }
}

const MIN_ROOM = 200;

/** Keeps the newest of many paths without holding or sorting the others. */
class NewestPaths {
  /** How many were added. */
  total = 0;
  /** UTF-8 bytes of all of them. */
  bytes = 0;
  readonly #limit: number;
  readonly #room: number;
  #kept: { readonly path: string; readonly modified: number }[] = [];
  /** Older ones are no longer among the newest. */
  #oldest = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
    this.#room = Math.max(MIN_ROOM, limit * 2);
  }

  add(path: string, modified: number): void {
    this.total++;
    this.bytes += Buffer.byteLength(path);
    if (modified < this.#oldest) return;
    this.#kept.push({ path, modified });
    if (this.#kept.length > this.#room) this.#cut();
  }

  /** The newest first; equally old ones in the order of paths. */
  list(): string[] {
    this.#cut();
    return this.#kept.map(({ path }) => path);
  }

  #cut(): void {
    this.#kept.sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1));
    if (this.#kept.length < this.#limit) return;
    this.#kept.length = this.#limit;
    this.#oldest = this.#kept.at(-1)?.modified ?? this.#oldest;
  }
}
