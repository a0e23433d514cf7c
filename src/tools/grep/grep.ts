import type { FileHandle } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { closing } from "../../artifacts/byte-source.ts";
import { sayBasicPattern } from "../../artifacts/search/bounded-regex.ts";
import { ARTIFACT_DIR, TRUNCATE_DIR } from "../../limits/defaults.ts";
import { PLATFORM } from "../../platform/platform.ts";
import { findRipgrep, sharedFile } from "../../process/ripgrep.ts";
import { ToolFailure } from "../../protocol/builder.ts";
import { createGlobMatcher } from "../files/glob.ts";
import { listFiles } from "../files/list-files.ts";
import { defineTool } from "../registry/define-tool.ts";
import type { ToolRun } from "../registry/tool-run.ts";
import { fitsAsItems, fitsWhole } from "../registry/tool-run.ts";
import { openArtifactFile, orArtifact } from "../sandbox/artifact-path.ts";
import { DirectoryWitness, directoryPath, type SandboxedHandle } from "../sandbox/sandbox.ts";
import { beginsCut, type CollectedMatch, FileWitness, GrepCollector, type GrepMatch } from "./collector.ts";
import { joinPosix, searchInJavaScript } from "./search-in-javascript.ts";
import { searchWithRipgrep } from "./search-with-ripgrep.ts";

const GREP_LIMIT = 100;
const GREP_TIMEOUT_MS = 30_000;
const MAX_FAILED_ITEMS = 20;
/** Bytes shown before and after a match in a line that is too long. */
const SNIPPET_BEFORE = 100;
const SNIPPET_AFTER = 300;

/** Searches the content of files. */
export const grepTool = defineTool({
  name: "Grep",
  aliases: ["grep_search"],
  description: `Search file contents with a regular expression (ripgrep syntax). Returns file, line and text of at most ${GREP_LIMIT} matches unless limit says otherwise, and the total. Respects .gitignore; a file named in path is always searched, also a saved tool output.`,
  readOnly: true,
  findsArtifacts: true,
  parameters: z.strictObject({
    pattern: z.string().min(1).describe("Regular expression."),
    path: z.string().default(".").describe("File or directory to search, relative to the root."),
    glob: z
      .string()
      .min(1)
      .optional()
      .describe('Only files that match, such as "*.ts" or "src/**/*.js"; "!*.md" leaves out.'),
    ignore_case: z.boolean().default(false),
    multiline: z
      .boolean()
      .default(false)
      .describe("Let the pattern span lines, with . for a newline too; a match then has all its lines in text."),
    show_context: z.int().min(0).max(20).default(0).describe("Lines to show before and after each match."),
    limit: z.int().min(1).default(GREP_LIMIT).describe("Most matches to return."),
    offset: z.int().min(1).default(1).describe("First match to return, from 1."),
  }),
  async execute(args, run) {
    if (args.pattern.includes("\0")) {
      throw new ToolFailure("INVALID_PARAM", "A pattern cannot hold a NUL character.", { next: "Write \\x00 for it." });
    }
    const target = await orArtifact(
      run,
      args.path,
      () => run.sandbox.open(args.path),
      (artifact) => openArtifactFile(run, artifact),
    );
    return closing(target.handle, () => search(args, target, run));
  },
});

interface GrepArgs {
  readonly pattern: string;
  readonly path: string;
  readonly glob?: string | undefined;
  readonly ignore_case: boolean;
  readonly multiline: boolean;
  readonly show_context: number;
  readonly limit: number;
  readonly offset: number;
}

async function search(args: GrepArgs, target: SandboxedHandle, run: ToolRun) {
  const collector = new GrepCollector(args.offset - 1 + args.limit);
  const timeout = AbortSignal.timeout(GREP_TIMEOUT_MS);
  const signal = run.signal === undefined ? timeout : AbortSignal.any([timeout, run.signal]);
  const program = await findRipgrep(run.environment.ripgrep);
  const options = {
    pattern: args.pattern,
    ignoreCase: args.ignore_case,
    multiline: args.multiline,
    showContext: args.show_context,
    signal,
  };
  const filter = grepFilter(args.glob);
  const failed =
    program === null
      ? await searchInJavaScript({ ...options, files: await filesToSearch(target, filter, run) }, collector)
      : await searchWithRipgrep({ ...options, program, ...ripgrepTarget(target, filter, run) }, collector);
  if (run.signal?.aborted) throw new ToolFailure("EXECUTION_ERROR", "The search was aborted.");
  return respond(args, target, run, collector, { failed, fallback: program === null, timedOut: timeout.aborted });
}

function ripgrepTarget(target: SandboxedHandle, filter: GrepFilter, run: ToolRun) {
  const base = directoryPath(target.handle, target.real);
  if (!target.stats.isDirectory()) {
    // Descriptors can be handed on wherever there is /dev/fd; elsewhere the path has to do.
    const shared = PLATFORM.handsOnDescriptors ? [target.handle.fd] : [];
    return {
      cwd: run.sandbox.root,
      targets: shared.length === 0 ? [target.real] : [sharedFile()],
      sharedFds: shared,
      filterArgs: [],
      accepts: () => true,
      everything: false,
      nameOf: () => target.relative,
    };
  }
  const names = new DirectoryWitness(target);
  const nameBelow = (file: string) => (target.relative === "." ? file : path.posix.relative(target.relative, file));
  return {
    cwd: base,
    targets: ["."],
    // Unverified files are searched by descriptor, which Windows cannot pass on.
    witness: PLATFORM.handsOnDescriptors
      ? new FileWitness(run.sandbox.root, (file) => path.join(base, nameBelow(file)))
      : undefined,
    hasName: (printed: string) => names.has(printed),
    filterArgs: filter.args,
    accepts: (file: string) => filter.accepts(nameBelow(file)),
    everything: target.relative === ARTIFACT_DIR || target.relative === TRUNCATE_DIR,
    nameOf: (printed: string) => joinPosix(target.relative, printed.replace(/^\.\//, "")),
  };
}

async function filesToSearch(target: SandboxedHandle, filter: GrepFilter, run: ToolRun) {
  if (!target.stats.isDirectory()) {
    return [{ file: target.relative, open: async () => ({ fd: target.handle.fd, close: async () => {} }) }];
  }
  const names: string[] = [];
  await listFiles(run, target, { onPath: (name) => filter.accepts(name) && names.push(name) });
  return names.map((name) => {
    const file = joinPosix(target.relative, name);
    const open = async () => {
      const { handle } = await run.sandbox.openFile(file);
      return { fd: handle.fd, close: () => handle.close() };
    };
    return { file, open };
  });
}

interface Ending {
  readonly failed: readonly string[];
  readonly fallback: boolean;
  readonly timedOut: boolean;
}

async function respond(
  args: GrepArgs,
  target: SandboxedHandle,
  run: ToolRun,
  collector: GrepCollector,
  ending: Ending,
) {
  const { totalMatches, totalFiles } = collector;
  if (ending.timedOut && totalMatches === 0) {
    throw new ToolFailure(
      "TIMEOUT",
      `The search took longer than ${GREP_TIMEOUT_MS / 1000} s and found nothing until then.`,
      {
        next: "Narrow path or glob, or simplify the pattern.",
      },
    );
  }
  const found = collector.results(args.show_context).slice(args.offset - 1);
  const show = (around: number) => Promise.all(found.map((match) => showMatch(run, target, match, around)));
  const limits = await run.limits();
  let matches = await show(args.show_context);
  // Default context must not reduce the number of matches.
  const alone = args.show_context > 0 && !run.gave("show_context") && !fitsAsItems(matches, limits);
  if (alone) matches = await show(0);
  const incomplete = totalMatches > matches.length;
  const cut = incomplete && (matches.length >= args.limit || args.offset > 1);
  const failedItems = ending.failed.slice(0, MAX_FAILED_ITEMS);
  const data = {
    matches,
    truncated: incomplete || ending.timedOut || alone,
    ...(ending.fallback ? { fallback: "javascript" } : {}),
    ...(failedItems.length > 0 ? { failed_items: failedItems } : {}),
  };
  const parts = { path: target.relative, stats: { total_matches: totalMatches, total_files: totalFiles } };
  const files = `${totalFiles} ${totalFiles === 1 ? "file" : "files"}`;
  const count = `${totalMatches} ${totalMatches === 1 ? "match" : "matches"}`;
  const acrossLines = totalMatches === 0 && !args.multiline && /\n|\\n/.test(args.pattern);
  const basic = totalMatches === 0 ? sayBasicPattern(args.pattern) : "";
  const advice = [
    ...(acrossLines ? ["Without multiline, a pattern matches within one line only."] : []),
    ...(basic === "" ? [] : [basic]),
  ];
  const text = `Found ${count} for '${args.pattern}' in ${files} below '${target.relative}'${incomplete ? `, showing ${matches.length}` : ""}.${advice.map((each) => ` ${each}`).join("")}`;
  const reasons = [
    ...(cut ? [args.offset > 1 ? `begun at match ${args.offset}` : `cut at the limit of ${args.limit}`] : []),
    ...(alone ? [`the ${args.show_context} lines around each match are left out to make room`] : []),
    ...(ending.timedOut ? [`stopped after ${GREP_TIMEOUT_MS / 1000} s`] : []),
    ...(ending.fallback ? ["ripgrep is not available, so a slower JavaScript search was used"] : []),
    ...(failedItems.length > 0
      ? [`${ending.failed.length} could not be searched or shown whole, see failed_items`]
      : []),
  ];
  if (reasons.length === 0) return run.success({ matches, truncated: false }, text, parts);
  const end = args.offset - 1 + matches.length;
  const { offset: _, show_context, ...others } = asked(args);
  const base = alone ? others : { ...others, show_context };
  const call = (more: object): string => `Grep ${JSON.stringify({ ...base, path: target.relative, ...more })}`;
  // The matches that are not shown may be longer than those that are.
  const bytes = (JSON.stringify(matches).length / Math.max(1, matches.length)) * totalMatches * 1.5;
  const next = !cut
    ? "Narrow path or glob when a match seems to be missing."
    : fitsWhole(totalMatches, bytes, limits)
      ? `Narrow pattern, path or glob, or call ${call({ limit: totalMatches })}.`
      : end < totalMatches
        ? `Narrow pattern, path or glob; ${call({ offset: end + 1 })} shows the next.`
        : `Narrow pattern, path or glob; ${call({})} shows the first.`;
  return run.partial(data as typeof data & { truncated: true }, text, { because: reasons.join("; "), next }, parts);
}

/** The parameters without those that only repeat a default. */
function asked(args: GrepArgs): Partial<GrepArgs> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => Boolean(value)));
}

/** A match as the model sees it; of a line that is too long, the part around the match. */
async function showMatch(
  run: ToolRun,
  target: SandboxedHandle,
  { file, match, before, after }: CollectedMatch,
  around: number,
): Promise<GrepMatch> {
  const { line, endLine = line, text, matchByte } = match;
  const snippet =
    matchByte !== undefined && beginsCut(text) ? await readSnippet(run, target, file, matchByte) : undefined;
  return {
    file,
    line,
    ...(endLine > line ? { end_line: endLine } : {}),
    ...(snippet ?? { text }),
    ...(around > 0 ? { before, after } : {}),
  };
}

async function readSnippet(run: ToolRun, target: SandboxedHandle, file: string, matchByte: number) {
  const opened = target.stats.isDirectory() ? await run.sandbox.openFile(file).catch(() => undefined) : undefined;
  const handle = opened?.handle ?? (target.stats.isDirectory() ? undefined : target.handle);
  if (handle === undefined) return undefined;
  try {
    return await snippetAround(handle, matchByte);
  } finally {
    await opened?.handle.close();
  }
}

async function snippetAround(
  handle: FileHandle,
  matchByte: number,
): Promise<{ text: string; bytes: string } | undefined> {
  const start = Math.max(0, matchByte - SNIPPET_BEFORE);
  const head = await handle.read(Buffer.alloc(2), 0, 2, 0);
  const isUtf16 = head.buffer[0] === 0xff || head.buffer[0] === 0xfe;
  if (isUtf16) return undefined; // ripgrep counts the bytes of its own UTF-8 there
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIPPET_BEFORE + SNIPPET_AFTER), 0, undefined, start);
  const bytes = buffer.subarray(0, bytesRead);
  const lineStart = bytes.lastIndexOf(10, Math.max(0, matchByte - start - 1)) + 1;
  const lineEnd = bytes.indexOf(10, matchByte - start);
  const shown = bytes.subarray(matchByte === start ? 0 : lineStart, lineEnd === -1 ? bytes.length : lineEnd);
  const text = shown.toString().replace(/^\ufffd+|\ufffd+$/g, "");
  return { text: `…${text}…`, bytes: `${start}-${start + bytesRead}` };
}

/** A file filter: ripgrep's arguments, and the test that decides. */
interface GrepFilter {
  readonly args: readonly string[];
  readonly accepts: (path: string) => boolean;
}

/**
 * Turns a glob into a filter. ripgrep's own --glob overrides .gitignore, so it gets the last part of the pattern, where
 * both interpret it the same way, as a file type, which does not; the whole pattern is then checked on the results.
 */
function grepFilter(glob: string | undefined): GrepFilter {
  if (glob === undefined) return { args: [], accepts: () => true };
  const negated = glob.startsWith("!");
  const pattern = negated ? glob.slice(1) : glob;
  const whole = createGlobMatcher(pattern.includes("/") ? pattern : `**/${pattern}`, { parameter: "glob", dot: true });
  if (negated) return { args: [], accepts: (file) => !whole(file) };
  const name = path.posix.basename(pattern);
  const isPlain = /^[\w.*?-]+$/.test(name) && name !== "**" && !/[{}()[\]]/.test(pattern);
  const isPlainChoice = !pattern.includes("/") && /^[\w.*?-]*\{[\w.*?,-]+\}[\w.*?-]*$/.test(name);
  return { args: isPlain || isPlainChoice ? ["--type-add", `chosen:${name}`, "--type", "chosen"] : [], accepts: whole };
}
