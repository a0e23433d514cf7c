import { anchorOf, type Find, type Rule } from "./rule.ts";
import { endOf, isStandIn, looksLikePassword } from "./secret-value.ts";

/** The longest key that is waited for; one of 16,384 bits has 12,700 bytes. */
const KEY_CHARACTERS = 16_384;
/** No longer token is looked for in base64. */
const TOKEN_CHARACTERS = 2048;
const HEADER_CHARACTERS = 96;
const HEADER = /-----BEGIN [^\n]{0,70}?PRIVATE[^\n]{0,70}?-----|---- BEGIN [^\n]{0,70}?PRIVATE[^\n]{0,70}? ----/y;
/** The line that closes the block, or that another begins. */
const FOOTER = /-{3,5} ?(?:END [^\n]{0,80}?-----?|BEGIN )/g;
/** Lines of base64 after a header, with what headers of their own the block may have. */
const BODY =
  /(?:[^\n]{0,200}\n(?:[A-Z][\w-]{0,32}: [^\n]{0,200}\n|[ \t\r]{0,200}\n){0,8})?(?:[ \t]*[\w+/=\\]{40,}[ \t\r]*(?:\n|$))*[ \t]*[\w+/=\\]*/y;
/** A key that breaks off is one from this many characters on. */
const LEAST_BODY = 40;

/** A private key in a block of its own: PEM, OpenSSH, PGP, SSH2; in lines, or in one line with the newlines escaped. */
export const privateKeyRule: Rule = {
  anchors: [{ ...anchorOf("BEGI"), offset: "-----".length }],
  spansLines: {
    most: KEY_CHARACTERS,
    mayGrow(text, at) {
      const header = endOf(HEADER, text, at);
      if (header === -1) return text.length - at < HEADER_CHARACTERS && !text.includes("\n", at);
      return closedAt(text, header) === undefined;
    },
  },
  match(text, at) {
    const header = endOf(HEADER, text, at);
    if (header === -1) return undefined;
    const closed = closedAt(text, header);
    const end = typeof closed === "number" ? closed : bodyEnd(text, header);
    return end === undefined ? undefined : { kind: "private-key", start: at, end };
  },
};

/** Where the line that closes the block ends; `another` when another block begins first. */
function closedAt(text: string, header: number): number | "another" | undefined {
  FOOTER.lastIndex = header;
  const footer = FOOTER.exec(text)?.[0];
  if (footer === undefined) return undefined;
  return footer.endsWith("BEGIN ") ? "another" : FOOTER.lastIndex;
}

/** Where a body that nothing closes ends. */
function bodyEnd(text: string, header: number): number | undefined {
  const end = endOf(BODY, text, header);
  const body = text.slice(header, end).trimEnd();
  return body.replace(/[^\w+/=]/g, "").length >= LEAST_BODY && /[\w+/=\\]{40}/.test(body)
    ? header + body.length
    : undefined;
}

const PUTTY = /Private-Lines: (\d{1,3})\r?\n/y;
const PUTTY_LINE = /[\w+/=]+\r?(?:\n|$)/y;

/** The private part of a key of PuTTY: as many lines of base64 as it says. */
export const puttyKeyRule: Rule = {
  anchors: [anchorOf("Private-Lines: ")],
  spansLines: { most: KEY_CHARACTERS, mayGrow: (text, at) => puttyLines(text, at).open },
  match(text, at) {
    const { start, end } = puttyLines(text, at);
    return end > start ? { kind: "private-key", start, end } : undefined;
  },
};

function puttyLines(
  text: string,
  at: number,
): { readonly start: number; readonly end: number; readonly open: boolean } {
  PUTTY.lastIndex = at;
  const [header, lines] = PUTTY.exec(text) ?? [];
  if (header === undefined) return { start: at, end: at, open: text.length - at < 24 && !text.includes("\n", at) };
  const start = at + header.length;
  let end = start;
  for (let line = 0; line < Number(lines); line++) {
    const next = endOf(PUTTY_LINE, text, end);
    if (next === -1) return { start, end, open: end === text.length };
    if (text[next - 1] !== "\n") return { start, end: next, open: true };
    end = next;
  }
  return { start, end: text[end - 2] === "\r" ? end - 2 : end - 1, open: false };
}

const NETRC = /(?:machine\s+\S+|default)((?:\s+(?:login|account)\s+\S+){0,2})\s+password\s+(\S+)/y;
/** What may become such an entry when more comes. */
const NETRC_BEGINNING =
  /(?:machine|default)?(?:(?:(?<=machine)\s+\S+|(?<=default))(?:\s+(?:login|account)\s+\S+){0,2}(?:\s+(?:login|account|password)(?:\s+\S*)?|\s+\w*|\s*)|(?<=machine)\s*)$|m[a-z]{0,6}$|d[a-z]{0,6}$/y;

/** The password of `machine HOST login USER password …` in a `.netrc`, in one line or in several. */
export const netrcRule: Rule = {
  anchors: [anchorOf("mach"), { ...anchorOf("lt l"), offset: "defau".length }],
  spansLines: { most: 1024, mayGrow: (text, at) => endOf(NETRC_BEGINNING, text, at) !== -1 },
  match(text, at) {
    NETRC.lastIndex = at;
    const [entry, login, password] = NETRC.exec(text) ?? [];
    if (password === undefined || /[A-Za-z0-9]/.test(text[at - 1] ?? " ")) return undefined;
    if (login === "" ? !looksLikePassword(password) : isStandIn(password)) return undefined;
    const end = at + entry!.length;
    return { kind: "password", start: end - password.length, end };
  },
};

/** Characters of base64, also over lines of which all but the last are full. */
const RUN = /(?:[\w+/]{60,100}\r?\n[ \t]*(?=[\w+/=]+[\r\n]))*[A-Za-z\d+/]*={0,2}/y;
/** Enough for a token or the header of a key. */
const FIRST_CHARACTERS = 160;
/** What is looked for in base64 too: what is known by its beginning, the more so the longer that is. */
const BEGINNINGS = /^(?:AKIA|gh[ps]_|github_pat_|glpat-|sk-ant-|sk-proj-|xoxb-)$/;
/** How the JSON of a token's header begins. */
const JWT_BEGINNINGS = ["eyJhbGciOi", "eyJ0eXAiOi", "eyJraWQiOi"];

/** Rules for secrets that stand in a longer text in base64, where they may begin at any of the three bytes of a group. */
export function encodedRules(tokens: readonly Rule[], jwt: Rule): readonly Rule[] {
  const inner: readonly (readonly [string, Rule])[] = [
    ["-----BEGIN ", privateKeyRule],
    ...tokens.flatMap((rule) => (BEGINNINGS.test(rule.begins!) ? [[rule.begins!, rule] as const] : [])),
    ...JWT_BEGINNINGS.map((begins) => [begins, jwt] as const),
  ];
  return inner.flatMap(([begins, rule]) => [0, 1, 2].map((before) => createEncodedRule(begins, rule, before)));
}

/** `before` tells how many bytes of the first group stand before the secret. */
function createEncodedRule(begins: string, rule: Rule, before: number): Rule {
  const first = Math.ceil((before * 8) / 6);
  const known = btoa("\0".repeat(before) + begins).slice(first, Math.floor(((before + begins.length) * 8) / 6));
  const { gram, offset } = anchorOf(known);
  return {
    anchors: [{ gram, offset: first + offset }],
    spansLines: {
      most: rule === privateKeyRule ? KEY_CHARACTERS : TOKEN_CHARACTERS,
      mayGrow(text, at) {
        if (text.length < at + first + known.length) return known.startsWith(text.slice(at + first));
        return text.startsWith(known, at + first) && wrappedEnd(text, at).open;
      },
    },
    match: (text, at) => (text.startsWith(known, at + first) ? findEncoded(text, at, before, rule) : undefined),
  };
}

/** Where the characters of base64 end that begin at `at`, and whether more may come. */
function wrappedEnd(text: string, at: number): { readonly end: number; readonly open: boolean } {
  let lineStart = at;
  while (lineStart > 0 && at - lineStart < 100 && /[\w+/]/.test(text[lineStart - 1]!)) lineStart--;
  const end = Math.max(at, endOf(RUN, text, lineStart));
  return {
    end,
    open: text.length - end < 104 && !/\n[^\n]*\n/.test(text.slice(end)) && /^[\r\n \t\w+/=]*$/.test(text.slice(end)),
  };
}

function findEncoded(text: string, at: number, before: number, rule: Rule): Find | undefined {
  // The group before tells whether the secret begins a word, and the beginning whether it is one at all.
  const from = /^[A-Za-z\d+/]{4}$/.test(text.slice(Math.max(0, at - 4), at)) ? at - 4 : at;
  const place = ((at - from) / 4) * 3 + before;
  const start = decode(text.slice(from, at + FIRST_CHARACTERS));
  const isKey = rule === privateKeyRule && endOf(HEADER, start, place) !== -1;
  if (!isKey && rule === privateKeyRule) return undefined;
  if (!isKey && rule.match(start, place) === undefined && !/^[\w.-]{100,}$/.test(start.slice(place))) return undefined;
  const { end: runEnd } = wrappedEnd(text, at);
  const run = text.slice(from, runEnd);
  const find = rule.match(decode(run), place);
  if (find === undefined) return undefined;
  const at64 = (index: number) => from + placeOf(run, index);
  const last = at64(Math.ceil((find.end * 8) / 6) - 1) + 1;
  return { kind: find.kind, start: at64(Math.floor((find.start * 8) / 6)), end: runEnd - last < 3 ? runEnd : last };
}

/** What characters of base64 stand for; what is too little for a byte is left out. */
function decode(run: string): string {
  const characters = run.replace(/[^A-Za-z\d+/]/g, "");
  return atob(characters.slice(0, characters.length - (characters.length % 4 === 1 ? 1 : 0)));
}

/** Where in a run over lines a character of base64 stands. */
function placeOf(run: string, index: number): number {
  let left = index;
  for (let at = 0; at < run.length; at++) if (/[A-Za-z\d+/]/.test(run[at]!) && left-- === 0) return at;
  return run.length - 1;
}
