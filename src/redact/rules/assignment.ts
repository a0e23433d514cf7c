import { standsInAnyCase } from "../byte-class.ts";
import type { Find, Rule, View } from "../types.ts";
import { announces, isNested, NAME_ANCHORS, type NameWord, nameEnd, nameStart, suits, wordAt } from "./secret-name.ts";
import { isStandIn } from "./stand-in.ts";
import { readValue, skipBlanks, skipColor, skipQuote } from "./value.ts";

const COLON = 0x3a;
const EQUAL = 0x3d;
const GREATER = 0x3e;
const DASH_BYTE = 0x2d;
const PERCENT = 0x25;
/** Most bytes of a value in a URL's spelling. */
const LONGEST_ENCODED = 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder("latin1");

/** `password=…`, `token: …`, `"apiKey": "…"`, `--secret …`, where the value has enough entropy for its name. */
export const assignmentRule: Rule = {
  anchors: NAME_ANCHORS,
  match(view, at) {
    const word = wordAt(view, at);
    if (word === undefined || isNested(view, at)) return undefined;
    const end = nameEnd(view, word, at);
    const inUrl = view.bytes[end] === PERCENT;
    const valueAt = inUrl ? end : valueStart(view, at, end);
    if (valueAt === undefined || !announces(view, word, at)) return undefined;
    if (inUrl) return judgeEncoded(view, word, end);
    const name = decoder.decode(view.bytes.subarray(nameStart(view, at), end));
    return judge(view, valueAt, word, VARIABLES.has(name));
  },
};

/** Where the value begins when the name, which ends at `nameEnd`, is given one. */
function valueStart(view: View, at: number, nameEnd: number): number | undefined {
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
  return to > nameEnd && bytes[nameStart(view, at)] === DASH_BYTE ? to : undefined;
}

/** Variables that programs take a password from as it is, whatever it is. */
const VARIABLES = new Set(["PGPASSWORD", "MYSQL_PWD", "SSHPASS"]);

function judge(view: View, at: number, word: NameWord, anything: boolean): Find | undefined {
  const { bytes, end: lineEnd } = view;
  const value = readValue(view, schemeEnd(view, at));
  const { start, end } = value;
  // What is called or looked up is code, not a value.
  if (!value.quoted && end < lineEnd && (bytes[end] === 0x28 || bytes[end] === 0x5b)) return undefined;
  const isSecret = anything ? end > start && !isStandIn(bytes, start, end) : suits(word, bytes, value);
  return isSecret ? { kind: word.kind, start, end } : undefined;
}

/** The same in a URL's spelling: `password%3D…%26`, `%22token%22%3A%22…%22`. */
const ENCODED =
  /^(?:%22|%27)?(?:%20|\+)*%3[ad](?:%20|\+)*(?:%22|%27)?((?:(?!%(?:0[ad]|2[0267cC]|3[bB]|[57]d))[\w.~!*'()%+-])+)/i;

function judgeEncoded({ bytes, end: lineEnd }: View, word: NameWord, at: number): Find | undefined {
  const [given, spelled] =
    ENCODED.exec(decoder.decode(bytes.subarray(at, Math.min(lineEnd, at + LONGEST_ENCODED)))) ?? [];
  if (given === undefined || spelled === undefined) return undefined;
  const value = encoder.encode(decodeUrl(spelled));
  const whole = { start: 0, end: value.length, quoted: true };
  if (!suits(word, value, whole)) return undefined;
  return { kind: word.kind, start: at + given.length - spelled.length, end: at + given.length };
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
