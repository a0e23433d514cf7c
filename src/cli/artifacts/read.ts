import type { Command } from "commander";
import { closing } from "../../artifacts/byte-source.ts";
import { readLinesFrom, readPart, readTextRange, scanLineIndex } from "../../artifacts/read-lines.ts";
import type { LinesAnswer, LinesRequest } from "../../artifacts/types.ts";
import { invalidArgument } from "../../errors.ts";
import { given, parseBytes, parseLimit } from "../../limits/check.ts";
import { MAX_BYTES, MAX_LINES } from "../../limits/defaults.ts";
import { formatPlural } from "../../preview/omission.ts";
import { writeJson, writeOut, writeRaw } from "../emit.ts";
import { tell } from "../terminal.ts";
import {
  createSubcommand,
  findTarget,
  type JsonFlags,
  type OpenArtifacts,
  openArtifacts,
  openTarget,
  parseByteRange,
  REFERENCE,
  type Target,
} from "./open-artifacts.ts";

interface ReadFlags extends JsonFlags {
  readonly offset?: string;
  readonly limit?: string;
  readonly bytes?: string;
  readonly maxBytes?: string;
  readonly raw?: boolean;
  readonly all?: boolean;
  readonly part?: string;
}

/** `spillway artifacts read` */
export function createReadCommand(): Command {
  return createSubcommand(
    "read",
    "Read lines or bytes of an artifact or any file. Standard error says what was left out.",
    [
      "read ID --offset 12000 --limit 200",
      "read ID --bytes 5000000-5004096",
      "read ID --all --part 2",
      "read build.log --offset 1 --json",
    ],
  )
    .argument("<id|path>", REFERENCE)
    .option("--offset <line>", "first line, from 1 (default: 1)")
    .option("--limit <n>", `most lines to show (default: ${MAX_LINES})`)
    .option("--bytes <A-B>", "exact bytes instead of lines, from 0, B not included (default: lines)")
    .option("--max-bytes <n>", `most bytes to print (default: ${MAX_BYTES})`)
    .option("--all", "all of it in parts of --max-bytes; standard error says how many calls that takes")
    .option("--part <n>", "with --all: which part (default: 1)")
    .option("--raw", "print escape codes on a terminal too; pipes and files always get them")
    .action((reference: string, _flags: ReadFlags, command: Command) => read(reference, command.optsWithGlobals()));
}

async function read(reference: string, flags: ReadFlags): Promise<void> {
  const maxBytes = given(flags.maxBytes, "--max-bytes", parseBytes) ?? MAX_BYTES;
  if (flags.bytes !== undefined && (flags.offset !== undefined || flags.limit !== undefined)) {
    throw invalidArgument("--bytes cannot be combined with --offset or --limit.");
  }
  if (flags.all === true && (flags.bytes ?? flags.offset ?? flags.limit) !== undefined) {
    throw invalidArgument("--all cannot be combined with --offset, --limit or --bytes.");
  }
  if (flags.part !== undefined && flags.all !== true) throw invalidArgument("--part needs --all.");
  const part = given(flags.part, "--part", parseLimit) ?? 1;
  const range = flags.bytes === undefined ? undefined : parseByteRange(flags.bytes);
  const offsetLine = given(flags.offset, "--offset", parseLimit) ?? 1;
  const limit = given(flags.limit, "--limit", parseLimit) ?? MAX_LINES;
  const artifacts = await openArtifacts(flags);
  const target = await findTarget(artifacts, reference);
  const { clean } = artifacts;
  if (range !== undefined) return readBytes(target, { ...range, maxBytes, clean }, flags);
  if (flags.all === true) {
    const answer = await closing(await openTarget(target), (source) => readPart(source, { part, maxBytes }));
    const left = answer.parts - part;
    if (flags.json === true) return writeJson({ path: target.label, ...answer, text: clean(answer.text) });
    await print(clean(answer.text), flags);
    if (left === 0) return;
    const again = flags.maxBytes === undefined ? "" : ` --max-bytes ${flags.maxBytes}`;
    const calls = formatPlural(left, "more call");
    return note(
      `part ${part} of ${answer.parts}; ${calls} to read all. Continue with --all --part ${part + 1}${again}`,
    );
  }
  const found = await readLines(target, { offsetLine, limit, maxBytes });
  const answer = { ...found, text: clean(found.text) };
  if (offsetLine > Math.max(1, answer.totalLines)) process.exitCode = 1;
  if (flags.json === true) return writeJson({ path: target.label, ...answer });
  await print(answer.text, flags);
  note(describeLines(answer));
}

export async function readLines(target: Target, request: LinesRequest): Promise<LinesAnswer> {
  if (target.artifact !== undefined) return target.artifact.store.readLines(target.artifact.id, request);
  return closing(await openTarget(target), async (source) =>
    readLinesFrom(source, await scanLineIndex(source), request),
  );
}

async function readBytes(
  target: Target,
  {
    startByte: from,
    endByte: to,
    maxBytes,
    clean,
  }: { startByte: number; endByte: number; maxBytes: number; clean: OpenArtifacts["clean"] },
  flags: ReadFlags,
): Promise<void> {
  await closing(await openTarget(target), async (source) => {
    const wantedEnd = Math.min(to, source.size);
    const cut = wantedEnd - from > maxBytes;
    if (from > 0 && from >= source.size) process.exitCode = 1;
    const text = await readTextRange(source, { startByte: from, endByte: cut ? from + maxBytes : wantedEnd });
    if (flags.json === true) {
      return writeJson({ path: target.label, ...text, text: clean(text.text), totalBytes: source.size });
    }
    const endByte = cut ? text.endByte : wantedEnd;
    await print(clean(await source.read(from, endByte)), flags);
    if (from >= source.size) note(`nothing from byte ${from} on: it has ${formatPlural(source.size, "byte")}`);
    else if (cut)
      note(`bytes ${from}-${endByte} of ${source.size}; continue with --bytes ${endByte}-${to === Infinity ? "" : to}`);
  });
}

async function print(text: string | Uint8Array, { raw }: ReadFlags): Promise<void> {
  await (raw === true ? writeRaw(text) : writeOut(text));
}

function describeLines(answer: LinesAnswer): string | undefined {
  const { startLine, endLine, totalLines, totalBytes, endByte, lineCut } = answer;
  if (endLine < startLine)
    return `nothing from line ${startLine} on: it has ${formatPlural(totalLines, "line")}${totalLines > 0 ? `; the last is --offset ${totalLines}` : ""}`;
  if (lineCut) return `line ${startLine} continues; read the rest with --bytes ${endByte}-`;
  if (endByte >= totalBytes) return undefined;
  return `lines ${startLine}-${endLine} of ${totalLines}; continue with --offset ${endLine + 1}`;
}

function note(text: string | undefined): void {
  if (text !== undefined) tell(text);
}
