import { ALNUM, DASH, DOT, runEnd, runStart, standsInAnyCase } from "../byte-class.ts";
import type { Anchor, View } from "../types.ts";
import { inAnyCase, LETTERS } from "./anchor.ts";
import { holdsText } from "./base64.ts";
import { looksLikePassword, looksRandom } from "./secret-value.ts";
import type { Value } from "./value.ts";

/** Longest rest of a name after the word that tells what it is. */
const LONGEST_REST = 32;

export interface NameWord {
  /** In lower case, the longest first where one begins another. */
  readonly word: string;
  readonly kind: string;
  /** A password is chosen by people, and may be short; other secrets are made by programs. */
  readonly chosen: boolean;
  /** What must stand before it in the name, when the word alone says too little. */
  readonly after?: RegExp;
}

const KEY_OWNERS =
  /(?:api|access|secret|private|account|signing|sign|encryption|encrypt|crypt|auth|master|shared|storage|service|admin|subscription|consumer|app|application|client|deploy|root|session|webhook|hmac|aes|jwt|token|user|server|function|host|license|primary|secondary|integration|write|ingest|project)[-_.]?$/i;

/** "pass" also is what a test does. */
const OWNERS_OF_PASS = /[-_.]$|(?:db|user|sql|root|admin|ftp|ssh|smtp|mail|redis|pg|http|auth|login|key|store)$/i;

const WORDS: readonly NameWord[] = [
  { word: "passphrase", kind: "password", chosen: true },
  { word: "password", kind: "password", chosen: true },
  { word: "passwd", kind: "password", chosen: true },
  { word: "passcode", kind: "password", chosen: true },
  { word: "pass", kind: "password", chosen: true, after: OWNERS_OF_PASS },
  { word: "psk", kind: "password", chosen: true, after: /(?:^|[-_.])$/ },
  { word: "pwd", kind: "password", chosen: true },
  { word: "secret", kind: "secret", chosen: false },
  { word: "token", kind: "token", chosen: false },
  { word: "credential", kind: "credential", chosen: false },
  { word: "key", kind: "key", chosen: false, after: KEY_OWNERS },
  { word: "auth", kind: "auth", chosen: false, after: /(?:^|[-_.])$/ },
  { word: "signature", kind: "signature", chosen: false, after: /(?:amz|goog|hub)-$/i },
  { word: "sig", kind: "signature", chosen: false, after: /^$/ },
];

/** Names that speak about a secret instead of holding one. */
const ABOUT =
  /^(?:s?[-_.]?(?:id|ids|name|names|type|types|count|counts|limit|limits|length|len|size|url|uri|endpoint|path|file|dir|expir\w*|ttl|age|version|usage|used|kind|format|policy|field|label|index|pos|position|start|end|offset|line|lines|column|col|class|algorithm|alg|hash|digest|fingerprint|sha\d*|checksum|provider|manager|store|service|scope|scopes|audience|issuer|budget|window|rate|min|max|total|input|output|prompt|completion|ref|refs|arn|strategy|mode|rotation|status|state|hint|help|text|prefix|suffix|regex|pattern|required|enabled|valid|verified|changed|reset)|s|ize|izer|ized|ization|ed|ing|es|er|ers|less|word|words|ive|age|ably|ion|ary|aries)$/i;

const decoder = new TextDecoder("latin1");

/** Where to ask for such names: at the word that makes a name one. */
export const NAME_ANCHORS: readonly Anchor[] = [
  inAnyCase("pass"),
  { gram: ["pP", "wW", "dD", "=:\"'%"], offset: 0 },
  { gram: ["pP", "sS", "kK", "=:\"'"], offset: 0 },
  inAnyCase("secr"),
  inAnyCase("oken", 1),
  inAnyCase("cred"),
  { gram: [`${LETTERS}_-`, "kK", "eE", "yY"], offset: -1 },
  { gram: ["uU", "tT", "hH", "=:\"'%"], offset: 1 },
  { gram: ["uU", "rR", "eE", "=%"], offset: "signat".length },
  { gram: ["sS", "iI", "gG", "=%"], offset: 0 },
];

/** The word at `at` that may tell what a name is. */
export function wordAt({ bytes }: View, at: number): NameWord | undefined {
  return WORDS.find(({ word }) => standsInAnyCase(bytes, at, word));
}

/** Where the name ends that has the word at `at`. */
export function nameEnd({ bytes, end }: View, { word }: NameWord, at: number): number {
  const wordEnd = at + word.length;
  return runEnd(bytes, wordEnd, Math.min(end, wordEnd + LONGEST_REST), ALNUM | DASH | DOT);
}

/** Where it begins. */
export function nameStart({ bytes, floor }: View, at: number): number {
  return runStart(bytes, at, Math.max(floor, at - LONGEST_REST), ALNUM | DASH | DOT);
}

/** A word has no more names with values in it; what has more is no list of settings. */
const MOST_NESTED = 6;

/** True in a word with many names and separators before `at`, such as `token=token=token=`. */
export function isNested({ bytes, floor }: View, at: number): boolean {
  let separators = 0;
  for (let from = at - 1; from >= floor && separators < MOST_NESTED; from--) {
    const byte = bytes[from]!;
    if (byte === 0x3d || byte === 0x3a) separators++;
    else if (byte === 0x25 && /^%3[ad]$/i.test(decoder.decode(bytes.subarray(from, from + 3)))) separators++;
    // Blanks, quotes, and what separates fields.
    else if (byte <= 0x22 || byte === 0x25 || byte === 0x26 || byte === 0x27 || byte === 0x2c || byte === 0x3b)
      return false;
  }
  return separators >= MOST_NESTED;
}

/** True when the name that has the word at `at` announces a secret, and does not only speak of one. */
export function announces(view: View, word: NameWord, at: number): boolean {
  const wordEnd = at + word.word.length;
  const end = nameEnd(view, word, at);
  if (end > wordEnd && word.word === "pass") return false;
  const owner = decoder.decode(view.bytes.subarray(nameStart(view, at), at));
  if (word.after?.test(owner) === false || /public/i.test(owner)) return false;
  return end === wordEnd || !ABOUT.test(decoder.decode(view.bytes.subarray(wordEnd, end)));
}

/** True for a value that is secret enough for its name, or a text in base64, as Kubernetes keeps secrets. */
export function suits({ chosen }: NameWord, bytes: Uint8Array, value: Value): boolean {
  return (chosen ? looksLikePassword(bytes, value) : looksRandom(bytes, value)) || holdsText(bytes, value);
}
