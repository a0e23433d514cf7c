import type { Command } from "commander";
import type { Passage } from "../../artifacts/search/search-passages.ts";
import { given, parseBytes, parseLimit } from "../../limits/check.ts";
import { writeJson, writeRaw } from "../emit.ts";
import { forOutput, tell } from "../terminal.ts";
import {
  checkQuestion,
  createSubcommand,
  findTarget,
  type JsonFlags,
  openArtifacts,
  REFERENCE,
} from "./open-artifacts.ts";

interface SearchFlags extends JsonFlags {
  readonly limit?: string;
  readonly maxBytes?: string;
}

/** `spillway artifacts search` */
export function createSearchCommand(): Command {
  return createSubcommand("search", "Find the passages of an artifact, file or folder that fit a question best.", [
    'search "why was the connection refused" ID',
    'search "\\"exit code 137\\" memory" build.log --limit 3',
  ])
    .argument("<words>", "question or words; a quoted phrase counts more where it appears exactly")
    .argument("<id|path>", REFERENCE)
    .option("--limit <n>", "most passages (default: 5)")
    .option("--max-bytes <n>", "most bytes of text to show (default: 8192)")
    .action((words: string, reference: string, _flags: SearchFlags, command: Command) =>
      search(words, reference, command.optsWithGlobals()),
    );
}

async function search(words: string, reference: string, flags: SearchFlags): Promise<void> {
  const limit = given(flags.limit, "--limit", parseLimit) ?? 5;
  const maxBytes = given(flags.maxBytes, "--max-bytes", parseBytes) ?? 8192;
  checkQuestion(words);
  const artifacts = await openArtifacts(flags);
  const target = await findTarget(artifacts, reference);
  const { searchTarget } = await import("./search-target.ts");
  const found = await searchTarget(artifacts.root, target, words, { limit, maxBytes });
  const passages = found.map((passage) => ({ ...passage, text: artifacts.clean(passage.text) }));
  if (passages.length === 0) process.exitCode = 1;
  if (flags.json === true) return writeJson({ path: target.label, passages });
  if (passages.length === 0) {
    tell(
      `nothing in ${target.label} fits ${JSON.stringify(words)}; try other words, or spillway artifacts grep with a pattern`,
    );
    return;
  }
  await writeRaw(`${(await Promise.all(passages.map(formatPassage))).join("\n\n")}\n`);
}

async function formatPassage(passage: Passage): Promise<string> {
  const { colors } = await import("../colors.ts");
  const similar = passage.similar > 0 ? `; ${passage.similar} more like it` : "";
  const first = passage.startLine;
  const lines = forOutput(passage.text).split("\n");
  const width = String(first + lines.length - 1).length;
  const head = `${colors.bold(`${forOutput(passage.path)}:${passage.line}`)}  ${colors.dim(`(${forOutput(passage.reasons.join("; "))}${similar})`)}`;
  const body = lines.map((line, at) => {
    const number = String(first + at).padStart(width);
    return first + at === passage.line ? `> ${number} ${line}` : `  ${number} ${line}`;
  });
  return [head, ...body].join("\n");
}
