import type MiniSearch from "minisearch";
import { isObject } from "../../../bytes/json/is-object.ts";
import { tokenize } from "../../../query/passage-question.ts";
import { isGrammar, stem } from "../../../query/words.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";

/** Words that tools use, each line with those that people use when they ask for the same. */
const LINES = [
  // Actions.
  "create add new: make write insert append leave post generate establish start set put build register introduce note jot memorize draft compose",
  "write save: store keep put dump output persist create record overwrite export",
  "read get retrieve: show display view fetch look see open load print inspect examine inside content contents say tell give cat obtain",
  "list all: enumerate show which overview every everything each what ls dir index",
  "search find query: look lookup locate hunt seek discover grep google filter match anything where",
  "update edit change modify patch: replace rewrite set rename alter adjust fix correct substitute swap amend revise typo status",
  "delete remove: erase discard drop clear trash forget wipe destroy purge unlink rid outdated obsolete rm undo",
  "move: rename relocate transfer put reorder mv shift place below under name",
  "close: quit exit end shut leave finish done",
  "stop end: finish halt quit terminate complete done",
  "start begin: launch run kick record initiate fire",
  "send post: submit deliver reply message publish",
  "download save: export fetch pull grab get",
  "upload: attach send supply provide submit add give choose file",
  "wait: pause hold sleep delay until appear disappear ready gone vanish loaded finished",
  "run execute evaluate: calculate compute script snippet command invoke",
  "toggle: turn switch enable disable on off",
  "emulate: pretend simulate imitate mimic throttle fake act mode",
  "select: choose pick switch option change jump activate focus",
  "echo: repeat parrot back",
  "sum: plus total add number count arithmetic calculate",
  "multiple: several many few together batch once both bunch various",
  "resolve: identify determine exact match",
  // Browsers.
  "navigate url page: open visit browse goto go load launch bring website site web webpage app address link homepage start",
  "reload navigate: refresh again",
  "back history: previous return before earlier",
  "page tab: window website site webpage screen app browser",
  "screenshot: picture image photo snap capture grab look screen render visual",
  "snapshot accessibility: elements structure tree outline controls interactive a11y dom",
  "click: tap press hit push button tick check checkbox choose follow activate",
  "hover: mouse pointer cursor rest over point tooltip",
  "drag: pull slide slider move mouse card drop",
  "type fill: enter input write put complete field box textbox password",
  "form: fields inputs registration signup login survey",
  "press key: keyboard hit push shortcut escape tab enter arrow",
  "dialog: popup alert confirm prompt modal box accept dismiss",
  "select option dropdown: combobox choose pick menu",
  "resize window viewport: size width height dimension narrow wide shrink enlarge small large big mobile phone tablet",
  "emulate device: mobile phone tablet network cpu connection 3g offline geolocation slow agent",
  "media color scheme: dark light theme print printed paper mode",
  "console message: error warning log logged exception javascript devtools",
  "network request: http traffic call api ajax xhr fetch sent backend server endpoint",
  "network request response: header body payload reply replied answered status",
  "css style: font color colour margin padding look appearance rule design",
  "performance trace: slow speed fast profile profiling measure load lcp vitals bottleneck lag",
  "lighthouse audit: accessibility seo score practices quality rate grade",
  "heap memory: leak ram consumption eats garbage",
  "screencast video recording: film movie record clip",
  "javascript script: js code snippet expression function dom",
  // Files.
  "directory: folder subfolder dir place path location repository project mkdir archive",
  "directory list: files here items entries contents",
  "directory tree: hierarchy structure recursive overview layout nested",
  "directory create: mkdir folder subfolder",
  "size: big large largest bytes heavy space smallest kilobytes megabytes",
  "file info metadata: details permissions owner owns modified created touched changed bytes date age old when",
  "file text: document source code config readme line cat",
  "media: picture image photo audio sound music png jpg",
  "allowed: permitted access may can where permission restricted sandbox",
  "gzip: compress zip pack shrink archive",
  "env environment: variables settings",
  // Knowledge.
  "memory knowledge graph: remember recall memorize know known stored learned fact forget remembered anything",
  "observation: fact detail note information remark knowledge thing",
  "entity: person people thing node concept object colleague friend company",
  "relation: relationship link connection connect tie between edge manager",
  "node: entity person thing item",
  "thinking: think reason reasoning thought plan problem carefully ponder analyze hard complex step",
  "documentation docs: manual reference guide api example usage tutorial how configure latest current",
  "library: package framework dependency module sdk version",
  "web search: internet online google news article latest recent research topic",
  "web fetch: article page link url text content website post blog site crawl",
  "design figma: layout mockup frame component prototype ui sketch",
  "image icon: graphic graphics svg png asset logo picture illustration",
  "data source database: table tracker sheet collection list",
  "query data source: filter sort rows records tasks due entries where",
  "property schema: column field attribute type",
  "page post: document note row entry record article item task",
  "page title: name rename heading called",
  "comment: reply discussion feedback remark opinion say",
  "block: paragraph content text section heading bullet",
  "user: person people member who account team colleague owner access",
  "self bot: me my account integration own current token",
  "template: form boilerplate preset",
  "issue ticket: bug task problem story",
  "repository git: repo project code branch commit",
  "message channel: chat conversation slack mail email thread",
  "event calendar: meeting appointment schedule date",
] as const;

const RELATED = new Map<string, ReadonlySet<string>>();
for (const line of LINES) {
  const [said, asked] = line.split(": ").map((words) => words.split(" ")) as [string[], string[]];
  for (const word of [...asked, ...said])
    RELATED.set(word, new Set([...(RELATED.get(word) ?? []), ...said.filter((other) => other !== word)]));
}

/** Synonyms that tools may use for a word of a request. */
function relatedWords(word: string): readonly string[] {
  return [...(RELATED.get(word) ?? [])];
}

/** The ranked text: a tool's definition. */
export interface RankedTool {
  readonly name: string;
  readonly definition: JsonObject;
}

const FIELDS = ["name", "summary", "description", "parameters"] as const;
/** The name says what a tool does; words deep in a description may be incidental. */
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
  // A server's other tools show what this one is for.
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
    // A concept counts once, however many words name it.
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
  // A tool that matches every concept a little ranks above one that matches a single word well.
  for (const [id, count] of met) scores.set(id, scores.get(id)! * Math.sqrt(count));
  return scores;
}

function serverOf({ name }: RankedTool): string {
  return name.split("__", 1)[0]!;
}

function join(documents: readonly Document[]): Document {
  return Object.fromEntries(FIELDS.map((field) => [field, documents.map((each) => each[field]).join(" ")])) as Document;
}

/** Typical placeholders for a kind of value that tools name. */
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

/** The words of a query, each with the synonyms that tools may use. */
function readQuery(query: string): readonly (readonly Variant[])[] {
  const plain = KINDS.reduce((text, [pattern, kind]) => text.replaceAll(pattern, kind), query);
  return [...new Set(plainWords(plain))].map((word) => [
    { word, weight: 1 },
    ...formsOf(word).map((form) => ({ word: form, weight: FORM_WEIGHT })),
    ...[word, ...formsOf(word)].flatMap(relatedWords).map((related) => ({ word: related, weight: RELATED_WEIGHT })),
  ]);
}

/** The words of a text as written, and their stems. */
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
