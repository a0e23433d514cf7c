import type { Command } from "commander";
import { sayBasicPattern } from "../../artifacts/search/bounded-regex.ts";
import type { GrepAnswer, GrepMatch, GrepOptions } from "../../artifacts/search/grep-file.ts";
import { given, parseBytes, parseLimit } from "../../limits/check.ts";
import { pluralOf } from "../../preview/omission.ts";
import { writeJson, writeRaw } from "../emit.ts";
import { forOutput, tell } from "../terminal.ts";
import {
  createSubcommand,
  findTarget,
  type JsonFlags,
  openArtifacts,
  REFERENCE,
  refuseFolder,
  type Target,
} from "./open-artifacts.ts";
import { readLines } from "./read.ts";

/** Most of one line around a match. */
const CONTEXT_BYTES = 400;

interface GrepFlags extends JsonFlags {
  readonly ignoreCase?: boolean;
  readonly fixedStrings?: boolean;
  readonly context?: string;
  readonly limit?: string;
  readonly maxBytes?: string;
}

/** `spillway artifacts grep` */
export function createGrepCommand(): Command {
  return createSubcommand(
    "grep",
    "Search an artifact or file for a regular expression. Of a long line, only the part around the match is shown, with its byte.",
    ["grep 'error|warning' ID -i", "grep -F 'a[0]' ID -C 3 --limit 10", "grep timeout build.log --json"],
  )
    .argument("<pattern>", "regular expression, such as 'error|warn' (not basic grep's 'error\\|warn')")
    .argument("<id|path>", REFERENCE)
    .option("-i, --ignore-case", "ignore case")
    .option("-F, --fixed-strings", "treat the pattern as plain text")
    .option("-C, --context <n>", "lines to show before and after each match (default: 0)")
    .option("--limit <n>", "most matches to show (default: 50)")
    .option("--max-bytes <n>", "most bytes of text to show (default: 16384)")
    .action((pattern: string, reference: string, _flags: GrepFlags, command: Command) =>
      grep(pattern, reference, command.optsWithGlobals()),
    );
}

async function grep(pattern: string, reference: string, flags: GrepFlags): Promise<void> {
  const limit = given(flags.limit, "--limit", parseLimit) ?? 50;
  const maxBytes = given(flags.maxBytes, "--max-bytes", parseBytes) ?? 16_384;
  const context = flags.context === "0" ? 0 : (given(flags.context, "--context", parseLimit) ?? 0);
  const artifacts = await openArtifacts(flags);
  const target = await findTarget(artifacts, reference);
  const { ignoreCase, fixedStrings } = flags;
  const found = await grepTarget(target, pattern, { ignoreCase, fixedStrings, limit, maxBytes });
  const answer = { ...found, matches: found.matches.map((match) => ({ ...match, text: artifacts.clean(match.text) })) };
  if (answer.totalMatches === 0) process.exitCode = 1;
  const neighbours = context === 0 ? [] : await readAround(target, answer.matches, { context, maxBytes });
  const around = neighbours.map(({ line, text }) => ({ line, text: artifacts.clean(text) }));
  if (flags.json === true)
    return writeJson({ path: target.label, ...answer, ...(context === 0 ? {} : { context: around }) });
  if (answer.totalMatches === 0) {
    const basic = fixedStrings === true ? "" : sayBasicPattern(pattern);
    tell(`no match in ${target.label}${basic === "" ? "" : `. ${basic}`}`);
    return;
  }
  const { colors } = await import("../colors.ts");
  const rows = [
    ...answer.matches.map((match) => ({
      line: match.line,
      text: `${colors.green(place(match))}:${forOutput(show(match))}\n`,
    })),
    ...around.map(({ line, text }) => ({ line, text: `${line}-${forOutput(text)}\n` })),
  ].sort((left, right) => left.line - right.line);
  const parted = rows.map(({ line, text }, at) =>
    context > 0 && at > 0 && line > rows[at - 1]!.line + 1 ? `--\n${text}` : text,
  );
  await writeRaw(parted.join(""));
  const total = `${answer.totalMatches} ${pluralOf(answer.totalMatches, "match")} in ${answer.matchingLines} ${pluralOf(answer.matchingLines, "line")}`;
  if (!answer.complete) tell(`${total}; shown are the first ${answer.matches.length}`);
}

async function grepTarget(target: Target, pattern: string, options: GrepOptions): Promise<GrepAnswer> {
  const { path, artifact } = target;
  const { grepArtifact } = await import("../../artifacts/search/search-artifact.ts");
  const { grepFile } = await import("../../artifacts/search/grep-file.ts");
  if (artifact === undefined) await refuseFolder(target);
  if (artifact === undefined) return grepFile(path, pattern, options);
  return grepArtifact(artifact.store, { id: artifact.id, path }, pattern, options);
}

/** The lines around matches that are no matches themselves, each cut to what is shown of a long one. */
async function readAround(
  target: Target,
  matches: readonly GrepMatch[],
  { context, maxBytes }: { readonly context: number; readonly maxBytes: number },
): Promise<readonly { readonly line: number; readonly text: string }[]> {
  const matching = new Set(matches.map(({ line }) => line));
  const around: { line: number; text: string }[] = [];
  let next = 1;
  let roomBytes = maxBytes;
  for (const match of matches) {
    const last = match.line + context;
    for (let line = Math.max(next, match.line - context); line <= last && roomBytes > 0; line++) {
      next = line + 1;
      if (matching.has(line)) continue;
      const answer = await readLines(target, {
        offsetLine: line,
        limit: 1,
        maxBytes: Math.min(CONTEXT_BYTES, roomBytes),
      });
      if (answer.endLine < line) break;
      roomBytes -= answer.endByte - answer.startByte;
      around.push({ line, text: answer.text.replace(/\r?\n$/, "") + (answer.lineCut ? "…" : "") });
    }
  }
  return around;
}

function place(match: GrepMatch): string {
  return match.cutBefore || match.cutAfter ? `${match.line}@${match.matchByte}` : String(match.line);
}

function show(match: GrepMatch): string {
  return `${match.cutBefore ? "…" : ""}${match.text}${match.cutAfter ? "…" : ""}`;
}
