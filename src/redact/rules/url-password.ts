import { ALNUM, DASH, DOT, isOf, PLUS_SLASH, runStart } from "../byte-class.ts";
import type { Find, Rule, View } from "../types.ts";
import { DIGITS, LETTERS } from "./anchor.ts";
import { isMixed } from "./entropy.ts";
import { isStandIn } from "./stand-in.ts";

const COLON = 0x3a;
const AT_SIGN = 0x40;
const SLASH = 0x2f;
/** Most bytes between "://" and "@". */
const LONGEST = 512;
/** A user name of this length that mixes letters and digits is a token. */
const LEAST_TOKEN = 20;

/** The password in `scheme://user:password@host`, or a token in the user's place. */
export const urlPasswordRule: Rule = {
  anchors: [
    { gram: [`${LETTERS}${DIGITS}`, ":", "/", "/"], offset: -1 },
    { gram: ["3", "aA", "%", "2"], offset: 1 },
  ],
  match(view, at) {
    const { bytes } = view;
    if (bytes[at] !== COLON) return encodedPassword(view, at);
    const from = at + 3;
    const limit = Math.min(view.end, from + LONGEST);
    let colon = -1;
    let sign = -1;
    let to = from;
    for (; to < limit; to++) {
      const byte = bytes[to]!;
      if (byte === COLON && colon === -1) colon = to;
      else if (byte === AT_SIGN) sign = to;
      else if (endsAuthority(byte)) break;
    }
    if (sign === -1 || !isHost(bytes, sign + 1, view.end)) return undefined;
    if (colon === -1 || colon > sign) return tokenAsUser(view, from, sign);
    if (colon + 1 === sign || isStandIn(bytes, colon + 1, sign)) return tokenAsUser(view, from, colon);
    return { kind: "url-password", start: colon + 1, end: sign };
  },
};

/** The same in the spelling of a URL within a URL. */
const ENCODED = /^%3a%2f%2f[^\s"'&%]*%3a((?:(?!%(?:2[0-2f7]|40|5c))[^\s"'&])+)%40[\w.[-]/i;
const decoder = new TextDecoder("latin1");

function encodedPassword({ bytes, end: lineEnd }: View, at: number): Find | undefined {
  const found = ENCODED.exec(decoder.decode(bytes.subarray(at, Math.min(lineEnd, at + LONGEST))));
  if (found === null) return undefined;
  const [whole, password] = found as unknown as [string, string];
  const end = at + whole.length - "%40h".length;
  const start = end - password.length;
  return isStandIn(bytes, start, end) ? undefined : { kind: "url-password", start, end };
}

function tokenAsUser({ bytes }: View, from: number, to: number) {
  if (to - from < LEAST_TOKEN || runStart(bytes, to, from, ALNUM | DASH) !== from) return undefined;
  return isMixed(bytes, from, to) && !isStandIn(bytes, from, to)
    ? { kind: "url-token", start: from, end: to }
    : undefined;
}

/** Blanks, quotes and what begins a path. */
function endsAuthority(byte: number): boolean {
  return (
    byte <= 0x20 ||
    byte === SLASH ||
    byte === 0x22 ||
    byte === 0x27 ||
    byte === 0x60 ||
    byte === 0x3c ||
    byte === 0x3e ||
    byte === 0x5c
  );
}

function isHost(bytes: Uint8Array, at: number, end: number): boolean {
  return at < end && (isOf(bytes[at], ALNUM | DOT | DASH | PLUS_SLASH) || bytes[at] === 0x5b || bytes[at] === 0x24);
}
