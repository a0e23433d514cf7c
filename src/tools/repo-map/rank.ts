import type { FileTags } from "./extract-tags.ts";
import { pageRank, type Reference } from "./page-rank.ts";

/** A definition with its weight in the repository. */
export interface RankedDefinition {
  readonly file: string;
  readonly name: string;
  readonly line: number;
  readonly text: string;
  readonly rank: number;
}

/** A name that more files than this define says nothing about which one is meant. */
const MAX_DEFINERS = 20;
const FOCUS_BOOST = 1000;
/** What a definition that nobody refers to gets of its file's rank. */
const UNUSED_SHARE = 0.01;

/** Ranks definitions by PageRank over "file uses a name that another file defines"; words in focus count more. */
export function rankDefinitions(tags: ReadonlyMap<string, FileTags>, focus: string | undefined): RankedDefinition[] {
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
