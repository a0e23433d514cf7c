import { z } from "zod";
import { closing } from "../../artifacts/byte-source.ts";
import { onOneLine } from "../../gate/quote-word.ts";
import { pluralOf } from "../../preview/omission.ts";
import { listFiles } from "../files/list-files.ts";
import { defineTool } from "../registry/define-tool.ts";
import { roomToGrow, WORTH_IT } from "../registry/tool-run.ts";
import type { FileTags } from "./extract-tags.ts";
import { languageOf } from "./languages.ts";
import { readTags } from "./read-tags.ts";

/** "`from` refers to `to`", both as numbers from 0. */
interface Reference {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

const DAMPING = 0.85;
const MAX_ITERATIONS = 200;
/** Per node. */
const TOLERANCE = 1e-5;

/** PageRank of `count` nodes, which add up to 1. A node that refers to nothing hands its rank on to all alike. */
export function pageRank(count: number, references: readonly Reference[]): Float64Array {
  const outgoing = new Float64Array(count);
  for (const { from, weight } of references) outgoing[from] = at(outgoing, from) + weight;
  let ranks = new Float64Array(count).fill(1 / count);
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    const dangling = ranks.reduce((sum, rank, node) => (outgoing[node] === 0 ? sum + rank : sum), 0);
    const next = new Float64Array(count).fill((1 - DAMPING + DAMPING * dangling) / count);
    for (const { from, to, weight } of references) {
      next[to] = at(next, to) + (DAMPING * at(ranks, from) * weight) / at(outgoing, from);
    }
    const change = next.reduce((sum, rank, node) => sum + Math.abs(rank - at(ranks, node)), 0);
    ranks = next;
    if (change < count * TOLERANCE) break;
  }
  return ranks;
}

function at(numbers: Float64Array, index: number): number {
  return numbers[index] as number;
}

/** A definition with its weight in the repository. */
interface RankedDefinition {
  readonly file: string;
  readonly name: string;
  readonly line: number;
  readonly text: string;
  readonly rank: number;
}

/** A name that more files than this define says nothing about which one is meant. */
const MAX_DEFINERS = 20;
const FOCUS_BOOST = 1000;
/** Share of its file's rank for a definition without references. */
const UNUSED_SHARE = 0.01;

/** Ranks definitions by PageRank over "file uses a name that another file defines"; words in focus count more. */
function rankDefinitions(tags: ReadonlyMap<string, FileTags>, focus: string | undefined): RankedDefinition[] {
  const all = [...tags.values()];
  const definers = indexDefinitions(all);
  const uses = collectUses(all, definers);
  const ranks = pageRank(all.length, uses);
  distribute(ranks, uses);
  const words = focusWords(focus);
  const ranked: RankedDefinition[] = [];
  let number = 0;
  for (const [file, { defs }] of tags) {
    const own = ((ranks[number] as number) * UNUSED_SHARE) / Math.max(1, defs.length);
    for (const [name, line, text] of defs) {
      const received = definers.get(name)?.find((definer) => definer.file === number)?.received ?? 0;
      const boost = isFocused(words, file, name) ? FOCUS_BOOST : 1;
      ranked.push({ file, name, line, text, rank: (received + own) * boost });
    }
    number++;
  }
  return ranked.sort((a, b) => b.rank - a.rank || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
}

/** A file, by number, that defines a name which others can reach. */
interface Definer {
  readonly file: number;
  reach: number;
  /** Rank that the users of the name hand on to it. */
  received: number;
}

/** A file uses a name that another one defines. */
interface Use extends Reference {
  readonly definer: Definer;
}

function indexDefinitions(all: readonly FileTags[]): Map<string, Definer[]> {
  const definers = new Map<string, Definer[]>();
  for (const [file, { defs }] of all.entries()) {
    for (const [name, , , reach] of defs) {
      if (reach === 0) continue;
      const known = definers.get(name);
      const last = known?.at(-1);
      if (known === undefined) definers.set(name, [{ file, reach, received: 0 }]);
      else if (last?.file === file) last.reach = Math.max(last.reach, reach);
      else known.push({ file, reach, received: 0 });
    }
  }
  return definers;
}

function collectUses(all: readonly FileTags[], definers: ReadonlyMap<string, readonly Definer[]>): Use[] {
  const uses: Use[] = [];
  for (const [from, { words, counts }] of all.entries()) {
    for (const [at, word] of words.entries()) {
      const known = definers.get(word);
      if (known === undefined || known.length > MAX_DEFINERS || known.some(({ file }) => file === from)) continue;
      const weight = (Math.sqrt(counts[at] ?? 0) * weightOfName(word)) / known.length;
      for (const definer of known) uses.push({ from, to: definer.file, definer, weight: weight * definer.reach });
    }
  }
  return uses;
}

/** Long compound names are rarely used by chance; short words often are, and private names are not meant for others. */
function weightOfName(name: string): number {
  if (name.startsWith("_") || /^[a-z]{1,7}$/.test(name)) return 0.1;
  const compound = name.length >= 8 && (/[a-z][A-Z]/.test(name) || name.includes("_"));
  return compound ? 3 : 1;
}

/** Hands each file's rank on to the definitions it uses, by weight. */
function distribute(ranks: Float64Array, uses: readonly Use[]): void {
  const total = new Float64Array(ranks.length);
  for (const { from, weight } of uses) total[from] = (total[from] as number) + weight;
  for (const { from, definer, weight } of uses) {
    definer.received += ((ranks[from] as number) * weight) / (total[from] as number);
  }
}

function focusWords(focus: string | undefined): string[] {
  return (focus ?? "")
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word.length > 1);
}

function isFocused(words: readonly string[], file: string, name: string): boolean {
  return words.some((word) => file.toLowerCase().includes(word) || name.toLowerCase().includes(word));
}

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
