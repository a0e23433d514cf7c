import type { FileTags } from "./extract-tags.ts";

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
export async function rankDefinitions(
  tags: ReadonlyMap<string, FileTags>,
  focus: string | undefined,
): Promise<RankedDefinition[]> {
  const definers = indexDefinitions(tags);
  const edges = collectEdges(tags, definers);
  const ranks = await pageRank([...tags.keys()], edges);
  const received = distribute(ranks, edges);
  const words = focusWords(focus);
  const all: RankedDefinition[] = [];
  for (const [file, { defs }] of tags) {
    const own = ((ranks[file] ?? 0) * UNUSED_SHARE) / Math.max(1, defs.length);
    for (const [name, line, text] of defs) {
      const boost = isFocused(words, file, name) ? FOCUS_BOOST : 1;
      all.push({ file, name, line, text, rank: ((received.get(`${file}\0${name}`) ?? 0) + own) * boost });
    }
  }
  return all.sort((a, b) => b.rank - a.rank || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly name: string;
  readonly weight: number;
}

/** Which files define a name that others can reach, and how well. */
type Definers = ReadonlyMap<string, ReadonlyMap<string, number>>;

function indexDefinitions(tags: ReadonlyMap<string, FileTags>): Definers {
  const definers = new Map<string, Map<string, number>>();
  for (const [file, { defs }] of tags) {
    for (const [name, , , reach] of defs) {
      if (reach === 0) continue;
      const files = definers.get(name) ?? new Map<string, number>();
      definers.set(name, files.set(file, Math.max(reach, files.get(file) ?? 0)));
    }
  }
  return definers;
}

function collectEdges(tags: ReadonlyMap<string, FileTags>, definers: Definers): Edge[] {
  const edges: Edge[] = [];
  for (const [from, { refs }] of tags) {
    for (const [name, count] of Object.entries(refs)) {
      const files = definers.get(name);
      if (files === undefined || files.size > MAX_DEFINERS || files.has(from)) continue;
      const weight = (Math.sqrt(count) * weightOfName(name)) / files.size;
      for (const [to, reach] of files) edges.push({ from, to, name, weight: weight * reach });
    }
  }
  return edges;
}

/** Long compound names are rarely used by chance; short words often are, and private names are not meant for others. */
function weightOfName(name: string): number {
  if (name.startsWith("_") || /^[a-z]{1,7}$/.test(name)) return 0.1;
  const compound = name.length >= 8 && (/[a-z][A-Z]/.test(name) || name.includes("_"));
  return compound ? 3 : 1;
}

async function pageRank(files: readonly string[], edges: readonly Edge[]): Promise<Record<string, number>> {
  const [{ DirectedGraph }, { default: exported }] = await Promise.all([
    import("graphology"),
    import("graphology-metrics/centrality/pagerank.js"),
  ]);
  // Its types describe an ES module, but the package is CommonJS: the function is the default export itself.
  const pagerank = exported as unknown as typeof exported.default;
  const graph = new DirectedGraph();
  for (const file of files) graph.addNode(file);
  const weights = new Map<string, Map<string, number>>();
  for (const { from, to, weight } of edges) {
    const row = weights.get(from) ?? new Map<string, number>();
    weights.set(from, row.set(to, (row.get(to) ?? 0) + weight));
  }
  for (const [from, row] of weights) for (const [to, weight] of row) graph.addEdge(from, to, { weight });
  try {
    return pagerank(graph, { getEdgeWeight: "weight", maxIterations: 200, tolerance: 1e-5 });
  } catch {
    // It did not converge: every file counts alike, and references alone decide.
    return Object.fromEntries(files.map((file) => [file, 1 / files.length]));
  }
}

/** Hands each file's rank on to the definitions it refers to, by weight. */
function distribute(ranks: Readonly<Record<string, number>>, edges: readonly Edge[]): Map<string, number> {
  const total = new Map<string, number>();
  for (const { from, weight } of edges) total.set(from, (total.get(from) ?? 0) + weight);
  const received = new Map<string, number>();
  for (const { from, to, name, weight } of edges) {
    const key = `${to}\0${name}`;
    const share = ((ranks[from] ?? 0) * weight) / (total.get(from) as number);
    received.set(key, (received.get(key) ?? 0) + share);
  }
  return received;
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
