/** What one line of a file of settings is. */
export type ConfigLine =
  | { readonly kind: "section"; readonly name: string }
  | {
      readonly kind: "key";
      readonly indent: number;
      readonly listed: boolean;
      readonly opens: boolean;
      /** Where the first colon stands in a line of YAML; -1 in another. */
      readonly colon: number;
    }
  | { readonly kind: "element"; readonly indent: number }
  | { readonly kind: "comment" }
  | { readonly kind: "boundary" }
  | { readonly kind: "other"; readonly indent: number };

const SECTION = /^\s*(\[{1,2}[^\][]{1,200}\]{1,2})\s*(?:[#;].*)?$/;
const COMMENT = /^\s*(?:#|;|\/\/|!(?!\S*:))/;
const BOUNDARY = /^(?:---|\.\.\.)(?:\s|$)|^\s*[}\])]+,?;?\s*$/;
const BLOCK = /^\s*[\w-]+(?:\s+"[^"]{0,200}"|\s+[\w.-]+){0,3}\s*=?\s*[{[]\s*$/;
const ELEMENT = /^\s*(?:- ?\S|"[^"]*",?$)/;
const ASSIGNED = /^[\w."'$\\:/@-][\w."'$\\:/@[\] -]*$/;
const OPENING_VALUE = /^[|>&][\w+-]*$/;
const OPENING_BRACKET = /^[{[(]?$/;

const COMMENT_LINE: ConfigLine = { kind: "comment" };
const BOUNDARY_LINE: ConfigLine = { kind: "boundary" };
const MOST_KEY_CHARS = 200;
const SPACE = 32;
const QUOTE = 34;
const APOSTROPHE = 39;
const DASH = 45;
const COLON = 58;
const BRACKET = 91;
const BRACE = 123;
const PLUS = 43;

/** What a character may be; a line is looked at with a pattern only where its first or last character allows it. */
const BEGINS_YAML = 1;
const IN_YAML = 2;
const BEGINS_COMMENT = 4;
const BEGINS_BOUNDARY = 8;
const BEGINS_OPENING = 16;
const ROLES = new Uint8Array(128);
const WORD = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
for (const [characters, role] of [
  [`${WORD}.$/@*<~-`, BEGINS_YAML],
  [`${WORD}.$/@ *+~<>()=-`, IN_YAML],
  ["#;/!", BEGINS_COMMENT],
  ["-.}])", BEGINS_BOUNDARY],
  ["|>&", BEGINS_OPENING],
] as const) {
  for (const character of characters) ROLES[character.charCodeAt(0)] = (ROLES[character.charCodeAt(0)] ?? 0) | role;
}

/** Reads a line of YAML, TOML, ini, HCL or properties; not blank. */
export function readConfigLine(text: string): ConfigLine {
  const indent = indentOf(text);
  const first = text.charCodeAt(indent);
  if (first === BRACKET) {
    const section = SECTION.exec(text);
    if (section !== null) return { kind: "section", name: section[1] ?? "" };
  }
  if (hasRole(first, BEGINS_COMMENT) && COMMENT.test(text)) return COMMENT_LINE;
  if (hasRole(first, BEGINS_BOUNDARY) && BOUNDARY.test(text)) return BOUNDARY_LINE;
  if (endsOpening(text) && BLOCK.test(text)) return key(indent, 0, true, -1);
  return yamlKey(text, indent) ?? assignedKey(text, indent) ?? otherLine(text, indent, first);
}

function otherLine(text: string, indent: number, first: number): ConfigLine {
  const kind = (first === DASH || first === QUOTE) && ELEMENT.test(text) ? "element" : "other";
  return { kind, indent };
}

/** `key: value`, or `- key: value`, where the key may be in quotation marks. */
function yamlKey(text: string, indent: number): ConfigLine | undefined {
  const colon = text.indexOf(":", indent);
  if (colon < 0) return undefined;
  let start = indent;
  let dash = 0;
  for (let next = afterDash(text, start); next > 0; next = afterDash(text, start)) {
    dash = next - start;
    start = next;
  }
  let end = yamlKeyEnd(text, start);
  // A dash may also be what a key begins with.
  for (; end < 0 && start > indent; end = yamlKeyEnd(text, start)) {
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
  while (text.charCodeAt(value) === SPACE) value++;
  const opens =
    value >= text.length || (hasRole(text.charCodeAt(value), BEGINS_OPENING) && OPENING_VALUE.test(text.slice(value)));
  return key(indent, dash, opens, colon);
}

/** Where what follows a dash and blanks begins; -1 when there is none. */
function afterDash(text: string, at: number): number {
  if (text.charCodeAt(at) !== DASH || text.charCodeAt(at + 1) !== SPACE) return -1;
  let next = at + 2;
  while (text.charCodeAt(next) === SPACE) next++;
  return next;
}

/** The colon after a key that begins here, followed by a blank or nothing; -1 when there is none. */
function yamlKeyEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  let end = start + 1;
  if (first === QUOTE || first === APOSTROPHE) {
    const closing = text.indexOf(first === QUOTE ? '"' : "'", end);
    if (closing <= end || closing - end > MOST_KEY_CHARS) return -1;
    end = closing + 1;
  } else {
    if (!hasRole(first, BEGINS_YAML)) return -1;
    while (hasRole(text.charCodeAt(end), IN_YAML)) end++;
    if (end - start - 1 > MOST_KEY_CHARS) return -1;
  }
  if (text.charCodeAt(end) !== COLON) return -1;
  return end + 1 === text.length || text.charCodeAt(end + 1) === SPACE ? end : -1;
}

/** `key = value`, `export KEY=value`, `key += value`. */
function assignedKey(text: string, indent: number): ConfigLine | undefined {
  const equals = text.indexOf("=", indent);
  if (equals < 0) return undefined;
  const end = text.charCodeAt(equals - 1) === PLUS ? equals - 1 : equals;
  const name = text.slice(indent, end).trimEnd();
  if (!isAssigned(name) && !(name.startsWith("export ") && isAssigned(name.slice(7)))) return undefined;
  let value = equals + 1;
  while (text.charCodeAt(value) === SPACE) value++;
  return key(indent, 0, OPENING_BRACKET.test(text.slice(value).trimStart()), -1);
}

function isAssigned(name: string): boolean {
  return name.length <= MOST_KEY_CHARS + 1 && ASSIGNED.test(name);
}

function hasRole(unit: number, role: number): boolean {
  return unit < 128 && ((ROLES[unit] as number) & role) !== 0;
}

function indentOf(text: string): number {
  let at = 0;
  while (text.charCodeAt(at) === SPACE) at++;
  // Tabs, and what else counts as white space.
  const unit = text.charCodeAt(at);
  return unit > SPACE && unit < 128 ? at : text.length - text.trimStart().length;
}

function endsOpening(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  if (last > SPACE && last < 128) return last === BRACE || last === BRACKET;
  const end = text.trimEnd();
  return end.endsWith("{") || end.endsWith("[");
}

function key(indent: number, dash: number, opens: boolean, colon: number): ConfigLine {
  return { kind: "key", indent: indent + dash, listed: dash > 0, opens, colon };
}
