import { ALNUM, DASH, isOf, LETTER, longRunEnd, runEnd, standsInAnyCase } from "../byte-class.ts";
import type { Find, Rule, View } from "../types.ts";
import { inAnyCase } from "./anchor.ts";
import { kindsIn } from "./entropy.ts";
import { looksRandom } from "./secret-value.ts";
import { isStandIn } from "./stand-in.ts";
import { readValue, skipBlanks, skipColor, skipQuote } from "./value.ts";
import { beginsWord } from "./word-start.ts";

const COLON = 0x3a;
const EQUAL = 0x3d;
const SEMICOLON = 0x3b;
const BRACKET = 0x5b;
/** Schemes whose credentials are several parameters. */
const PARAMETERS = ["digest", "aws4-hmac-sha256", "hawk", "oauth", "signature"];
const LEAST_BEARER = 16;
const LEAST_CREDENTIALS = 6;

/** The credentials of `Authorization: Scheme credentials`; the scheme stays. */
const authorizationRule: Rule = {
  anchors: [inAnyCase("riza", "autho".length)],
  match(view, at) {
    if (!standsInAnyCase(view.bytes, at, "authorization")) return undefined;
    const from = afterSeparator(view, at + "authorization".length);
    if (from === undefined) return undefined;
    const line = readLine(view, from);
    const scheme = runEnd(view.bytes, line.start, line.end, ALNUM | DASH);
    const credentials = skipBlanks(view, scheme);
    if (credentials === scheme || credentials >= line.end) return bare(view, line.start, line.end);
    if (PARAMETERS.some((name) => standsInAnyCase(view.bytes, line.start, name)))
      return { kind: "authorization", start: credentials, end: line.end };
    const value = readValue(view, credentials);
    const end = Math.min(value.end, line.end);
    if (
      end - value.start < LEAST_CREDENTIALS ||
      isStandIn(view.bytes, value.start, end) ||
      isWord(view, value.start, end)
    )
      return undefined;
    return { kind: "authorization", start: value.start, end };
  },
};

/** Credentials without a scheme. */
function bare(view: View, start: number, lineEnd: number): Find | undefined {
  const { end } = readValue(view, start);
  const to = Math.min(end, lineEnd);
  const isValue = looksRandom(view.bytes, { start, end: to, quoted: false });
  return isValue ? { kind: "authorization", start, end: to } : undefined;
}

/** `Bearer` and a token, wherever they stand. */
const bearerRule: Rule = {
  anchors: [inAnyCase("bear", 0)],
  match(view, at) {
    const { bytes } = view;
    if (!standsInAnyCase(bytes, at, "bearer") || !beginsWord(view, at)) return undefined;
    const from = skipBlanks(view, at + "bearer".length);
    if (from === at + "bearer".length) return undefined;
    const { start, end } = readValue(view, from);
    if (end - start < LEAST_BEARER || !isOf(bytes[start], ALNUM)) return undefined;
    return looksRandom(bytes, { start, end, quoted: false }) ? { kind: "bearer-token", start, end } : undefined;
  },
};

/** All of `Cookie: a=b; c=d`, and the value of `Set-Cookie: a=b; Path=/`. */
const cookieRule: Rule = {
  anchors: [inAnyCase("cook", 0)],
  match(view, at) {
    const { bytes, floor } = view;
    if (!standsInAnyCase(bytes, at, "cookie")) return undefined;
    const isSet = at - 4 >= floor && standsInAnyCase(bytes, at - 4, "set-");
    if (!isSet && isOf(bytes[at - 1], ALNUM | DASH) && at > floor && !beginsWord(view, at)) return undefined;
    const from = afterSeparator(view, at + "cookie".length);
    if (from === undefined) return undefined;
    const line = readLine(view, from);
    const equal = line.start + bytes.subarray(line.start, Math.min(line.end, line.start + 129)).indexOf(EQUAL);
    if (equal < line.start || !isCookieName(view, line.start, equal)) return undefined;
    if (!isSet)
      return isStandIn(bytes, equal + 1, line.end) ? undefined : { kind: "cookie", start: line.start, end: line.end };
    const semicolon = bytes.subarray(equal, line.end).indexOf(SEMICOLON);
    const end = semicolon === -1 ? line.end : equal + semicolon;
    if (end === equal + 1 || isStandIn(bytes, equal + 1, end)) return undefined;
    return { kind: "cookie", start: equal + 1, end };
  },
};

export const headerRules: readonly Rule[] = [authorizationRule, bearerRule, cookieRule];

/** Where a header's value begins: after a colon, quotes and blanks, as in a request, in JSON or in code. */
function afterSeparator(view: View, at: number): number | undefined {
  const { bytes } = view;
  let to = skipBlanks(view, skipQuote(view, at));
  if (bytes[to] === BRACKET + 2) to++;
  if (bytes[to] !== COLON) return undefined;
  to = skipColor(view, skipBlanks(view, to + 1));
  if (bytes[to] === BRACKET) to = skipBlanks(view, to + 1);
  return to;
}

/** The rest of the line, or of the quotes. */
function readLine(view: View, at: number): { readonly start: number; readonly end: number } {
  const value = readValue(view, at);
  if (value.quoted) return value;
  const { bytes } = view;
  let end = longRunEnd(
    bytes,
    at,
    view.end,
    readLine,
    (to) => bytes[to]! < 0x20 || bytes[to] === 0x22 || bytes[to] === 0x27,
  );
  while (end > at && bytes[end - 1] === 0x20) end--;
  return { start: at, end };
}

/** A word of prose rather than credentials. */
function isWord({ bytes }: View, from: number, to: number): boolean {
  const { upper, digits, others } = kindsIn(bytes, from, to);
  return digits === 0 && (upper <= 1 || others > 0) && !bytes.subarray(from, to).includes(EQUAL);
}

function isCookieName({ bytes }: View, from: number, to: number): boolean {
  if (to === from || to - from > 128) return false;
  for (let at = from; at < to; at++)
    if (bytes[at]! <= 0x20 || bytes[at]! >= 0x7f || bytes[at] === 0x3b || bytes[at] === 0x28) return false;
  return isOf(bytes[from], LETTER | ALNUM | DASH);
}
