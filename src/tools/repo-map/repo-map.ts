import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from "node:fs";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { z } from "zod";
import { ToolFailure } from "../../protocol/tool-failure.ts";
import { defineTool } from "../define-tool.ts";
import { listFiles } from "../list-files.ts";
import { isInside, type SandboxedHandle } from "../sandbox.ts";
import type { ToolRun } from "../tool-run.ts";
import { type FileTags, TagExtractor } from "./extract-tags.ts";
import { languageOf } from "./languages.ts";
import { rankDefinitions } from "./rank.ts";
import { renderMap } from "./render-map.ts";
import { TagCache } from "./tag-cache.ts";

const MAP_MAX_TOKENS = 2000;
/** Larger files are generated more often than written. */
const MAX_FILE_BYTES = 512 * 1024;
const MAX_FILES = 20_000;
/** Files between two chances for others to run. */
const BATCH = 20;

/** Shows the most important definitions of a repository. */
export const repoMapTool = defineTool({
  name: "RepoMap",
  aliases: ["repo_map"],
  description: `Map a repository: its most referenced definitions with file and line, ranked, within ${MAP_MAX_TOKENS} tokens unless max_tokens says otherwise. focus names words or paths that matter more. Respects .gitignore.`,
  readOnly: true,
  parameters: z.strictObject({
    path: z.string().default(".").describe("Directory, relative to the root."),
    max_tokens: z.int().min(50).max(200_000).default(MAP_MAX_TOKENS).describe("Most tokens of the map."),
    focus: z.string().optional().describe("Words or paths to rank higher."),
  }),
  async execute({ path: given, max_tokens: maxTokens, focus }, run) {
    const directory = await run.sandbox.openDirectory(given);
    try {
      const names: string[] = [];
      let skipped = 0;
      const fallback = await listFiles(run, directory, {
        onPath(name) {
          if (languageOf(name) === undefined) return;
          if (names.length < MAX_FILES) names.push(name);
          else skipped++;
        },
      });
      names.sort();
      const { tags, cached, failed } = await readTags(run, directory, names);
      const ranked = rankDefinitions(tags, focus);
      const map = renderMap(ranked, maxTokens);
      const stats = {
        total_files: names.length + skipped,
        cached_files: cached,
        total_definitions: ranked.length,
        shown_definitions: map.shown,
        tokens: map.tokens,
      };
      const parts = { path: directory.relative, stats };
      const text = `Mapped ${names.length} source ${names.length === 1 ? "file" : "files"} below '${directory.relative}': showing ${map.shown} of ${ranked.length} definitions in ${map.tokens} tokens.`;
      const cut = map.shown < ranked.length || skipped > 0;
      const reasons = [
        ...(map.shown < ranked.length ? [`the best ranked ones that fit into ${maxTokens} tokens`] : []),
        ...(skipped > 0 ? [`${skipped} files after the first ${MAX_FILES} were left out`] : []),
        ...(failed.length > 0 ? [`${failed.length} files could not be mapped, see failed_items`] : []),
        ...(fallback === undefined ? [] : ["ripgrep is not available, so a slower JavaScript walk was used"]),
      ];
      if (reasons.length === 0) return run.success({ map: map.text, truncated: false }, text, parts);
      const data = {
        map: map.text,
        truncated: cut,
        ...(fallback === undefined ? {} : { fallback }),
        ...(failed.length > 0 ? { failed_items: failed.slice(0, BATCH) } : {}),
      };
      const wider = { path: directory.relative, max_tokens: Math.min(200_000, maxTokens * 2) };
      const next = `RepoMap ${JSON.stringify(wider)} shows more; or give a path further down, or focus.`;
      return run.partial(data as typeof data & { truncated: true }, text, { because: reasons.join("; "), next }, parts);
    } finally {
      await directory.handle.close();
    }
  },
});

async function readTags(run: ToolRun, directory: SandboxedHandle, names: readonly string[]) {
  const cache = await TagCache.load(run.sandbox);
  const extractor = new TagExtractor();
  const tags = new Map<string, FileTags>();
  const failed: string[] = [];
  let cached = 0;
  try {
    for (const [index, name] of names.entries()) {
      if (index % BATCH === 0) await yieldToOthers();
      if (run.signal?.aborted) throw new ToolFailure("EXECUTION_ERROR", "The call was aborted.");
      const file = directory.relative === "." ? name : `${directory.relative}/${name}`;
      const location = `${directory.real}/${name}`;
      const stats = lstatSync(location, { throwIfNoEntry: false });
      const untouched = stats && cache.getUntouched(file, stats);
      if (untouched !== undefined) {
        cached++;
        tags.set(file, untouched);
        continue;
      }
      const rules = languageOf(name);
      const content = readSource(location, run.sandbox.root);
      if (stats === undefined || rules === undefined || content === undefined) {
        failed.push(name);
        continue;
      }
      const key = TagCache.keyOf(content, rules.grammar);
      const known = cache.get(key);
      if (known !== undefined) cached++;
      const found = known ?? (await extractor.extract(content.toString(), rules));
      if (known === undefined) cache.set(key, found);
      cache.sight(file, stats, key);
      tags.set(file, found);
    }
  } finally {
    await extractor.dispose();
  }
  await cache.save();
  return { tags, cached, failed };
}

/** A source file's content; undefined when it is gone, too large, or a link that was put in its place. */
function readSource(location: string, root: string): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(location, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    if (process.platform === "linux" && !isInside(root, readlinkSync(`/proc/self/fd/${fd}`))) return undefined;
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > MAX_FILE_BYTES) return undefined;
    const buffer = Buffer.allocUnsafe(stats.size);
    return buffer.subarray(0, readSync(fd, buffer, 0, stats.size, 0));
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
