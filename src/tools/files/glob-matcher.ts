import vm from "node:vm";
import picomatch from "picomatch";
import { ToolFailure } from "../../protocol/tool-failure.ts";

const MAX_GLOB_CHARS = 1000;
/** A path takes microseconds; an expression that explodes takes for ever. */
const COSTLY_TIMEOUT_MS = 500;
/** Four stars in one name, and repeated or alternative groups: what can explode. */
const COSTLY = /(?:\*[^/*]+){3}\*|\(/;

export interface GlobOptions {
  /** Name of the parameter, for a complaint. */
  readonly parameter: string;
  /** Match names that start with a dot. @default false */
  readonly dot?: boolean;
}

/** Tests paths against a glob; fails with INVALID_PARAM for one that cannot be meant. */
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
    // Without `debug`, picomatch turns an invalid expression into one that matches nothing.
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
