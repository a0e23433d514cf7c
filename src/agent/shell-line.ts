import type { Node, Parser } from "web-tree-sitter";
import { createParser, loadGrammar } from "../tools/repo-map/extract-tags.ts";

/** Stands for what the shell computes when it runs the line: a variable, a substitution, a wildcard in braces. */
export const COMPUTED = "\0";

/** The text of a command; what is computed may become no word at all. */
export function commandText(words: readonly string[]): string {
  return words.join(" ").replaceAll(` ${COMPUTED}`, COMPUTED);
}

/** One simple command, after quotes. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** Its text in the line. */
  readonly text: string;
  /** What a here-document or here-string gives it to read. */
  readonly input?: string | undefined;
}

export interface ShellLine {
  readonly commands: readonly ShellCommand[];
  /** Every here-document and here-string of the line. */
  readonly inputs: readonly string[];
  /** Values that variables are given. */
  readonly values: readonly string[];
  /** True if it does more than run these commands: it assigns variables, defines functions or writes files. */
  readonly hasEffects: boolean;
}

/** Undefined if the line cannot be read with certainty. */
export type ReadShellLine = (line: string) => ShellLine | undefined;

const PARSE_TIMEOUT_MS = 300;
const MAX_COMMANDS = 1_000;
const COMMANDS = ["command", "declaration_command", "unset_command", "test_command"];
const EFFECTS = ["variable_assignment", "for_statement", "c_style_for_statement", "function_definition"];
/** The shell joins a line that ends like this with the next one; the grammar does not. */
const SPLIT_EXPANSION = /[$<>]\\\r?\n/;
const LINE_CONTINUATION = /\\\r?\n/g;

let loading: Promise<ReadShellLine | undefined> | undefined;

/** The grammar is loaded with the first call. Undefined if it cannot be loaded. */
export function loadShellReader(): Promise<ReadShellLine | undefined> {
  loading ??= startReader().catch(() => undefined);
  return loading;
}

async function startReader(): Promise<ReadShellLine> {
  const parser = await createParser();
  parser.setLanguage(await loadGrammar("bash"));
  return (line) => readLine(parser, line);
}

function readLine(parser: Parser, line: string): ShellLine | undefined {
  if (line.includes(COMPUTED) || SPLIT_EXPANSION.test(line)) return undefined;
  const stopAt = performance.now() + PARSE_TIMEOUT_MS;
  const tree = parser.parse(line, null, { progressCallback: () => performance.now() > stopAt });
  if (tree === null) {
    parser.reset();
    return undefined;
  }
  try {
    const root = tree.rootNode;
    return root.hasError || missesSubstitution(root, line) ? undefined : readTree(root);
  } finally {
    tree.delete();
  }
}

/** The grammar takes no notice of them. */
const LITERALS = ["raw_string", "ansi_c_string", "comment"];

/** True where the shell would run `$(…)` and the tree has none: the grammar misses some in here-documents. */
function missesSubstitution(root: Node, line: string): boolean {
  const quoted = root
    .descendantsOfType("heredoc_body")
    .filter((body) => /['"\\]/.test(body?.parent?.descendantsOfType("heredoc_start")[0]?.text ?? ""));
  return [...line.matchAll(/(?<!\\)(?:\\\\)*(?:\$\(|`)/g)].some(({ 0: text, index }) => {
    const at = index + text.length - (text.endsWith("`") ? 1 : 2);
    if (quoted.some((body) => body !== null && at >= body.startIndex && at < body.endIndex)) return false;
    for (let node = root.descendantForIndex(at, at + 1); node !== null; node = node.parent) {
      if (LITERALS.includes(node.type)) return false;
      if (node.startIndex === at && /_substitution$|^arithmetic_expansion$/.test(node.type)) return false;
      if (line[at] === "`" && node.endIndex === at + 1 && node.type === "command_substitution") return false;
    }
    return true;
  });
}

function readTree(root: Node): ShellLine | undefined {
  const nodes = root.descendantsOfType([...COMMANDS, ...EFFECTS, "redirected_statement", "herestring_redirect"]);
  if (nodes.length > MAX_COMMANDS) return undefined;
  const redirected = new Map<number, Redirection>();
  const commands: ShellCommand[] = [];
  const inputs: string[] = [];
  const values: string[] = [];
  let hasEffects = root.descendantsOfType("file_redirect").some(writesFile);
  for (const node of nodes) {
    if (node.type === "redirected_statement") {
      const redirection = readRedirection(node);
      const target = redirectedCommand(node);
      inputs.push(...redirection.inputs);
      if (target !== undefined) redirected.set(target.id, redirection);
      else if (redirection.words.length > 0) commands.push({ words: redirection.words, text: node.text });
    } else if (node.type === "herestring_redirect") {
      inputs.push(wordsOf(node.namedChildren).join(" "));
    } else if (EFFECTS.includes(node.type) || isArithmetic(node)) {
      hasEffects = true;
      const value = node.type === "variable_assignment" ? node.childForFieldName("value") : null;
      if (value !== null) values.push(decode(value, []));
    } else {
      const more = redirected.get(node.id);
      const [own] = node.type === "command" ? node.descendantsOfType("herestring_redirect") : [];
      const input = own === null || own === undefined ? more?.inputs[0] : wordsOf(own.namedChildren).join(" ");
      const words = [...wordsOf(node.children), ...(more?.words ?? [])];
      if (words.length > 0) commands.push({ words, text: node.text, input });
    }
  }
  return { commands, inputs, values, hasEffects };
}

/** `((x = 1))` */
function isArithmetic(node: Node): boolean {
  return node.namedChildren.some(
    (child) => child?.type === "command_name" && child.firstNamedChild?.type === "arithmetic_expansion",
  );
}

/** False for `2>&1` and what goes to or comes from /dev/null. */
function writesFile(redirect: Node | null): boolean {
  const operands = redirect?.childrenForFieldName("destination") ?? [];
  return operands[0]?.text !== "/dev/null" && operands[0]?.type !== "number";
}

interface Redirection {
  /** Arguments of the command that stand after the redirection. */
  readonly words: readonly string[];
  readonly inputs: readonly string[];
}

function readRedirection(statement: Node): Redirection {
  const words: (Node | null)[] = [];
  const inputs: string[] = [];
  const waiting = statement.childrenForFieldName("redirect");
  for (let redirect = waiting.shift(); redirect !== undefined; redirect = waiting.shift()) {
    if (redirect?.type === "file_redirect") words.push(...redirect.childrenForFieldName("destination").slice(1));
    if (redirect?.type !== "heredoc_redirect") continue;
    words.push(...redirect.childrenForFieldName("argument"));
    waiting.push(...redirect.childrenForFieldName("redirect"));
    for (const body of redirect.descendantsOfType("heredoc_body")) {
      const isComputed = body?.namedChildren.some((child) => child?.type !== "heredoc_content");
      inputs.push(isComputed ? COMPUTED : (body?.text ?? COMPUTED));
    }
  }
  return { words: wordsOf(words), inputs };
}

/** The command that the redirections belong to: the last one of a pipeline. */
function redirectedCommand(statement: Node): Node | undefined {
  let body = statement.childForFieldName("body");
  while (body !== null && body.type !== "command" && /^(?:pipeline|list|negated_command)$/.test(body.type))
    body = body.lastNamedChild;
  return body?.type === "command" ? body : undefined;
}

/** The words of a command's parts; those that the grammar split at a line's continuation are joined again. */
function wordsOf(parts: readonly (Node | null)[]): string[] {
  const words: string[] = [];
  let end = -1;
  let isCommandName = true;
  for (const part of parts) {
    if (part === null || /_redirect$|^(?:variable_assignment|comment|<<<)$/.test(part.type)) continue;
    const text = readWord(part, isCommandName);
    const joins = end !== -1 && textBetween(part, end).replace(LINE_CONTINUATION, "") === "";
    if (words.length > 0 && joins) words.push(`${words.pop()}${text}`);
    else words.push(text);
    isCommandName = false;
    end = part.endIndex;
  }
  return words;
}

function textBetween(part: Node, from: number): string {
  const parent = part.parent;
  // Parts of one redirection and another's do not touch.
  return parent === null || from < parent.startIndex
    ? " "
    : parent.text.slice(from - parent.startIndex, part.startIndex - parent.startIndex);
}

/** Braces that the shell makes several words of. */
const BRACES = /\{[^}]*(?:,|\.\.)[^}]*\}/;
const WILDCARDS = /[*?[]/;

function readWord(node: Node, isCommandName: boolean): string {
  const bare: string[] = [];
  const text = decode(node, bare);
  const unquoted = bare.join("");
  const isPattern = isCommandName && !/^\[\[?$/.test(unquoted) && WILDCARDS.test(unquoted);
  return isPattern || BRACES.test(unquoted) ? COMPUTED : text;
}

/** The text of a word after quotes and escapes; what is not quoted is added to `bare`. */
function decode(node: Node, bare: string[]): string {
  const { type, text } = node;
  switch (type) {
    case "command_name":
    case "concatenation":
      return node.children.map((child) => (child === null ? "" : decode(child, bare))).join("");
    case "raw_string":
      return text.slice(1, -1);
    case "ansi_c_string":
      return text.slice(2, -1).replace(ANSI_ESCAPE, ansiCharacter);
    case "translated_string":
      return decode(node.lastNamedChild ?? node, []);
    case "string":
      return decodeString(node);
    case "brace_expression":
    case "simple_expansion":
    case "expansion":
    case "command_substitution":
    case "process_substitution":
    case "arithmetic_expansion":
      return COMPUTED;
    default: {
      const isPlain = node.descendantsOfType(["simple_expansion", "expansion", "command_substitution"]).length === 0;
      const whole = text.replace(LINE_CONTINUATION, "");
      bare.push(whole.replaceAll(/\\./gs, ""));
      return isPlain ? whole.replaceAll(/\\(.)/gs, "$1") : COMPUTED;
    }
  }
}

/** What stands between double quotes. */
function decodeString(node: Node): string {
  const literal = (text: string) => text.replace(LINE_CONTINUATION, "").replaceAll(/\\([$`"\\])/g, "$1");
  let out = "";
  let from = 1;
  for (const child of node.namedChildren) {
    if (child === null || child.type === "string_content") continue;
    const start = child.startIndex - node.startIndex;
    out += `${literal(node.text.slice(from, start))}${COMPUTED}`;
    from = child.endIndex - node.startIndex;
  }
  return out + literal(node.text.slice(from, -1));
}

const ANSI_ESCAPE =
  /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|([abeEfnrtv])|(.))/gs;
const ANSI_LETTERS: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function ansiCharacter(all: string, ...groups: (string | undefined)[]): string {
  const [hex2, hex4, hex8, octal, control, letter, other] = groups;
  const hex = hex2 ?? hex4 ?? hex8;
  const code = hex !== undefined ? Number.parseInt(hex, 16) : octal !== undefined ? Number.parseInt(octal, 8) : -1;
  if (code === 0 || code > 0x10ffff) return COMPUTED;
  if (code > 0) return String.fromCodePoint(code);
  if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f);
  return (letter && ANSI_LETTERS[letter]) ?? other ?? all;
}
