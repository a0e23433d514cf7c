import { characterPairs } from "./character-runs.ts";
import { type AskedToken, type AskedWord, readQuestion } from "./question.ts";
import { escapePattern, isGrammar, isStopWord, kindOf, stem } from "./words.ts";

const SHORT_FORMS =
  "arg:argument args:argument attr:attribute auth:authent auth:authoriz buf:buffer cert:certificate cfg:config conf:config " +
  "char:character cmd:command conn:connection coord:coordinate ctx:context db:database decl:declaration desc:descri " +
  "dest:destination dev:device dir:director doc:document elem:element env:environment exec:execut expr:expression " +
  "ext:extension fmt:format func:function idx:index img:image info:information init:initial iter:iterator lang:language " +
  "len:length lib:librar mem:memory mgr:manager msg:message net:network num:number obj:object opt:option opts:option " +
  "param:parameter passwd:password perm:permission pkg:package pos:position prev:previous proc:process prop:propert " +
  "props:propert ptr:pointer ref:reference repo:repositor req:request resp:response sess:session sig:signature " +
  "spec:specification src:source stmt:statement str:string sync:synchron sys:system tbl:table tmp:temporar " +
  "tmpl:template util:utilit val:value var:variable vec:vector win:window";

let pairs: readonly (readonly [short: string, long: string])[] | undefined;

/** What programmers shorten a word to when they name things: "directory" to `dir`. */
function shortForms(word: string): string[] {
  pairs ??= SHORT_FORMS.split(" ").map((pair) => pair.split(":") as [string, string]);
  return pairs.filter(([, long]) => word.startsWith(long)).map(([short]) => short);
}

/** One thing to look for. */
export interface RelevanceTerm {
  /** Lower case; of two words side by side, without what joins them. */
  readonly text: string;
  /** The pattern that finds it in lower-cased text. */
  readonly pattern: string;
  readonly weight: number;
  /** Terms that this one contains, found whenever it is found. */
  readonly parts: readonly number[];
}

/** What texts are ranked. */
export interface RelevanceOptions {
  /** True for names, in which words are often shortened. @default false */
  readonly shortened?: boolean;
  /** False where what any question says is not looked for even if it says nothing else. @default true */
  readonly general?: boolean;
  /** False where the address of a page names nothing: a page is not about its own. @default true */
  readonly addresses?: boolean;
}

const MAX_TERMS = 96;
const MAX_TERM_CHARS = 100;
/** Two words side by side in the question and in the text alike are hardly a coincidence. */
const PAIR_WEIGHT = 1.5;
const PAIR_RANK = 0.5;
/** What a word may be shortened to in a name counts less than the word. */
const SHORT_FORM_WEIGHT = 0.4;
/** The beginning of a long word also finds its relatives: "relationship" finds `related`, "queryset" finds `query`. */
const ROOT_CHARS = 5;
const ROOT_WEIGHT = 0.3;
/** What a long prompt begins with says what it is about; what follows counts less. */
const FIRST_NAMES = 30;
const LATER_WEIGHT = 0.6;
/** With more general words a question asks for something that it does not name. */
const MOST_GENERAL = 2;

/** What a question asks to look for. */
export function questionTerms(query: string, options: RelevanceOptions): RelevanceTerm[] {
  const { shortened = false, general = true, addresses = true } = options;
  const tokens = readQuestion(query).tokens.filter(({ address }) => addresses || !address);
  const collector = new TermCollector();
  for (const [place, name] of tokens.flatMap(dottedNames).entries()) collector.addName(name, shortened, place);
  const terms = collector.finish();
  return general && terms.length === 0 ? generalTerms(tokens) : terms;
}

/** Words that hyphens and dots join are one name; what slashes and colons join are several. */
function dottedNames({ words }: AskedToken): AskedWord[][] {
  const names: AskedWord[][] = [];
  for (const word of words) {
    if (names.length > 0 && (word.gap === "-" || word.gap === ".")) names.at(-1)?.push(word);
    else names.push([word]);
  }
  return names;
}

/** The few general words of a question that names nothing else: who asks for "error" or "support" means just that. */
function generalTerms(tokens: readonly AskedToken[]): RelevanceTerm[] {
  const words = tokens.flatMap(({ words }) => words.flatMap(({ parts }) => parts));
  const said = new Set(words.filter((word) => ["general", "code", undefined].includes(kindOf(word))).map(stem));
  if (said.size > MOST_GENERAL) return [];
  return [...said].map((text) => ({ text, pattern: escapePattern(text), weight: 1, parts: [] }));
}

class TermCollector {
  readonly #weights = new Map<string, number>();
  readonly #parts = new Map<string, readonly string[]>();
  /** Two words side by side. */
  readonly #pairs = new Map<string, readonly [first: string, second: string]>();
  #previous: string | undefined;
  #share = 1;

  #add(text: string, weight: number, parts: readonly string[] = []): void {
    if (text.length < 2 || text.length > MAX_TERM_CHARS) return;
    this.#weights.set(text, Math.max(this.#weights.get(text) ?? 0, weight * this.#share));
    if (parts.length > 0) this.#parts.set(text, parts);
  }

  /** `place` counts the names before it. */
  addName(words: readonly AskedWord[], shortened: boolean, place: number): void {
    this.#share = place < FIRST_NAMES ? 1 : LATER_WEIGHT;
    const whole = words.map(({ lower, gap }, index) => (index === 0 ? lower : gap + lower)).join("");
    const stems = words.flatMap(({ parts }) => parts).map(stem);
    if (words.length > 1) this.#add(whole, 2, stems);
    for (const { lower, parts, run } of words) {
      if (run) {
        for (const name of parts) this.#addRun(name);
        continue;
      }
      if (parts.length > 1) this.#add(lower, 2.5, parts.map(stem));
      for (const part of parts) {
        // Within an identifier other stop words tell what it names: `line_graph`, `check_output`.
        const stopped = parts.length > 1 ? isGrammar(part) : kindOf(part) !== undefined;
        const telling = part.length > 2 || Number.isNaN(Number(part));
        if (!stopped && telling) this.#addWord(part, parts.length > 1 ? 0.7 : 1);
        if (!stopped && shortened) for (const short of shortForms(part)) this.#add(short, SHORT_FORM_WEIGHT);
        this.#previous = part;
      }
    }
  }

  #addRun(name: string): void {
    const pairs = characterPairs(name);
    this.#add(name, 2.5, pairs);
    for (const pair of pairs) this.#add(pair, 1);
    this.#previous = undefined;
  }

  #addWord(word: string, weight: number): void {
    const stemmed = stem(word);
    const root = stemmed.length > ROOT_CHARS ? word.slice(0, ROOT_CHARS) : undefined;
    this.#add(stemmed, weight, root === undefined ? [] : [root]);
    if (root !== undefined) this.#add(root, ROOT_WEIGHT);
    const previous = this.#previous;
    if (previous === undefined || isStopWord(previous)) return;
    const pair = previous + stemmed;
    if (!this.#weights.has(pair)) this.#pairs.set(pair, [previous, stemmed]);
    this.#add(pair, PAIR_WEIGHT, [stem(previous), stemmed]);
  }

  finish(): RelevanceTerm[] {
    // A long question has as many pairs as words, and the words find more.
    const rank = ([text, weight]: readonly [string, number]): number => (this.#pairs.has(text) ? PAIR_RANK : weight);
    const kept = [...this.#weights]
      .sort((a, b) => rank(b) - rank(a) || b[0].length - a[0].length || (a[0] < b[0] ? -1 : 1))
      .slice(0, MAX_TERMS);
    const place = new Map(kept.map(([text], index) => [text, index]));
    return kept.map(([text, weight], own) => ({
      text,
      pattern: (this.#pairs.get(text) ?? [text]).map(escapePattern).join("[_ -]?"),
      weight,
      parts: (this.#parts.get(text) ?? []).flatMap((part) => place.get(part) ?? []).filter((index) => index !== own),
    }));
  }
}
