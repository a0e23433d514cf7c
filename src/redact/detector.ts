import { encodedRules, netrcRule, privateKeyRule, puttyKeyRule } from "./blocks.ts";
import { ESCAPE_GRAMS } from "./clean-text.ts";
import { createGramSet, type GramSet, gramsOf } from "./gram-set.ts";
import { announcedRule, assignmentRule, headerRules } from "./named-values.ts";
import { anchorOf, type Find, type Rule } from "./rule.ts";
import { type Judge, PATTERNS, type PatternRow, SETS, TOKENS, type TokenRow } from "./rules.ts";
import { endOf, holdsText, isMixed, isStandIn, isVaried, looksLikePassword, looksRandom } from "./secret-value.ts";

/** A rule to ask where a gram stands. */
export interface Place {
  readonly rule: Rule;
  /** How far before the gram the rule is to decide. */
  readonly offset: number;
}

/** Knows every rule, and which of them to ask where. */
export class Detector {
  readonly grams: GramSet;
  readonly #places = new Map<number, Place[]>();
  /** Rules that know a secret by its own beginning, by its first two characters. */
  readonly #specific = new Map<string, Rule[]>();

  constructor(literals: ReadonlyMap<string, string>) {
    const tokens = TOKENS.flatMap(createTokenRules);
    const patterns = PATTERNS.map(createPatternRule);
    const jwt = patterns[PATTERNS.findIndex(({ kind }) => kind === "jwt")]!;
    const known = [...literals].map(([value, kind]) => createLiteralRule(value, kind));
    const rules = [
      privateKeyRule,
      puttyKeyRule,
      ...tokens,
      ...joinRules(patterns),
      ...known,
      ...headerRules,
      netrcRule,
      assignmentRule,
      announcedRule,
      ...encodedRules(tokens, jwt),
    ];
    for (const rule of rules) {
      for (const { gram, offset } of rule.anchors) {
        for (const each of gramsOf(gram)) {
          const places = this.#places.get(each);
          if (places === undefined) this.#places.set(each, [{ rule, offset }]);
          else places.push({ rule, offset });
        }
      }
    }
    for (const rule of [...tokens, jwt, ...known]) {
      const first = rule.begins!.slice(0, 2);
      this.#specific.set(first, [...(this.#specific.get(first) ?? []), rule]);
    }
    this.grams = createGramSet([...rules.flatMap((rule) => rule.anchors.map(({ gram }) => gram)), ...ESCAPE_GRAMS]);
  }

  /** The rules to ask where a gram stands. */
  placesOf(gram: number): readonly Place[] | undefined {
    return this.#places.get(gram);
  }

  /** A find as the most telling rule has it: what a password's name announces may be a token of a known kind. */
  refine(text: string, find: Find): Find {
    for (const rule of this.#specific.get(text.slice(find.start, find.start + 2)) ?? []) {
      const better = text.startsWith(rule.begins!, find.start) ? rule.match(text, find.start) : undefined;
      if (better !== undefined) return better;
    }
    return find;
  }
}

/** A body with fewer different characters is a stand-in, such as `xxxx`. */
const LEAST_VARIETY = 6;
/** So many characters of a body tell whether it is one. */
const JUDGED_CHARACTERS = 128;

const JUDGES: Readonly<Record<Judge, (value: string) => boolean>> = {
  given: (value) => !isStandIn(value),
  password: (value) => looksLikePassword(value, false),
  random: (value) => looksRandom(value, false),
  varied: (value) => isVaried(value, LEAST_VARIETY) && isMixedOrWords(value) && !isStandIn(value),
  basic: (value) => holdsText(value) && atob(value).includes(":"),
};

function isMixedOrWords(value: string): boolean {
  return value.includes(" ") || isMixed(value);
}

/** A pattern with its sets as classes of characters, and the class of what may follow when its last set is open. */
export function compile(pattern: string): { readonly source: string; readonly rest: string | undefined } {
  const rest = /\{([a-zA-Z])\d+,\}$/.exec(pattern)?.[1];
  const source = pattern
    .replace(/\{([a-zA-Z])(\d+),\}$/, "{$1$2}")
    .replace(/\{([a-zA-Z])(\d+(?:,\d*)?)\}/g, (_, set: string, count: string) => `[${SETS[set]}]{${count}}`);
  return { source, rest: rest === undefined ? undefined : `[${SETS[rest]}]` };
}

/** How quoted texts, URLs and terminals spell a newline, a tab or a colour; a word may begin right after it. */
const ESCAPE = String.raw`\\(?:[abefnrtv]|u[\da-fA-F]{4}|x[\da-fA-F]{2})|%[\da-fA-F]{2}|\[\d{1,3}(?:;\d{1,3}){0,4}m`;

/** Lets a secret follow such a spelling, even where its pattern wants no letter before it. */
function afterWord(pattern: string): string {
  return pattern.replace(/\(\?<!\[[^\]]+\]\)/g, `(?:$&|(?<=${ESCAPE}))`);
}

/** A shorter beginning also ends longer words, so that nothing of a word may stand before it. */
const DISTINCT_KEYWORD = /^.{5,}$|^[a-z]{3}_$/;

function createTokenRules([kind, keywords, form]: TokenRow): readonly Rule[] {
  const { source, rest } = compile(form);
  const last = SETS[/\{([a-zA-Z])[\d,]+\}$/.exec(form)?.[1] ?? "A"]!;
  const isHex = form.startsWith("{h");
  return keywords.split(" ").map((begins) => {
    const isDistinct = DISTINCT_KEYWORD.test(begins);
    const before = isDistinct ? "A-Za-z0-9" : "\\w-";
    const after = rest === undefined ? `(?![${last}])` : "";
    const judged = rest === undefined ? undefined : new RegExp(`${rest}{0,${JUDGED_CHARACTERS}}`, "y");
    const all = rest === undefined ? undefined : new RegExp(`${rest}*`, "y");
    const pattern = new RegExp(afterWord(`(?<![${before}])${begins.replace(/[.$]/g, "\\$&")}${source}${after}`), "y");
    // Of 16 characters that may be digits, one in thirty texts has none.
    const mayBeLetters = isDistinct || form === "{U16}";
    return {
      begins,
      anchors: [anchorOf(begins, false, isHex ? "0123456789abcdefABCDEF" : undefined)],
      match(text, at) {
        const least = endOf(pattern, text, at);
        if (least === -1) return undefined;
        const body = text.slice(at + begins.length, judged === undefined ? least : endOf(judged, text, least));
        if (!isVaried(body, LEAST_VARIETY) || !(mayBeLetters || isMixed(body))) return undefined;
        const whole = all === undefined ? least : endOf(all, text, least);
        return { kind, start: at, end: text[whole - 1] === "." ? whole - 1 : whole };
      },
    };
  });
}

/** One rule for all rows with the same keywords, so that most places cost one look. */
function joinRules(rules: readonly Rule[]): readonly Rule[] {
  const groups = new Map<string, Rule[]>();
  for (const [row, rule] of rules.entries()) {
    const keywords = PATTERNS[row]!.keywords.join("\0");
    groups.set(keywords, [...(groups.get(keywords) ?? []), rule]);
  }
  return [...groups.values()].map((group) => ({ ...group[0]!, match: (text, at) => firstOf(group, text, at) }));
}

function firstOf(rules: readonly Rule[], text: string, at: number): Find | undefined {
  for (const rule of rules) {
    const find = rule.match(text, at);
    if (find !== undefined) return find;
  }
  return undefined;
}

function createPatternRule({ kind, keywords, pattern, judge, program, required }: PatternRow): Rule {
  const source = afterWord(compile(pattern).source);
  const matcher = new RegExp(program === undefined ? source : `(?=${source})${after(program)}${source}`, "dy");
  return {
    ...(kind === "jwt" ? { begins: keywords[0]! } : {}),
    anchors: keywords.map((keyword) => anchorOf(keyword)),
    required,
    match(text, at) {
      if (program !== undefined && isCrowded(text, at)) return undefined;
      matcher.lastIndex = at;
      const { indices } = matcher.exec(text) ?? {};
      if (indices === undefined) return undefined;
      const from = indices.groups?.from?.[0];
      const [start, end] =
        from === undefined
          ? (indices.slice(1).find((group) => group !== undefined) ?? indices[0]!)
          : [from, indices[0]![1]];
      return JUDGES[judge](text.slice(start, end)) ? { kind, start, end } : undefined;
    },
  };
}

/** Where an option of one of some programs may stand: after it, in the same command. */
function after(programs: string): string {
  return `(?<=(?:^|[\\s;&|("'\`/]|${ESCAPE})(?:${programs})(?:\\.exe)?(?:[ \\t][^|;\\n]*)?)`;
}

/** A command has an option fewer times. */
const MOST_REPEATED = 4;

function isCrowded(text: string, at: number): boolean {
  const option = text.slice(at, at + 3);
  let before = at;
  for (let count = 0; count < MOST_REPEATED; count++) {
    if (before === 0) return false;
    before = text.lastIndexOf(option, before - 1);
    if (before === -1) return false;
  }
  return true;
}

/** A secret that is known by its value. */
function createLiteralRule(value: string, kind: string): Rule {
  const begins = String.fromCharCode(...new TextEncoder().encode(value));
  return {
    begins,
    anchors: [{ gram: [...begins.slice(0, 4)] as unknown as Rule["anchors"][0]["gram"], offset: 0 }],
    match: (text, at) => (text.startsWith(begins, at) ? { kind, start: at, end: at + begins.length } : undefined),
  };
}
