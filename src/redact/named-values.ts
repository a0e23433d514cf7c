import { anchorOf, type Find, type Rule } from "./rule.ts";
import {
  endOf,
  holdsText,
  isStandIn,
  looksLikePassword,
  looksRandom,
  readValue,
  type Value,
  wholeEnd,
} from "./secret-value.ts";

interface NameWord {
  readonly kind: string;
  /** A password is chosen by people, and may be short; other secrets are made by programs. */
  readonly chosen?: boolean;
  /** What must stand before it in the name, when the word alone says too little. */
  readonly after?: RegExp;
}

const KEY_OWNERS =
  /(?:api|access|secret|private|account|signing|sign|encryption|encrypt|crypt|auth|master|shared|storage|service|admin|subscription|consumer|app|application|client|deploy|root|session|webhook|hmac|aes|jwt|token|user|server|function|host|license|primary|secondary|integration|write|ingest|project|fernet|cookie|wallet|vapid|algolia|azure|openai|maps)[-_.]?$/i;
/** "pass" also is what a test does. */
const OWNERS_OF_PASS = /[-_.]$|(?:db|user|sql|root|admin|ftp|ssh|smtp|mail|redis|pg|http|auth|login|key|store)$/i;

/** Words that tell what a name is, the longest first where one begins another. */
const WORDS: ReadonlyMap<string, NameWord> = new Map(
  Object.entries({
    passphrase: { kind: "password", chosen: true },
    password: { kind: "password", chosen: true },
    passwort: { kind: "password", chosen: true },
    passwd: { kind: "password", chosen: true },
    passcode: { kind: "password", chosen: true },
    pass: { kind: "password", chosen: true, after: OWNERS_OF_PASS },
    pswd: { kind: "password", chosen: true },
    psk: { kind: "password", chosen: true, after: /(?:^|[-_.])$/ },
    pwd: { kind: "password", chosen: true },
    pw: { kind: "password", chosen: true, after: /(?:[-_.]|bind|root|admin|user|db)$/i },
    secret: { kind: "secret" },
    token: { kind: "token" },
    credential: { kind: "credential" },
    key: { kind: "key", after: KEY_OWNERS },
    auth: { kind: "auth", after: /(?:^|[-_.])$/ },
    signature: { kind: "signature", after: /(?:amz|goog|hub)-$/i },
    sig: { kind: "signature", after: /^$/ },
  }),
);
/** A name has no longer rest after its word. */
const WORD = new RegExp([...WORDS.keys()].join("|"), "iy");
const REST = /[\w.-]{0,32}/y;
const LONGEST_OWNER = 32;

/** Names that speak about a secret instead of holding one. */
const ABOUT =
  /^(?:s?[-_.]?(?:id|ids|name|names|type|types|count|counts|limit|limits|length|len|size|url|uri|endpoint|path|file|dir|expir\w*|ttl|age|version|usage|used|kind|format|policy|field|label|index|pos|position|start|end|offset|line|lines|column|col|class|algorithm|alg|hash|digest|fingerprint|sha\d*|checksum|provider|manager|store|service|scope|scopes|audience|issuer|budget|window|rate|min|max|total|input|output|prompt|completion|ref|refs|arn|strategy|mode|rotation|status|state|hint|help|text|prefix|suffix|regex|pattern|required|enabled|valid|verified|changed|reset)|s|ize|izer|ized|ization|ed|ing|es|er|ers|less|word|words|ive|age|ably|ion|ary|aries)$/i;

const ANCHORS = [
  anchorOf("pass", true),
  ...["pwd[=:\"']", "psk[=:\"']", "pswd"].map((keyword) => anchorOf(keyword, true)),
  anchorOf("secr", true),
  { ...anchorOf("oken", true), offset: 1 },
  anchorOf("cred", true),
  { ...anchorOf("[abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.-]key", true), offset: -1 },
  { ...anchorOf("[_.-]pw[=:\"']", true), offset: -1 },
  { ...anchorOf("uth[=:\"']", true), offset: 1 },
  { ...anchorOf("ure[=]", true), offset: "signat".length },
  anchorOf("sig[=]", true),
];

interface Name {
  readonly word: NameWord;
  readonly start: number;
  readonly end: number;
}

/** Where the name ends that has its word at `at`; -1 when none of the words stands there. */
function nameEnd(text: string, at: number): number {
  const word = endOf(WORD, text, at);
  return word === -1 ? -1 : endOf(REST, text, word);
}

/** The name that has its word at `at`, when it announces a secret and does not only speak of one. */
function nameAt(text: string, at: number): Name | undefined {
  const wordEnd = endOf(WORD, text, at);
  const end = endOf(REST, text, wordEnd);
  const rest = text.slice(wordEnd, end);
  if (rest !== "" && (ABOUT.test(rest) || /^pass$/i.test(text.slice(at, wordEnd)))) return undefined;
  let start = at;
  while (start > 0 && at - start < LONGEST_OWNER && isNameCharacter(text.charCodeAt(start - 1))) start--;
  const owner = text.slice(start, at);
  const word = WORDS.get(text.slice(at, wordEnd).toLowerCase())!;
  if (word.after?.test(owner) === false || (owner !== "" && /public/i.test(owner))) return undefined;
  return { word, start, end };
}

/** A letter, a digit, `_`, `-` or a full stop. */
function isNameCharacter(code: number): boolean {
  const folded = code | 0x20;
  return (
    (folded >= 0x61 && folded <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e
  );
}

/** True for a value that is secret enough for its name, or a text in base64, as Kubernetes keeps secrets. */
function suits({ chosen }: NameWord, value: string, quoted: boolean): boolean {
  return (chosen === true ? looksLikePassword(value, quoted) : looksRandom(value, quoted)) || holdsText(value);
}

const SEPARATOR = /(?:\\*["'`])?\]?[ \t]{0,24}(?:(?::(?!:)=?|=(?!=)>?)[ \t]{0,24}|>)/y;
const BLANKS = /[ \t]{1,24}/y;
/** Commands that give a name its value after a blank. */
const SETTER = /(?:^|[\s;&|])(?:ENV|ARG|setenv|setx|set(?: +-{1,2}[\w-]+)+|(?:config|configure) +set)[ \t]+$/;
/** The scheme of credentials, as in `token: Bearer …`. */
const SCHEME = /(?:\\*["'`])?(?:bearer|basic|token) /iy;
/** Variables that programs take a password from as it is, whatever it is. */
const VARIABLES = /^(?:PGPASSWORD|MYSQL_PWD|SSHPASS|REDISCLI_AUTH|RESTIC_PASSWORD)$/;
/** A word with so many names and separators before, such as `token=token=token=`, is no list of settings. */
const MOST_NESTED = 6;

/** `password=…`, `token: …`, `"apiKey": "…"`, `--secret …`, `ENV TOKEN …`, where the value is secret enough for its name. */
export const assignmentRule: Rule = {
  anchors: ANCHORS,
  match(text, at) {
    const end = nameEnd(text, at);
    const separated = end === -1 ? -1 : endOf(SEPARATOR, text, end);
    const from = separated === -1 ? endOf(BLANKS, text, end) : separated;
    if (end === -1 || from === -1 || isNested(text, at)) return undefined;
    const name = nameAt(text, at);
    if (name === undefined || (separated === -1 && !takesBlank(text, name))) return undefined;
    const scheme = endOf(SCHEME, text, from);
    const value = readValue(text, scheme === -1 ? from : scheme);
    // What is called or looked up is code, not a value.
    if (!value.quoted && /[([]/.test(text[value.end] ?? "")) return undefined;
    const content = text.slice(value.start, value.end);
    const anything = VARIABLES.test(text.slice(name.start, name.end)) && content !== "" && !isStandIn(content);
    if (!anything && !suits(name.word, content, value.quoted)) return undefined;
    return { kind: name.word.kind, start: value.start, end: wholeEnd(text, value) };
  },
};

/** True for an option, and for the name in a command that sets it. */
function takesBlank(text: string, { start }: Name): boolean {
  return text[start] === "-" || SETTER.test(text.slice(Math.max(0, start - 64), start));
}

function isNested(text: string, at: number): boolean {
  let separators = 0;
  for (let before = at - 1; before >= 0 && separators < MOST_NESTED; before--) {
    const character = text[before]!;
    if (character === "=" || character === ":") separators++;
    else if (
      character <= '"' ||
      (character === "&" && isNameCharacter(text.charCodeAt(before + 1))) ||
      character === "'" ||
      character === "," ||
      character === ";"
    )
      return false;
  }
  return separators >= MOST_NESTED;
}

const PAIR_END = /\\*["'`][ \t]*,|<\/[\w-]{1,32}>|(?:\\*["'`])?[ \t]*(?=\r?\n|(?:\\r)?\\n)/y;
const LINE_BREAK = /[ \t]*(?:(?:\\r)?\\n|\r?\n)/y;
const BELOW = /(?:\\*["'`])?[ \t]*:[ \t]*(?:[|>][+\d-]*[ \t]*)?/y;
/** Blanks, and before them a diff's sign, the line's number, or `file-12-` as a search prints it. */
const MARGIN = /(?:[+-]|[ \t]*\d+(?:\t|[:|-]|\xe2\x86\x92)|[\w./-]{1,80}[:-]\d+[:-])?[ \t]*/y;
const VALUE_NAME = /(?:<|\\*["'`])?[\w-]{0,27}value(?:\\*["'`])?[ \t]*[:=>][ \t]*/iy;
/** The beginning of a line may become a name or a margin as long as no more has come. */
const UNCLEAR_CHARACTERS = 224;
const ANNOUNCED_CHARACTERS = 16_384;
/** A name further to the right is none of a mapping. */
const MOST_COLUMN = 64;
const LINE_END = /[ \t,]{0,24}(?=\r|\\|\n|$)/y;
/** Base64 goes on from one full line to the next. */
const NEXT_LINES =
  /(?<=[A-Za-z\d+/=]{40})[ \t]*(?:\r?\n|(?:\\r)?\\n)([ \t]+)([A-Za-z\d+/=]+)(?=[ \t,]*(?:\r|\\|\n|$))/y;

/**
 * A value that does not stand beside its name: on the line below it, or as the value of a pair that has the name for its
 * own, `name: DB_PASSWORD` and `value: …`, in JSON, YAML, TOML or XML.
 */
export const announcedRule: Rule = {
  anchors: ANCHORS,
  spansLines: { most: ANNOUNCED_CHARACTERS, mayGrow: (text, at) => announcedAt(text, at, false) === "open" },
  match(text, at) {
    const announced = announcedAt(text, at, true);
    return typeof announced === "object" ? announced : undefined;
  },
};

/** What the name announces that has its word at `at`; `whole` when nothing comes after the text. */
function announcedAt(text: string, at: number, whole: boolean): Find | "open" | undefined {
  const end = nameEnd(text, at);
  const below = end === -1 ? -1 : endOf(BELOW, text, end);
  const paired = end === -1 || below !== -1 ? -1 : endOf(PAIR_END, text, end);
  if (below === -1 && paired === -1) return undefined;
  const found = below === -1 ? pairedValue(text, paired, whole) : valueBelow(text, at, below, whole);
  if (found === undefined || found === "open") return found;
  const name = nameAt(text, at);
  return name !== undefined && suits(name.word, text.slice(found.start, found.end), found.quoted)
    ? { kind: name.word.kind, start: found.start, end: found.lastEnd }
    : undefined;
}

/** The first line of a value, and where its last one ends. */
interface Lines extends Value {
  readonly lastEnd: number;
}

/** The value on the next line, after `name:` or `name: |`, when it is alone there and further to the right than the name. */
function valueBelow(text: string, word: number, at: number, whole: boolean): Lines | "open" | undefined {
  const line = endOf(LINE_BREAK, text, at);
  if (line === -1) return at >= text.length - 1 && !whole ? "open" : undefined;
  const lineEnd = text.indexOf("\n", line);
  if (lineEnd === -1 && !whole) return "open";
  const ownLine = text.slice(line, lineEnd === -1 ? text.length : lineEnd);
  const margin = endOf(MARGIN, ownLine, 0);
  if (margin <= columnOf(text, word, text[line - 1] !== "\n")) return undefined;
  const value = readValue(ownLine, margin);
  const after = value.quoted ? value.end + 1 : value.end;
  if (endOf(LINE_END, ownLine, after) === -1) return undefined;
  const [start, end] = [line + value.start, line + value.end];
  const lastEnd = value.quoted ? end : lastLineEnd(text, end, margin, whole);
  return lastEnd === "open" ? "open" : { start, end, quoted: value.quoted, lastEnd };
}

/** How far the name that has its word at `at` begins from the start of its line, which may be one in a string of JSON. */
function columnOf(text: string, at: number, inString: boolean): number {
  let start = at;
  while (start > 0 && at - start < LONGEST_OWNER && isNameCharacter(text.charCodeAt(start - 1))) start--;
  if (inString && text[start - 1] === "\\" && text[start] === "n") start++;
  for (let before = start; start - before <= MOST_COLUMN; before--) {
    const previous = text[before - 1];
    if (before === 0 || previous === "\n") return start - before;
    if (inString && (previous === '"' || (previous === "n" && text[before - 2] === "\\"))) return start - before;
  }
  return Number.POSITIVE_INFINITY;
}

function lastLineEnd(text: string, first: number, margin: number, whole: boolean): number | "open" {
  for (let end = first; ; ) {
    NEXT_LINES.lastIndex = end;
    const next = NEXT_LINES.exec(text);
    if (next === null || next[1]!.length !== margin) return end;
    if (NEXT_LINES.lastIndex === text.length && !whole) return "open";
    end = NEXT_LINES.lastIndex;
  }
}

/** The value of `value: …`, `"value": "…"` or `<value>…`, which comes next. */
function pairedValue(text: string, at: number, whole: boolean): Lines | "open" | undefined {
  if (at === -1) return undefined;
  const broken = endOf(LINE_BREAK, text, at);
  const from = broken === -1 ? Math.max(at, endOf(BLANKS, text, at)) : endOf(MARGIN, text, broken);
  const lineEnd = text.indexOf("\n", from);
  const isOpen = lineEnd === -1 && !whole;
  if (isOpen && text.length - from < UNCLEAR_CHARACTERS && broken !== -1) return "open";
  const named = endOf(VALUE_NAME, text, from);
  if (named === -1) return isOpen && text.length - from < UNCLEAR_CHARACTERS ? "open" : undefined;
  if (isOpen) return "open";
  const value = readValue(text.slice(0, lineEnd === -1 ? text.length : lineEnd), named);
  return { ...value, lastEnd: value.end };
}

const HEADER_VALUE = /(?:\\*["'`])?\]?[ \t]{0,24}:[ \t]{0,24}(?:\[[ \t]{0,24})?/y;
const REST_OF_LINE = /[^\0-\x1f"']*/y;
/** Schemes whose credentials are several parameters. */
const PARAMETERS = /(?:digest|aws4-hmac-sha256|hawk|oauth|signature)[ \t]+/iy;
const SCHEME_NAME = /[\w-]{1,64}[ \t]{1,24}(?=[^\s"'])/y;
const LEAST_CREDENTIALS = 6;

/** The credentials of `Authorization: Scheme credentials`; the scheme stays. */
const authorizationRule: Rule = {
  anchors: [{ ...anchorOf("riza", true), offset: "autho".length }],
  match(text, at) {
    if (!/^authorization$/i.test(text.slice(at, at + 13))) return undefined;
    const from = endOf(HEADER_VALUE, text, at + 13);
    if (from === -1) return undefined;
    const quote = endOf(OPENING, text, from);
    const parameters = endOf(PARAMETERS, text, quote);
    if (parameters !== -1)
      return { kind: "authorization", start: parameters, end: endOf(REST_OF_LINE, text, parameters) };
    const scheme = endOf(SCHEME_NAME, text, quote);
    const value = readValue(text, scheme === -1 ? from : scheme);
    const content = text.slice(value.start, value.end);
    const isSecret =
      scheme === -1
        ? looksRandom(content, false)
        : content.length >= LEAST_CREDENTIALS && !isStandIn(content) && !isProse(content);
    return isSecret ? { kind: "authorization", start: value.start, end: wholeEnd(text, value) } : undefined;
  },
};

/** A word of prose rather than credentials. */
function isProse(text: string): boolean {
  return !/[\d=]/.test(text) && (/[^A-Za-z\d]/.test(text) || !/[A-Z].*[A-Z]/s.test(text));
}

const OPENING = /(?:\\*["'`])?/y;
const COOKIE = /[A-Za-z\d_-][^\0- \x7f-\xff;(="']{0,127}=/y;
const COOKIE_VALUE = /[^\0-\x1f"';]{0,256}/y;
const REST_OF_COOKIE = /[^\0-\x1f"';]*/y;

/** All of `Cookie: a=b; c=d`, and the value of `Set-Cookie: a=b; Path=/`. */
const cookieRule: Rule = {
  anchors: [anchorOf("cook", true)],
  match(text, at) {
    if (!/^cookie$/i.test(text.slice(at, at + 6))) return undefined;
    const isSet = /set-$/i.test(text.slice(Math.max(0, at - 4), at));
    if (!isSet && /(?<!\\)[\w-]$/.test(text.slice(Math.max(0, at - 2), at))) return undefined;
    const from = endOf(HEADER_VALUE, text, at + 6);
    const start = from === -1 ? -1 : endOf(OPENING, text, from);
    const value = start === -1 ? -1 : endOf(COOKIE, text, start);
    if (value === -1) return undefined;
    if (isStandIn(text.slice(value, endOf(COOKIE_VALUE, text, value)))) return undefined;
    const content = text.slice(value, endOf(isSet ? REST_OF_COOKIE : REST_OF_LINE, text, value)).trimEnd();
    return { kind: "cookie", start: isSet ? value : start, end: value + content.length };
  },
};

export const headerRules: readonly Rule[] = [authorizationRule, cookieRule];
