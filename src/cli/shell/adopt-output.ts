import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { boundFile, isBounded, MAX_BOUNDED_CHARS, tellBounded } from "../../integrations/hosts/bound-file.ts";
import { findHost } from "../../integrations/hosts/find-host.ts";
import {
  ensureSpoolFolder,
  packageFolder,
  removeOldFiles,
  spoolFolder,
} from "../../integrations/hosts/program-folder.ts";
import { findContext } from "../../integrations/hosts/transcripts/find-transcripts.ts";
import { wrapperVariables } from "../../integrations/hosts/wrapper-files.ts";
import { judgeEnd } from "../../process/process-end.ts";
import { checkQuery, type Query } from "../../query/query-context.ts";
import { endLine, writeOut } from "../emit.ts";
import { findRoot } from "../options.ts";
import { ownCommand } from "../own-command.ts";
import { passThrough } from "../pass-through.ts";

export interface AdoptRequest {
  readonly host: string;
  readonly file: string;
  readonly exitCode: number;
  readonly maxBytes?: number | undefined;
  /** Bytes that the reader has seen already. */
  readonly shownBytes: number;
  readonly lost: boolean;
  readonly tool?: string | undefined;
  readonly query?: string | undefined;
  /** As the host's shell tool started it. */
  readonly line?: string | undefined;
  readonly cwd?: string | undefined;
}

const DISK_FULL = "not all of it could be written to the disk";

/** Prints the bounded form of a finished output, and keeps its file as the artifact. */
export async function adoptOutput(request: AdoptRequest): Promise<void> {
  const host = findHost(request.host);
  const { size } = await stat(request.file);
  const marked = size <= MAX_BOUNDED_CHARS ? await readFile(request.file) : undefined;
  // Another layer of Spillway has bounded it.
  if (marked !== undefined && isBounded(marked.toString())) return writeOut(marked.subarray(request.shownBytes));
  const cwd = path.resolve(request.cwd ?? process.cwd());
  const root = findRoot(cwd);
  const ended = { exitCode: request.exitCode, signal: null, timedOut: false, aborted: false, heldOpen: false };
  const outcome = judgeEnd(ended);
  const command = request.line === undefined ? undefined : unframeLine(request.line);
  const governed = await boundFile(host, {
    file: request.file,
    tool: request.tool ?? host.shellTool ?? "shell",
    root,
    outcome: request.lost && "cutShort" in outcome ? { ...outcome, cutShort: DISK_FULL } : outcome,
    maxBytes: request.maxBytes,
    query: parseQuery(request.query) ?? { ...(await findContext(host, cwd)), ...(command && { command }) },
    commandLine: command,
    command: ownCommand({}),
  });
  // The part passed on before may end inside a line, and is not repeated.
  if (governed.kind === "whole")
    await writeOut((governed.bytes ?? Buffer.from(governed.text)).subarray(request.shownBytes));
  else
    await writeOut(
      `${request.shownBytes > 0 ? "\n" : ""}${endLine(await tellBounded(host, governed, root), governed.limits)}`,
    );
  await removeOldFiles(spoolFolder());
}

/** A question in words, or JSON from a plugin. */
function parseQuery(text: string | undefined): Query | undefined {
  if (text?.startsWith("{") !== true) return text;
  try {
    const query = JSON.parse(text) as Query;
    checkQuery(query, "--query");
    return query;
  } catch {
    return text;
  }
}

/** Runs a line in the host's shell wrapper, and ends as the line ends. */
export async function runWrapped(hostName: string, line: string): Promise<void> {
  const host = findHost(hostName);
  await ensureSpoolFolder().catch(() => undefined);
  const shell = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  const wrapper = path.join(packageFolder(), "bin", "spillway-shell");
  const source = '[ -n "$BASH_VERSION" ] || exec "$@"\nexport -n sw_wrapper\n. "$sw_wrapper"';
  const script = `${wrapperVariables(host, packageFolder())}\n${source}`;
  await passThrough(shell, ["-c", script, "spillway-shell", shell, "-c", line], {
    env: { ...process.env, sw_wrapper: wrapper },
  });
}

/** `… && eval 'LINE' < /dev/null && pwd -P >| FILE`, as Claude Code starts a line. */
const EVALUATED = /(?:^|[;&\s])eval (?=['"][\s\S]*pwd -P >\|)/;
/** `shopt -u …; { LINE; }; __code=$?; …`, as Gemini CLI and its kin do. */
const BRACED = /^(?:shopt -u [^;\n]*;\s*)?\{\s+([\s\S]*?)[;\s]*\}; __code=\$\?;/;
/** One word of a POSIX shell, in parts. */
const PART = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\;&|<>]+)/y;

/** The line that a host's model asked for, without the frame of the host's shell tool. */
export function unframeLine(line: string): string {
  const evaluated = EVALUATED.exec(line);
  const word = evaluated === null ? "" : firstWord(line.slice(evaluated.index + evaluated[0].length));
  return word || BRACED.exec(line)?.[1] || line.replace(/^shopt -u [^;\n]*;\s*/, "");
}

/** The first word of a shell text, without its quotes. */
function firstWord(text: string): string {
  let word = "";
  PART.lastIndex = 0;
  for (let part = PART.exec(text); part !== null; part = PART.exec(text)) {
    const [, single, double, escaped, plain] = part;
    word += single ?? double?.replaceAll(/\\([$`"\\!\n])/g, "$1") ?? escaped ?? plain ?? "";
  }
  return word;
}
