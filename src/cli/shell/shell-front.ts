import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { boundFile, tellBounded } from "../../integrations/hosts/bound-file.ts";
import { isBounded, MAX_BOUNDED_CHARS } from "../../integrations/hosts/bound-mark.ts";
import { findHost } from "../../integrations/hosts/find-host.ts";
import { frontVariables } from "../../integrations/hosts/front-files.ts";
import {
  ensureSpoolFolder,
  packageFolder,
  removeOldFiles,
  spoolFolder,
} from "../../integrations/hosts/program-folder.ts";
import { findContext } from "../../integrations/hosts/transcripts/find-context.ts";
import { unframeLine } from "../../integrations/hosts/unframe-line.ts";
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
  /** What the reader has seen of it already. */
  readonly shownBytes: number;
  readonly lost: boolean;
  readonly tool?: string | undefined;
  readonly query?: string | undefined;
  /** As the host's shell tool started it. */
  readonly line?: string | undefined;
  readonly cwd?: string | undefined;
}

const DISK_FULL = "not all of it could be written to the disk";

/** Prints what the host's model should see of a finished output, and keeps the file as the artifact. */
export async function adoptOutput(request: AdoptRequest): Promise<void> {
  const host = findHost(request.host);
  const { size } = await stat(request.file);
  const marked = size <= MAX_BOUNDED_CHARS ? await readFile(request.file) : undefined;
  // What another layer below has bounded is not bounded twice.
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
  // What was passed on before may end inside a line, and is not said twice.
  if (governed.kind === "whole")
    await writeOut((governed.bytes ?? Buffer.from(governed.text)).subarray(request.shownBytes));
  else
    await writeOut(
      `${request.shownBytes > 0 ? "\n" : ""}${endLine(await tellBounded(host, governed, root), governed.limits)}`,
    );
  await removeOldFiles(spoolFolder());
}

/** A question in words, or what a plugin knows of the call as JSON. */
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

/** Runs a line as the host's shell would with the front below it, and ends as the line ends. */
export async function runThroughFront(hostName: string, line: string): Promise<void> {
  const host = findHost(hostName);
  await ensureSpoolFolder().catch(() => undefined);
  const shell = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  const front = path.join(packageFolder(), "bin", "spillway-shell");
  const source = '[ -n "$BASH_VERSION" ] || exec "$@"\nexport -n sw_front\n. "$sw_front"';
  const script = `${frontVariables(host, packageFolder())}\n${source}`;
  await passThrough(shell, ["-c", script, "spillway-shell", shell, "-c", line], {
    env: { ...process.env, sw_front: front },
  });
}
