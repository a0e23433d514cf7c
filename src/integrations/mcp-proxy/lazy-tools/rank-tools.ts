import type MiniSearch from "minisearch";
import { isObject } from "../../../bytes/json/is-object.ts";
import { tokenize } from "../../../query/passage-question.ts";
import { isGrammar, stem } from "../../../query/words.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";
import { relatedWords } from "./related-words.ts";

/** What is ranked: a tool's definition. */
export interface RankedTool {
  readonly name: string;
  readonly definition: JsonObject;
}

const FIELDS = ["name", "summary", "description", "parameters"] as const;
/** What a name says is what a tool does; what stands deep in a description may be an aside. */
const BOOST = { name: 3, summary: 2, description: 1, parameters: 0.5 };
const FORM_WEIGHT = 0.9;
const RELATED_WEIGHT = 0.8;
const SERVER_WEIGHT = 0.8;

/** Orders tools by BM25 over their names, descriptions and parameters; those that share no word with the query are left out. */
export async function rankTools<T extends RankedTool>(query: string, tools: readonly T[]): Promise<readonly T[]> {
  const { default: MiniSearch } = await import("minisearch");
  const createIndex = (documents: readonly Document[]) => {
    const index = new MiniSearch<Document & { id: number }>({
      fields: [...FIELDS],
      tokenize: wordsOf,
      processTerm: (term) => term,
    });
    index.addAll(documents.map((document, id) => ({ id, ...document })));
    return index;
  };
  const asked = readQuery(query);
  const documents = tools.map(({ name, definition }) => describe(name, definition));
  const scores = score(createIndex(documents), asked);
  // What is said of a server's other tools tells what this one is for.
  const servers = [...new Set(tools.map(serverOf))];
  const together = servers.map((server) => join(documents.filter((_, id) => serverOf(tools[id]!) === server)));
  const fits = score(createIndex(together), asked);
  const most = Math.max(0, ...fits.values());
  const total = (id: number): number =>
    scores.get(id)! * (1 + (SERVER_WEIGHT * (fits.get(servers.indexOf(serverOf(tools[id]!))) ?? 0)) / most);
  return [...scores.keys()].sort((left, right) => total(right) - total(left)).map((id) => tools[id] as T);
}

type Document = Record<(typeof FIELDS)[number], string>;

/** How well each document of an index fits. */
function score(index: MiniSearch, asked: readonly (readonly Variant[])[]): Map<number, number> {
  const scores = new Map<number, number>();
  const met = new Map<number, number>();
  for (const variants of asked) {
    // One thing that is asked for counts once, however many words there are for it.
    const best = new Map<number, number>();
    for (const { word, weight } of variants)
      for (const { id, score } of index.search(word, {
        tokenize: (text) => [text],
        prefix: word.length >= 4 && weight >= FORM_WEIGHT,
        boost: BOOST,
      }))
        best.set(id, Math.max(best.get(id) ?? 0, score * weight));
    for (const [id, score] of best) {
      scores.set(id, (scores.get(id) ?? 0) + score);
      met.set(id, (met.get(id) ?? 0) + 1);
    }
  }
  // What fits all that is asked for a little goes before what fits one word well.
  for (const [id, count] of met) scores.set(id, scores.get(id)! * Math.sqrt(count));
  return scores;
}

function serverOf({ name }: RankedTool): string {
  return name.split("__", 1)[0]!;
}

function join(documents: readonly Document[]): Document {
  return Object.fromEntries(FIELDS.map((field) => [field, documents.map((each) => each[field]).join(" ")])) as Document;
}

/** What stands for something of a kind that tools name. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\bhttps?:\S+/g, " url "],
  [/(?:[\w~-]*\/)*[\w-]+\.[a-z]{2,5}\b/g, " file $& "],
  [/\bwho\b/gi, " user "],
  [/\bwhere\b/gi, " find "],
];

interface Variant {
  readonly word: string;
  readonly weight: number;
}

/** What a query asks for, word by word, each with the other words that tools may use for it. */
function readQuery(query: string): readonly (readonly Variant[])[] {
  const plain = KINDS.reduce((text, [pattern, kind]) => text.replaceAll(pattern, kind), query);
  return [...new Set(plainWords(plain))].map((word) => [
    { word, weight: 1 },
    ...formsOf(word).map((form) => ({ word: form, weight: FORM_WEIGHT })),
    ...[word, ...formsOf(word)].flatMap(relatedWords).map((related) => ({ word: related, weight: RELATED_WEIGHT })),
  ]);
}

/** The words of a text as they stand, and what they have in common with their other forms. */
function wordsOf(text: string): string[] {
  const words = plainWords(text);
  return [...words, ...words.flatMap((word) => formsOf(word))];
}

function plainWords(text: string): string[] {
  return tokenize(text.replaceAll(/[-_]+/g, " ")).filter((word) => !isGrammar(word));
}

function formsOf(word: string): string[] {
  if (/^\d+$/.test(word)) return ["number"];
  const root = stem(word).replace(/[ey]$/, "");
  return root !== word && root.length >= 3 && !isGrammar(root) ? [root] : [];
}

function describe(name: string, definition: JsonObject): Record<(typeof FIELDS)[number], string> {
  const title = isObject(definition.annotations) ? definition.annotations.title : undefined;
  const description = String(definition.description ?? "");
  const end = description.search(/[.\n]/);
  return {
    name: `${name} ${String(definition.title ?? title ?? "")}`,
    summary: end < 0 ? description : description.slice(0, end),
    description,
    parameters: parametersOf(definition.inputSchema),
  };
}

/** Names and descriptions of a tool's parameters, those within them included. */
function parametersOf(schema: unknown, depth = 0): string {
  if (!isObject(schema) || depth > 4) return "";
  const own = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return [
    ...own.map(
      ([name, each]) =>
        `${name} ${isObject(each) ? String(each.description ?? "") : ""} ${parametersOf(each, depth + 1)}`,
    ),
    parametersOf(schema.items, depth + 1),
  ].join(" ");
}
