import { unitAt } from "../../../bytes/unit-at.ts";

/** What one line of a file of settings is. */
export type ConfigLine =
  | { readonly kind: "section"; readonly name: string }
  | {
      readonly kind: "key";
      readonly indent: number;
      readonly listed: boolean;
      readonly opens: boolean;
      /** True when a colon stands after it, as in YAML. */
      readonly yaml: boolean;
    }
  | { readonly kind: "element"; readonly indent: number }
  | { readonly kind: "comment" }
  | { readonly kind: "boundary" }
  | { readonly kind: "other"; readonly indent: number };

const SECTION = /^\s*(\[{1,2}[^\][]{1,200}\]{1,2})\s*(?:[#;].*)?$/;
const COMMENT = /^\s*(?:#|;|\/\/|!(?!\S*:))/;
const DOCUMENT = /^(?:---|\.\.\.)(?:\s|$)/;
const CLOSING = /^\s*[}\])]+,?;?\s*$/;
const BLOCK = /^\s*[\w-]+(?:\s+"[^"]{0,200}"|\s+[\w.-]+){0,3}\s*=?\s*[{[]\s*$/;
const LISTED = /^\s*- ?\S/;
const OPENING_VALUE = /^[|>&][\w+-]*$/;
const OPENING_BRACKET = /^[{[(]?$/;

const COMMENT_LINE: ConfigLine = { kind: "comment" };
const BOUNDARY_LINE: ConfigLine = { kind: "boundary" };
const MOST_KEY_CHARS = 200;
const EXPORT = "export ";
const SPACE = 32;
const QUOTE = 34;
const APOSTROPHE = 39;
const PLUS = 43;
const COMMA = 44;
const DASH = 45;
const POINT = 46;
const COLON = 58;
const EQUALS = 61;
const BRACKET = 91;
const BRACE = 123;

/** What a character may be; a line is looked at with a pattern only where its first or last character allows it. */
const BEGINS_YAML = 1;
const IN_YAML = 2;
const BEGINS_COMMENT = 4;
const BEGINS_CLOSING = 8;
const BEGINS_OPENING = 16;
const BEGINS_ASSIGNED = 32;
const IN_ASSIGNED = 64;
const ROLES = new Uint8Array(128);
const WORD = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
for (const [characters, role] of [
  [`${WORD}.$/@*<~-`, BEGINS_YAML],
  [`${WORD}.$/@ *+~<>()=-`, IN_YAML],
  ["#;/!", BEGINS_COMMENT],
  ["}])", BEGINS_CLOSING],
  ["|>&", BEGINS_OPENING],
  [`${WORD}."'$\\:/@-`, BEGINS_ASSIGNED],
  [`${WORD}."'$\\:/@[] -`, IN_ASSIGNED],
] as const) {
  for (const character of characters) ROLES[character.charCodeAt(0)] = (ROLES[character.charCodeAt(0)] ?? 0) | role;
}

/** Reads a line of YAML, TOML, ini, HCL or properties; not blank. */
export function readConfigLine(text: string): ConfigLine {
  const indent = indentOf(text);
  const first = unitAt(text, indent);
  if (first === BRACKET) {
    const section = SECTION.exec(text);
    if (section !== null) return { kind: "section", name: section[1] ?? "" };
  }
  if (hasRole(first, BEGINS_COMMENT) && COMMENT.test(text)) return COMMENT_LINE;
  if ((first === DASH || first === POINT) && indent === 0 && DOCUMENT.test(text)) return BOUNDARY_LINE;
  if (hasRole(first, BEGINS_CLOSING) && CLOSING.test(text)) return BOUNDARY_LINE;
  if (endsOpening(text) && BLOCK.test(text)) return key(indent, 0, true, false);
  return (
    yamlKey(text, indent) ??
    assignedKey(text, indent) ?? { kind: isElement(text, indent) ? "element" : "other", indent }
  );
}

/** `- value`, or `"value",`. */
function isElement(text: string, indent: number): boolean {
  const first = unitAt(text, indent);
  if (first === DASH) {
    const next = unitAt(text, indent + 1);
    return isPlain(next) || (next === SPACE && isPlain(unitAt(text, indent + 2))) || LISTED.test(text);
  }
  const closing = first === QUOTE ? text.indexOf('"', indent + 1) : -1;
  if (closing < 0) return false;
  const after = text.length - closing - 1;
  return after === 0 || (after === 1 && unitAt(text, closing + 1) === COMMA);
}

/** `key: value`, or `- key: value`, where the key may be in quotation marks. */
function yamlKey(text: string, indent: number): ConfigLine | undefined {
  let start = indent;
  let dash = 0;
  for (let next = afterDash(text, start); next > 0; next = afterDash(text, start)) {
    dash = next - start;
    start = next;
  }
  let end = yamlKeyEnd(text, start);
  // A dash may also be what a key begins with that could not begin behind it.
  for (; end === NO_KEY && start > indent; end = yamlKeyEnd(text, start)) {
    let before = indent;
    dash = 0;
    for (let next = afterDash(text, before); next < start; next = afterDash(text, before)) {
      dash = next - before;
      before = next;
    }
    start = before;
  }
  if (end < 0) return undefined;
  let value = end + 1;
  while (unitAt(text, value) === SPACE) value++;
  const opens =
    value >= text.length || (hasRole(unitAt(text, value), BEGINS_OPENING) && OPENING_VALUE.test(text.slice(value)));
  return key(indent, dash, opens, true);
}

/** Where what follows a dash and blanks begins; -1 when there is none. */
function afterDash(text: string, at: number): number {
  if (unitAt(text, at) !== DASH || unitAt(text, at + 1) !== SPACE) return -1;
  let next = at + 2;
  while (unitAt(text, next) === SPACE) next++;
  return next;
}

/** No key begins here. */
const NO_KEY = -2;

/** The colon after a key that begins here, followed by a blank or nothing; `NO_KEY`, or -1 when there is no such colon. */
function yamlKeyEnd(text: string, start: number): number {
  const first = unitAt(text, start);
  let end = start + 1;
  if (first === QUOTE || first === APOSTROPHE) {
    const closing = text.indexOf(first === QUOTE ? '"' : "'", end);
    if (closing <= end || closing - end > MOST_KEY_CHARS) return NO_KEY;
    end = closing + 1;
  } else {
    if (!hasRole(first, BEGINS_YAML)) return NO_KEY;
    const most = end + MOST_KEY_CHARS;
    while (end <= most && hasRole(unitAt(text, end), IN_YAML)) end++;
    if (end > most) return -1;
  }
  if (unitAt(text, end) !== COLON) return -1;
  return end + 1 === text.length || unitAt(text, end + 1) === SPACE ? end : -1;
}

/** `key = value`, `export KEY=value`, `key += value`. */
function assignedKey(text: string, indent: number): ConfigLine | undefined {
  if (!hasRole(unitAt(text, indent), BEGINS_ASSIGNED)) return undefined;
  let end = indent + 1;
  while (hasRole(unitAt(text, end), IN_ASSIGNED)) end++;
  const equals = equalsAt(text, end);
  if (equals < 0 || (end - indent > MOST_KEY_CHARS && isTooLong(text.slice(indent, end)))) return undefined;
  let value = equals + 1;
  while (unitAt(text, value) === SPACE) value++;
  const opens = !isPlain(unitAt(text, value)) || value + 1 === text.length;
  return key(indent, 0, opens && OPENING_BRACKET.test(text.slice(value).trimStart()), false);
}

/** Where `=` or `+=` ends that only white space stands before; -1 when there is none. */
function equalsAt(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isPlain(unitAt(text, at)) && text.charAt(at).trim() === "") at++;
  if (unitAt(text, at) === PLUS) at++;
  return unitAt(text, at) === EQUALS ? at : -1;
}

function isTooLong(name: string): boolean {
  return name.trimEnd().length > MOST_KEY_CHARS + 1 + (name.startsWith(EXPORT) ? EXPORT.length : 0);
}

/** True for what is surely no white space. */
function isPlain(unit: number): boolean {
  return unit > SPACE && unit < 128;
}

function hasRole(unit: number, role: number): boolean {
  return unit < 128 && ((ROLES[unit] as number) & role) !== 0;
}

function indentOf(text: string): number {
  let at = 0;
  while (unitAt(text, at) === SPACE) at++;
  // Tabs, and what else counts as white space.
  const unit = unitAt(text, at);
  return isPlain(unit) ? at : text.length - text.trimStart().length;
}

function endsOpening(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  if (isPlain(last)) return last === BRACE || last === BRACKET;
  const end = text.trimEnd();
  return end.endsWith("{") || end.endsWith("[");
}

function key(indent: number, dash: number, opens: boolean, yaml: boolean): ConfigLine {
  return { kind: "key", indent: indent + dash, listed: dash > 0, opens, yaml };
}
