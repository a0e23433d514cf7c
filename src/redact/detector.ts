import { stands } from "./byte-class.ts";
import { createGramSet, foldGram, type GramSet, gramsOf } from "./gram-set.ts";
import { announcedRule } from "./rules/announced.ts";
import { assignmentRule } from "./rules/assignment.ts";
import { basicRule } from "./rules/basic.ts";
import { commandLineRules } from "./rules/command-line.ts";
import { encodedRules } from "./rules/encoded.ts";
import { headerRules } from "./rules/headers.ts";
import { jwtRule } from "./rules/jwt.ts";
import { createLiteralRule } from "./rules/literal.ts";
import { markedRules } from "./rules/marked.ts";
import { netrcRule } from "./rules/netrc.ts";
import { privateKeyRule } from "./rules/private-key.ts";
import { tokenRules } from "./rules/tokens.ts";
import { urlPasswordRule } from "./rules/url-password.ts";
import type { Find, Rule, View } from "./types.ts";

interface Place {
  readonly rule: Rule;
  readonly offset: number;
}

/** Knows every rule, and which of them to ask where. */
export class Detector {
  readonly grams: GramSet;
  readonly #places = new Map<number, Place[]>();
  /** Rules that know a secret by its own beginning, by its first two bytes. */
  readonly #specific = new Map<number, Rule[]>();

  constructor(literals: ReadonlyMap<string, string>) {
    const tokens = tokenRules();
    const known = [...literals].map(([value, kind]) => createLiteralRule(value, kind));
    const rules = [
      privateKeyRule,
      ...tokens,
      ...markedRules(),
      jwtRule,
      ...known,
      urlPasswordRule,
      ...headerRules,
      basicRule,
      ...commandLineRules,
      netrcRule,
      assignmentRule,
      announcedRule,
      ...encodedRules(tokens),
    ];
    for (const rule of rules) {
      for (const { gram, offset } of rule.anchors) {
        for (const each of gramsOf(gram)) push(this.#places, each, { rule, offset });
      }
    }
    for (const rule of [...tokens, jwtRule, ...known])
      if (rule.begins !== undefined) push(this.#specific, pairOf(rule.begins), rule);
    this.grams = createGramSet(rules.flatMap((rule) => rule.anchors.map(({ gram }) => gram)));
  }

  /** The rules with an anchor at this position, and the place that each is to decide on. */
  placesAt(bytes: Uint8Array, at: number): readonly Place[] {
    return this.#places.get(foldGram(bytes, at)) ?? [];
  }

  /** A find as the most telling rule has it: what a password's name announces may be a token of a known kind. */
  refine(view: View, find: Find): Find {
    const pair = view.bytes[find.start]! | (view.bytes[find.start + 1]! << 8);
    for (const rule of this.#specific.get(pair) ?? []) {
      const better = stands(view.bytes, find.start, rule.begins!) ? rule.match(view, find.start) : undefined;
      if (better !== undefined) return better;
    }
    return find;
  }
}

function pairOf(text: string): number {
  return text.charCodeAt(0) | (text.charCodeAt(1) << 8);
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
