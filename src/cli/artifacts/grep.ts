import type { Command } from "commander";
import { sayBasicPattern } from "../../artifacts/search/basic-pattern.ts";
import type { GrepAnswer, GrepMatch, GrepOptions } from "../../artifacts/search/grep-file.ts";
import { given, parseBytes, parseLimit } from "../../limits/check.ts";
import { pluralOf } from "../../preview/omission.ts";
import { writeJson, writeRaw } from "../emit.ts";
import { forOutput, tell } from "../terminal.ts";
import { createSubcommand, type JsonFlags } from "./flags.ts";
import { findTarget, openArtifacts, REFERENCE, type Target } from "./open-artifacts.ts";

interface GrepFlags extends JsonFlags {
  readonly ignoreCase?: boolean;
  readonly fixedStrings?: boolean;
  readonly limit?: string;
  readonly maxBytes?: string;
}

/** `spillway artifacts grep` */
export function createGrepCommand(): Command {
  return createSubcommand(
    "grep",
    "Search an artifact or file for a regular expression. Of a long line, only the part around the match is shown, with its byte.",
    ["grep 'error|warning' ID -i", "grep -F 'a[0]' ID --limit 10", "grep timeout build.log --json"],
  )
    .argument("<pattern>", "regular expression, such as 'error|warn' (not basic grep's 'error\\|warn')")
    .argument("<id|path>", REFERENCE)
    .option("-i, --ignore-case", "ignore case")
    .option("-F, --fixed-strings", "treat the pattern as plain text")
    .option("--limit <n>", "most matches to show (default: 50)")
    .option("--max-bytes <n>", "most bytes of text to show (default: 16384)")
    .action((pattern: string, reference: string, _flags: GrepFlags, command: Command) =>
      grep(pattern, reference, command.optsWithGlobals()),
    );
}

async function grep(pattern: string, reference: string, flags: GrepFlags): Promise<void> {
  const limit = given(flags.limit, "--limit", parseLimit) ?? 50;
  const maxBytes = given(flags.maxBytes, "--max-bytes", parseBytes) ?? 16_384;
  const artifacts = await openArtifacts(flags);
  const target = await findTarget(artifacts, reference);
  const { ignoreCase, fixedStrings } = flags;
  const found = await grepTarget(target, pattern, { ignoreCase, fixedStrings, limit, maxBytes });
  const answer = { ...found, matches: found.matches.map((match) => ({ ...match, text: artifacts.clean(match.text) })) };
  if (answer.totalMatches === 0) process.exitCode = 1;
  if (flags.json === true) return writeJson({ path: target.label, ...answer });
  if (answer.totalMatches === 0) {
    const basic = fixedStrings === true ? "" : sayBasicPattern(pattern);
    tell(`no match in ${target.label}${basic === "" ? "" : `. ${basic}`}`);
    return;
  }
  const { colors } = await import("../colors.ts");
  await writeRaw(answer.matches.map((match) => `${colors.green(place(match))}:${forOutput(show(match))}\n`).join(""));
  const total = `${answer.totalMatches} ${pluralOf(answer.totalMatches, "match")} in ${answer.matchingLines} ${pluralOf(answer.matchingLines, "line")}`;
  if (!answer.complete) tell(`${total}; shown are the first ${answer.matches.length}`);
}

async function grepTarget({ path, artifact }: Target, pattern: string, options: GrepOptions): Promise<GrepAnswer> {
  const { grepArtifact } = await import("../../artifacts/search/search-artifact.ts");
  const { grepFile } = await import("../../artifacts/search/grep-file.ts");
  if (artifact === undefined) return grepFile(path, pattern, options);
  return grepArtifact(artifact.store, { id: artifact.id, path }, pattern, options);
}

function place(match: GrepMatch): string {
  return match.cutBefore || match.cutAfter ? `${match.line}@${match.matchByte}` : String(match.line);
}

function show(match: GrepMatch): string {
  return `${match.cutBefore ? "…" : ""}${match.text}${match.cutAfter ? "…" : ""}`;
}
