import { BASE64, EQUALS, isOf, stands } from "../byte-class.ts";
import { GRAM_BYTES, type GramPattern, rarestGram } from "../gram-set.ts";
import type { Find, Rule, View } from "../types.ts";
import { decode, encodedRun, GROUP } from "./base64.ts";
import { jwtRule } from "./jwt.ts";
import { privateKeyRule } from "./private-key.ts";
import { beginsWord } from "./word-start.ts";

/** As long as the longest key that is waited for. */
const MOST_CHARACTERS = 16_384;
/** Enough for a token or the header of a key, and for the header of a JSON Web Token. */
const FIRST_CHARACTERS = 160;
const FIRST_OF_JWT = 600;
const decoder = new TextDecoder("latin1");
/** Bytes that a group of four characters stands for. */
const GROUP_BYTES = 3;

/** What is looked for in base64 too: what is known by its beginning, the more so the longer that is. */
const BEGINNINGS = /^(?:AKIA|gh[ps]_|github_pat_|glpat-|sk-ant-|sk-proj-|xoxb-)$/;
/** How the JSON of a token's header begins. */
const JWT_BEGINNINGS = ["eyJhbGciOi", "eyJ0eXAiOi", "eyJraWQiOi"];

/** Rules for secrets that stand in a longer text in base64, where they may begin at any of the three bytes of a group. */
export function encodedRules(tokens: readonly Rule[]): readonly Rule[] {
  const inner: readonly (readonly [string, Rule])[] = [
    ["-----BEGIN ", privateKeyRule],
    ...tokens.flatMap((rule) => (BEGINNINGS.test(rule.begins!) ? [[rule.begins!, rule] as const] : [])),
    ...JWT_BEGINNINGS.map((begins) => [begins, jwtRule] as const),
  ];
  return inner.flatMap(([begins, rule]) => [0, 1, 2].map((before) => createEncodedRule(begins, rule, before)));
}

function createEncodedRule(begins: string, rule: Rule, before: number): Rule {
  const first = Math.ceil((before * 8) / 6);
  const known = btoa("\0".repeat(before) + begins).slice(first, Math.floor(((before + begins.length) * 8) / 6));
  const places = Array.from({ length: known.length - GRAM_BYTES + 1 }, (_, at) => at);
  const rarest = rarestGram(known, places);
  return {
    anchors: [
      { gram: [...known.slice(rarest, rarest + GRAM_BYTES)] as unknown as GramPattern, offset: first + rarest },
    ],
    spansLines: {
      most: MOST_CHARACTERS,
      mayGrow(view, at) {
        const from = at + first;
        if (view.end < from + known.length) return stands(view.bytes, from, known.slice(0, view.end - from));
        return stands(view.bytes, from, known) && encodedRun(view, at, MOST_CHARACTERS).open;
      },
    },
    match(view, at) {
      return stands(view.bytes, at + first, known) ? findIn(view, at, before, rule) : undefined;
    },
  };
}

function findIn(view: View, at: number, before: number, rule: Rule): Find | undefined {
  if (rule.begins !== undefined && !beginsToken(view, at, before)) return undefined;
  // The beginning tells whether it is one at all.
  const first = rule === jwtRule ? FIRST_OF_JWT : FIRST_CHARACTERS;
  const short = findWithin(view, at, before, rule, first);
  const mayBeLonger = short === "open" || (short !== undefined && short.end >= at + first);
  const found = mayBeLonger ? findWithin(view, at, before, rule, MOST_CHARACTERS) : short;
  return found === "open" ? undefined : found;
}

/** True if what the groups at and before `at` stand for has a word's beginning there. */
function beginsToken(view: View, at: number, before: number): boolean {
  const previous = groupBefore(view, at);
  const bytes = decode(view.bytes.subarray(at - previous.length, at + GROUP));
  return beginsWord({ bytes, floor: 0, end: bytes.length }, (previous.length / GROUP) * GROUP_BYTES + before);
}

function findWithin(view: View, at: number, before: number, rule: Rule, most: number): Find | "open" | undefined {
  const { characters, places } = encodedRun(view, at, most);
  const previous = groupBefore(view, at);
  const joined = new Uint8Array(previous.length + characters.length);
  joined.set(previous);
  joined.set(characters, previous.length);
  const bytes = decode(joined);
  const skipped = previous.length;
  const find = rule.match({ bytes, floor: 0, end: bytes.length }, (skipped / GROUP) * GROUP_BYTES + before);
  if (find === undefined) {
    const header = (skipped / GROUP) * GROUP_BYTES + before;
    const isKey = rule.spansLines?.mayGrow({ bytes, floor: 0, end: bytes.length }, header) === true;
    return isKey && !decoder.decode(bytes.subarray(header + 5)).includes("---BEGIN ") ? "open" : undefined;
  }
  const last = Math.min(Math.ceil((find.end * 8) / 6) - skipped, places.length) - 1;
  let end = places[last]! + 1;
  while (last === places.length - 1 && end < view.end && view.bytes[end] === 0x3d) end++;
  return { kind: find.kind, start: places[Math.max(0, Math.floor((find.start * 8) / 6) - skipped)]!, end };
}

/** What tells whether the secret begins a word. */
function groupBefore({ bytes, floor }: View, at: number): Uint8Array {
  const from = at - GROUP;
  if (from < floor) return new Uint8Array(0);
  for (let index = from; index < at; index++) if (!isOf(bytes[index], BASE64 & ~EQUALS)) return new Uint8Array(0);
  return bytes.subarray(from, at);
}
