import { ALNUM, DASH, DOT, runEnd, runStart, standsInAnyCase } from "../byte-class.ts";
import type { Find, Rule, View } from "../types.ts";
import { inAnyCase, LETTERS } from "./anchor.ts";
import { looksLikePassword, looksRandom } from "./secret-value.ts";
import { readValue, skipBlanks, skipColor, skipQuote } from "./value.ts";

const COLON = 0x3a;
const EQUAL = 0x3d;
const GREATER = 0x3e;
const COMMA = 0x2c;
const DASH_BYTE = 0x2d;
const PERCENT = 0x25;
/** Longest rest of a name after the word that tells what it is. */
const LONGEST_REST = 32;
/** Most bytes of a value in a URL's spelling. */
const LONGEST_ENCODED = 1024;

interface NameWord {
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

const encoder = new TextEncoder();
const decoder = new TextDecoder("latin1");

/** `password=…`, `token: …`, `"apiKey": "…"`, `--secret …`, where the value has enough entropy for its name. */
export const assignmentRule: Rule = {
  anchors: [
    inAnyCase("pass"),
    { gram: ["pP", "wW", "dD", "=:\"'%"], offset: 0 },
    inAnyCase("secr"),
    inAnyCase("oken", 1),
    inAnyCase("cred"),
    { gram: [`${LETTERS}_-`, "kK", "eE", "yY"], offset: -1 },
    { gram: ["uU", "tT", "hH", "=:\"'%"], offset: 1 },
    { gram: ["uU", "rR", "eE", "=%"], offset: "signat".length },
    { gram: ["sS", "iI", "gG", "=%"], offset: 0 },
  ],
  match(view, at) {
    const { bytes } = view;
    const found = WORDS.find(({ word }) => standsInAnyCase(bytes, at, word));
    if (found === undefined) return undefined;
    const nameStart = runStart(bytes, at, Math.max(view.floor, at - LONGEST_REST), ALNUM | DASH | DOT);
    const owner = decoder.decode(bytes.subarray(nameStart, at));
    if (found.after?.test(owner) === false || /public/i.test(owner)) return undefined;
    const wordEnd = at + found.word.length;
    const nameEnd = runEnd(bytes, wordEnd, Math.min(view.end, wordEnd + LONGEST_REST), ALNUM | DASH | DOT);
    if (nameEnd > wordEnd && found.word === "pass") return undefined;
    if (nameEnd > wordEnd && ABOUT.test(decoder.decode(bytes.subarray(wordEnd, nameEnd)))) return undefined;
    if (bytes[nameEnd] === PERCENT) return judgeEncoded(view, found, nameEnd);
    const valueAt = valueStart(view, nameStart, nameEnd);
    return valueAt === undefined ? undefined : judge(view, found, valueAt);
  },
};

/** Where the value begins when the name is given one. */
function valueStart(view: View, nameStart: number, nameEnd: number): number | undefined {
  const { bytes } = view;
  const quoted = skipColor(view, skipQuote(view, skipColor(view, nameEnd)));
  let to = skipBlanks(view, bytes[quoted] === 0x5d ? quoted + 1 : quoted);
  const first = bytes[to];
  const second = bytes[to + 1];
  if (first === COLON || first === EQUAL) {
    if (first === EQUAL && second === EQUAL) return undefined;
    if (first === COLON && second === COLON) return undefined;
    to += (first === COLON && second === EQUAL) || (first === EQUAL && second === GREATER) ? 2 : 1;
    return skipColor(view, skipBlanks(view, to));
  }
  if (first === GREATER) return to + 1;
  if (first === COMMA && quoted > nameEnd) return pairedValue(view, to);
  const isFlag = bytes[nameStart] === DASH_BYTE;
  return isFlag && to > nameEnd ? to : undefined;
}

/** In `"name": "DB_PASSWORD", "value": "…"`, which names the name. */
const PAIRED = /^,\s*\\*["']\w*value\\*["']\s*:\s*/i;
const LONGEST_PAIRING = 48;

function pairedValue({ bytes, end }: View, at: number): number | undefined {
  const between = PAIRED.exec(decoder.decode(bytes.subarray(at, Math.min(end, at + LONGEST_PAIRING))));
  return between === null ? undefined : at + between[0].length;
}

function judge(view: View, { kind, chosen }: NameWord, at: number): Find | undefined {
  const { bytes, end: lineEnd } = view;
  const value = readValue(view, schemeEnd(view, at));
  const { start, end } = value;
  // What is called or looked up is code, not a value.
  if (!value.quoted && end < lineEnd && (bytes[end] === 0x28 || bytes[end] === 0x5b)) return undefined;
  const isSecret = chosen ? looksLikePassword(bytes, value) : looksRandom(bytes, value);
  return isSecret ? { kind, start, end } : undefined;
}

/** The same in a URL's spelling: `password%3D…%26`, `%22token%22%3A%22…%22`. */
const ENCODED =
  /^(?:%22|%27)?(?:%20|\+)*%3[ad](?:%20|\+)*(?:%22|%27)?((?:(?!%(?:0[ad]|2[0267cC]|3[bB]|[57]d))[\w.~!*'()%+-])+)/i;

function judgeEncoded({ bytes, end: lineEnd }: View, { kind, chosen }: NameWord, at: number): Find | undefined {
  const [given, spelled] =
    ENCODED.exec(decoder.decode(bytes.subarray(at, Math.min(lineEnd, at + LONGEST_ENCODED)))) ?? [];
  if (given === undefined || spelled === undefined) return undefined;
  const value = encoder.encode(decodeUrl(spelled));
  const whole = { start: 0, end: value.length, quoted: true };
  if (!(chosen ? looksLikePassword(value, whole) : looksRandom(value, whole))) return undefined;
  return { kind, start: at + given.length - spelled.length, end: at + given.length };
}

function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Passes over the scheme of credentials, as in `token: Bearer …`. */
function schemeEnd(view: View, at: number): number {
  for (const scheme of ["bearer ", "basic ", "token "]) {
    const from = skipQuote(view, at);
    if (standsInAnyCase(view.bytes, from, scheme)) return from + scheme.length;
  }
  return at;
}
