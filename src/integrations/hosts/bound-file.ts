import { link, mkdir, open, stat } from "node:fs/promises";
import path from "node:path";
import { stateArtifactDir } from "../../artifacts/local/store-folder.ts";
import type { ShellCommand } from "../../gate/reader.ts";
import { renderMessage } from "../../gate/render/notice.ts";
import { createSpillway } from "../../gate/spillway.ts";
import type { BoundedResult, GateOptions, Governed, Outcome } from "../../gate/types.ts";
import { HOST_ARTIFACT_DIR } from "../../limits/defaults.ts";
import type { Query } from "../../query/query-context.ts";
import type { Host } from "./host.ts";
import { removeOldFiles } from "./program-folder.ts";

export interface BoundFileRequest {
  /** Holds the whole output; becomes the artifact if the output is too large to show. */
  readonly file: string;
  readonly tool: string;
  readonly root: string;
  readonly outcome: Outcome;
  /** @default as the host's table says for the outcome */
  readonly maxBytes?: number | undefined;
  readonly query?: Query | undefined;
  /** The command that printed it, if known. */
  readonly commandLine?: string | undefined;
  /** Spillway's own command line, for artifacts that the host's reader refuses. */
  readonly command: ShellCommand;
}

/** How much of the beginning is searched for a line that the host's reader refuses. */
const SAMPLE_BYTES = 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** Users resume sessions days later. */
const LINKED_MS = 7 * 24 * 60 * 60 * 1000;

/** Bounds an output within the host's limits; the notice names the host's own tools. */
export async function boundFile(host: Host, request: BoundFileRequest): Promise<Governed> {
  const { file, tool, root, outcome, query, commandLine } = request;
  const own = host.artifacts === "project" ? HOST_ARTIFACT_DIR : stateArtifactDir(root);
  const readable = await canRead(host, file);
  const spillway = createSpillway({
    root,
    // The host can both write and read here; the project's own setting may name a folder that it cannot.
    dir: own,
    surface: host.name,
    maxBytes: request.maxBytes ?? (outcome.kind === "success" ? host.maxBytes.success : host.maxBytes.failure),
    strategy: "smart",
    agents: [],
    tools: readable ? host.readers : host.shellTool === undefined ? [] : [host.shellTool],
    lineArgs: host.lineArgs,
    command: readable || host.shellTool === undefined ? undefined : request.command,
  });
  const capture = await spillway.capture({ tool, query, commandLine, adopt: file } as GateOptions);
  for await (const chunk of chunksOf(file)) await capture.write(chunk);
  const governed = await capture.finish(outcome);
  await spillway.flush();
  return governed;
}

/** The text for the host's model. If the host's reader can read only its own folder, the saved output is linked there. */
export async function tellBounded(
  host: Host,
  governed: BoundedResult,
  root: string,
  transcript?: string,
): Promise<string> {
  const text = renderMessage(governed);
  const folder = host.readableFolder?.(root, transcript);
  if (folder === undefined || "lost" in governed.storage) return text;
  const saved = governed.storage.artifact.path;
  const linked = path.join(folder, path.basename(saved));
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeOldFiles(folder, LINKED_MS);
    await link(saved, linked);
    return text.replaceAll(saved, linked);
  } catch {
    return text;
  }
}

async function* chunksOf(file: string): AsyncIterable<Uint8Array> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    for (let at = 0; at < size; ) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, size - at), at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** True when the host's own tools take a file of this size with lines of this length. */
async function canRead({ largestRead: { fileBytes, lineBytes } }: Host, file: string): Promise<boolean> {
  const { size } = await stat(file);
  if (size > fileBytes) return false;
  if (lineBytes === Number.POSITIVE_INFINITY) return true;
  let inLine = 0;
  let seen = 0;
  for await (const chunk of chunksOf(file)) {
    for (let start = 0; ; ) {
      const end = chunk.indexOf(0x0a, start);
      inLine += (end === -1 ? chunk.length : end) - start;
      if (inLine > lineBytes) return false;
      if (end === -1) break;
      inLine = 0;
      start = end + 1;
    }
    seen += chunk.length;
    if (seen >= SAMPLE_BYTES) return true;
  }
  return true;
}

/** How a notice begins: `[1a2b3c] …` below a preview, `[spillway 1a2b3c: …` from the proxy, which may lack the mark. */
const NOTICE = /^\[(?:([0-9a-f]{6})\]|spillway(?: ([0-9a-f]{6}))?:) /gm;
/** The id of a saved output. */
const ARTIFACT_ID = /(?<![0-9a-z])[0-9a-z]{22}(?![0-9a-z])/;
/** Notices are at the end of a text, within so many characters. */
const NOTICE_CHARS = 3000;
/** More than any layer lets through; a longer text only quotes a notice. */
export const MAX_BOUNDED_CHARS = 60_000;

/**
 * True for a text that another layer of Spillway has already bounded; it is not bounded twice. Such a text ends with a
 * notice whose mark its markers carry too, or which names a saved output.
 */
export function isBounded(text: string): boolean {
  if (text.length > MAX_BOUNDED_CHARS) return false;
  const end = text.slice(-NOTICE_CHARS);
  return [...end.matchAll(NOTICE)].some(({ 1: own, 2: proxied, index }) => {
    const mark = own ?? proxied;
    return (mark !== undefined && text.includes(`…${mark} `)) || ARTIFACT_ID.test(end.slice(index));
  });
}
