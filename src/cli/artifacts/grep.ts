import type { Command } from "commander";
import type { GrepMatch } from "../../artifacts/search/grep-file.ts";
import { writeOut } from "../emit.ts";
import { createSubcommand, type JsonFlags, parseBytes, parseCount } from "./flags.ts";
import { findTarget, openArtifacts } from "./open-artifacts.ts";

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
    "Find a regular expression in an artifact or file. Long lines show the part around the match and its byte.",
    ["grep 'error|warning' ID -i", "grep -F 'a[0]' ID --limit 10", "grep timeout build.log --json"],
  )
    .argument("<pattern>", "regular expression")
    .argument("<id|path>", "id, file name, call id or path")
    .option("-i, --ignore-case", "ignore case")
    .option("-F, --fixed-strings", "take the pattern as plain text")
    .option("--limit <n>", "most matches to show (default: 50)")
    .option("--max-bytes <n>", "most bytes of text to show (default: 16384)")
    .action((pattern: string, reference: string, _flags: GrepFlags, command: Command) =>
      grep(pattern, reference, command.optsWithGlobals()),
    );
}

async function grep(pattern: string, reference: string, flags: GrepFlags): Promise<void> {
  const limit = parseCount(flags.limit, "--limit", 50);
  const maxBytes = parseBytes(flags.maxBytes, "--max-bytes", 16_384);
  const target = await findTarget(await openArtifacts(flags), reference);
  const { grepFile } = await import("../../artifacts/search/grep-file.ts");
  const { ignoreCase, fixedStrings } = flags;
  const answer = await grepFile(target.path, pattern, { ignoreCase, fixedStrings, limit, maxBytes });
  if (answer.totalMatches === 0) process.exitCode = 1;
  if (flags.json === true) return writeOut(`${JSON.stringify({ path: target.label, ...answer }, null, 2)}\n`);
  if (answer.totalMatches === 0) {
    process.stderr.write(`spillway: no match in ${target.label}\n`);
    return;
  }
  const { default: colors } = await import("picocolors");
  await writeOut(answer.matches.map((match) => `${colors.green(place(match))}:${show(match)}\n`).join(""));
  const total = `${answer.totalMatches} matches in ${answer.matchingLines} lines`;
  if (!answer.complete) process.stderr.write(`spillway: ${total}; shown are the first ${answer.matches.length}\n`);
}

function place(match: GrepMatch): string {
  return match.cutBefore || match.cutAfter ? `${match.line}@${match.matchByte}` : String(match.line);
}

function show(match: GrepMatch): string {
  return `${match.cutBefore ? "…" : ""}${match.text}${match.cutAfter ? "…" : ""}`;
}
