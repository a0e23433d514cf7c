import { z } from "zod";
import { closing } from "../../artifacts/byte-source.ts";
import { onOneLine } from "../../gate/quote-word.ts";
import { pluralOf } from "../../preview/omission.ts";
import { listFiles } from "../files/list-files.ts";
import { defineTool } from "../registry/define-tool.ts";
import { roomToGrow, WORTH_IT } from "../registry/fits-whole.ts";
import { languageOf } from "./languages.ts";
import { type RankedDefinition, rankDefinitions } from "./rank.ts";
import { readTags } from "./read-tags.ts";

const MAP_MAX_TOKENS = 2000;
const MAX_FILES = 20_000;
const MAX_FAILED_ITEMS = 20;

/** Shows the most important definitions of a repository. */
export const repoMapTool = defineTool({
  name: "RepoMap",
  aliases: ["repo_map"],
  description: `Map a repository: its most referenced definitions with file and line, ranked, within ${MAP_MAX_TOKENS} tokens unless max_tokens says otherwise. focus names words or paths that matter more. Respects .gitignore.`,
  readOnly: true,
  parameters: z.strictObject({
    path: z.string().default(".").describe("Directory, relative to the root."),
    max_tokens: z.int().min(50).max(200_000).default(MAP_MAX_TOKENS).describe("Most tokens for the map."),
    focus: z.string().optional().describe("Words or paths to rank higher."),
  }),
  async execute({ path: given, max_tokens: maxTokens, focus }, run) {
    const directory = await run.sandbox.openDirectory(given);
    return closing(directory.handle, async () => {
      const names: string[] = [];
      let skipped = 0;
      const shortcoming = await listFiles(run, directory, {
        accepts: (name) => languageOf(name) !== undefined,
        onPath(name) {
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
      const text = `Mapped ${names.length} source ${pluralOf(names.length, "file")} below '${directory.relative}': showing ${map.shown} of ${ranked.length} ${pluralOf(ranked.length, "definition")} in ${map.tokens} ${pluralOf(map.tokens, "token")}.`;
      const cut = map.shown < ranked.length || skipped > 0;
      const reasons = [
        ...(map.shown < ranked.length ? [`the best ranked ones that fit into ${maxTokens} tokens`] : []),
        ...(skipped > 0
          ? [`${skipped} more ${pluralOf(skipped, "file")} than the ${MAX_FILES} that are looked at`]
          : []),
        ...(failed.length > 0
          ? [`${failed.length} ${pluralOf(failed.length, "file")} could not be mapped, see failed_items`]
          : []),
        ...shortcoming.because,
      ];
      if (reasons.length === 0) return run.success({ map: map.text, truncated: false }, text, parts);
      const failedItems = [...failed, ...(shortcoming.data.failed_items ?? [])].slice(0, MAX_FAILED_ITEMS);
      const data = {
        map: map.text,
        truncated: cut,
        ...shortcoming.data,
        ...(failedItems.length > 0 ? { failed_items: failedItems } : {}),
      };
      const growth = Math.min(2, roomToGrow(map.text, await run.limits()));
      const wider = { path: directory.relative, max_tokens: Math.min(200_000, Math.floor(maxTokens * growth)) };
      const next =
        growth > WORTH_IT && map.shown < ranked.length
          ? `RepoMap ${JSON.stringify(wider)} shows more; or give a path further down, or focus.`
          : "Give a path further down, or focus, to see more.";
      return run.partial(data as typeof data & { truncated: true }, text, { because: reasons.join("; "), next }, parts);
    });
  },
});

const NUMBER_WIDTH = 5;

interface RenderedMap {
  readonly text: string;
  readonly shown: number;
  /** At most this many; loading a tokenizer for the exact number would take longer than the map. */
  readonly tokens: number;
}

/** The best definitions that fit into the tokens, by file, the best file first. */
function renderMap(ranked: readonly RankedDefinition[], maxTokens: number): RenderedMap {
  const files = new Map<string, Map<number, string>>();
  let tokens = 0;
  let shown = 0;
  for (const { file, line, text } of ranked) {
    const lines = files.get(file) ?? new Map<number, string>();
    if (lines.has(line)) {
      shown++;
      continue;
    }
    const shownLine = `${String(line).padStart(NUMBER_WIDTH)}: ${text}`;
    const cost = countTokens(`${shownLine}\n`) + (files.has(file) ? 0 : countTokens(`${file}\n`));
    if (tokens + cost > maxTokens) break;
    tokens += cost;
    shown++;
    files.set(file, lines.set(line, shownLine));
  }
  const blocks = [...files].map(([file, lines]) => {
    const inOrder = [...lines].sort(([a], [b]) => a - b).map(([, text]) => text);
    return [onOneLine(file), ...inOrder].join("\n");
  });
  return { text: blocks.join("\n"), shown, tokens };
}

/** Pieces that are rarely split further by a tokenizer for code; the blank before a word belongs to it. */
const PIECES = /[A-Za-z]{1,6}|[0-9]{1,3}|[^\sA-Za-z0-9]|\n|[ \t]{2,}/g;

function countTokens(text: string): number {
  return text.match(PIECES)?.length ?? 0;
}
