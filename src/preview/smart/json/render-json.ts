import { byteLength } from "../../fit.ts";
import { formatCount, formatPlural } from "../../omission.ts";
import type { Piece, Position, Selection } from "../analyzer.ts";
import type { JsonNode } from "./json-tree.ts";

const INDENT = " ";
const BRIEF_CHARS = 64;
const NAMING_CHARS = 130;
const LINE_CHARS = 240;
const UNBOUNDED = 1e9;
const MAX_SCALAR_CHARS = 400;
/** What one item may ask for before the others have their share. */
const MAX_NEEDED_CHARS = 400;

/** Keys whose values tell what an object is about, those that tell most first, with what they are worth. */
const NAMING: readonly (readonly [RegExp, number])[] = [
  [/^"(?:\w*[_-])?(?:message|msg|title|summary|text|reason|details?|alert|finding|issue|error)"\s*:/i, 0.9],
  [/^"\w*[a-z](?:Message|Title|Text|Summary|Reason)"\s*:/, 0.9],
  [/^"(?:\w*[_-])?(?:id|name|rule|key|code)"\s*:/i, 0.75],
  [/^"\w*[a-z](?:I[Dd]|Name|Rule)"\s*:/, 0.75],
  [/^"(?:\w*[_-])?(?:type|path|file|uri|url|status|state|severity|level)"\s*:/i, 0.55],
  [/^"\w*[a-z](?:Path|File|Type|Status)"\s*:/, 0.55],
];

/** Draws the held structure within about `budget` characters: what is worth most gets the most room. */
export class JsonRenderer {
  readonly #lines: string[] = [];
  readonly #pieces: Piece[] = [];
  readonly #sizes: Map<JsonNode, number>;

  /** `sizes` remembers what was measured, for the next drawing of the same structure. */
  constructor(sizes: Map<JsonNode, number>) {
    this.#sizes = sizes;
  }

  render(root: JsonNode, totalBytes: number, budget: number): Selection {
    const only = root.count === 1 ? root.children[0] : undefined;
    const what = only === undefined ? `${formatPlural(root.count, "value")} in a row` : describe(only);
    this.#lines.push(`[preview of JSON: ${what}, ${formatPlural(totalBytes, "byte")}]`);
    if (only === undefined) this.#children(root, budget, "");
    else this.#node(only, budget, "");
    return { text: this.#lines.join("\n"), pieces: this.#pieces };
  }

  #node(node: JsonNode, budget: number, indent: string): void {
    if (node.type === "scalar") {
      this.#scalar(node, budget, indent);
      return;
    }
    const close = node.type === "array" ? "]" : "}";
    // What fits whole is not shared out again.
    const room = budget >= this.#full(node) ? UNBOUNDED : budget;
    if (node.count === 0 || budget < 40 || node.children.length === 0) {
      const inside = node.count === 0 ? "" : ` … ${contents(node)} … `;
      this.#lines.push(`${indent}${this.#head(node)}${inside}${close}`);
      return;
    }
    const opening = this.#lines.length;
    this.#lines.push(`${indent}${this.#head(node)}`);
    this.#children(node, room - node.head.text.length - 2 * indent.length - 4, indent + INDENT);
    this.#lines.push(indent + close);
    this.#join(opening);
  }

  /** Puts what was drawn since `opening` on one line if it is short and nothing in it has lines of its own. */
  #join(opening: number): void {
    const drawn = this.#lines.slice(opening);
    const chars = drawn.reduce((sum, line) => sum + line.length, 0);
    if (chars > LINE_CHARS || drawn.length > 14) return;
    const inner = drawn.slice(1, -1).map((line) => line.trimStart());
    if (inner.some((line) => line.endsWith("{") || line.endsWith("["))) return;
    this.#lines.length = opening;
    this.#lines.push([drawn[0] ?? "", inner.join(", "), drawn.at(-1)?.trimStart() ?? ""].join(" "));
  }

  #children(node: JsonNode, budget: number, indent: string): void {
    const array = node.type === "array";
    const allotted = array ? this.#shareItems(node, budget, indent) : this.#shareKeys(node, budget, indent);
    let next = 0;
    for (const child of node.children) {
      const room = allotted.get(child);
      if (room === undefined) continue;
      if (array && child.index > next) this.#lines.push(`${indent}… ${contents(node, child.index - next)} …`);
      this.#node(child, room, indent);
      next = child.index + 1;
    }
    const left = array ? node.count - next : node.count - allotted.size;
    if (left > 0) this.#lines.push(`${indent}… ${contents(node, left, allotted.size > 0)} …`);
  }

  /** Every key in brief if there is room for it, then the rest by value, small values first. */
  #shareKeys(node: JsonNode, budget: number, indent: string): Map<JsonNode, number> {
    const brief = (child: JsonNode): number => this.#brief(child) + indent.length;
    const worth = (child: JsonNode): number => child.value + naming(child);
    const byValue = [...node.children].sort((a, b) => worth(b) - worth(a) || a.index - b.index);
    const allotted = new Map<JsonNode, number>();
    let left = budget - 20;
    for (const child of byValue) {
      if (left < brief(child)) continue;
      left -= brief(child);
      allotted.set(child, brief(child));
    }
    return this.#spread(allotted, left);
  }

  /** The graver half of the items in equal shares; a few for a sample when none is grave. */
  #shareItems(node: JsonNode, budget: number, indent: string): Map<JsonNode, number> {
    const seen = new Map<string, number>();
    const worth = new Map<JsonNode, number>();
    // Repeats fade, the best of them last.
    for (const child of [...node.children].sort((a, b) => b.value - a.value || a.index - b.index)) {
      const kind = signature(child);
      const before = kind === "" ? 0 : (seen.get(kind) ?? 0);
      seen.set(kind, before + 1);
      worth.set(child, (child.value + (child.index === 0 ? 0.3 : 0)) / (1 + 0.7 * before));
    }
    const byWorth = [...node.children].sort((a, b) => (worth.get(b) ?? 0) - (worth.get(a) ?? 0) || a.index - b.index);
    const best = worth.get(byWorth[0] as JsonNode) ?? 0;
    const grave = byWorth.filter((child) => (worth.get(child) ?? 0) > 0.75 * best && best > 0.4).length;
    const wanted = Math.max(4, Math.min(byWorth.length, grave));
    const share = Math.max(110, (budget - 40) / wanted);
    const allotted = new Map<JsonNode, number>();
    let left = budget - 40;
    for (const child of byWorth) {
      const least = (worth.get(child) ?? 0) > 0.8 * best ? this.#needed(child) : 0;
      const room = Math.min(this.#full(child) + 2 * indent.length, Math.max(share, least));
      if (room > left) continue;
      left -= room + 8;
      allotted.set(child, room);
    }
    return this.#spread(allotted, left);
  }

  /** What a member is given at least. */
  #brief(child: JsonNode): number {
    return Math.min(this.#full(child), naming(child) > 0 ? NAMING_CHARS : BRIEF_CHARS);
  }

  /** What an item needs so that its names and what is grave in it can be read. */
  #needed(node: JsonNode): number {
    if (node.type === "scalar") return this.#brief(node);
    let chars = 40 + node.head.text.length;
    for (const child of node.children) {
      if (child.type === "scalar" ? naming(child) > 0 || child.value > 0.4 : child.value > 0.4)
        chars += this.#needed(child) + 4;
    }
    return Math.min(chars, MAX_NEEDED_CHARS);
  }

  /** Gives what is left to those that could use it, the most valuable first but at most half of it each. */
  #spread(allotted: Map<JsonNode, number>, budget: number): Map<JsonNode, number> {
    let left = budget;
    const needy = [...allotted.keys()].filter((child) => this.#full(child) > (allotted.get(child) ?? 0));
    needy.sort((a, b) => b.value - a.value || this.#full(a) - this.#full(b) || a.index - b.index);
    const weigh = (child: JsonNode): number => (0.3 + child.value) ** 2;
    let open = needy.reduce((sum, child) => sum + weigh(child), 0);
    for (const child of needy) {
      const weight = weigh(child);
      const need = this.#full(child) - (allotted.get(child) ?? 0);
      const given = Math.max(0, Math.min(need, (left * weight) / open));
      allotted.set(child, (allotted.get(child) ?? 0) + given);
      left -= given;
      open -= weight;
    }
    return allotted;
  }

  #scalar(node: JsonNode, budget: number, indent: string): void {
    const { text, cutBytes } = node.head;
    const most = Math.max(40, Math.min(MAX_SCALAR_CHARS, Math.floor(budget)));
    if (cutBytes === 0 && text.length <= most) {
      this.#keep(node, text);
      this.#lines.push(indent + flat(text));
      return;
    }
    // The beginning says most; the end is worth a fifth where there is room for both.
    const atEnd = most < 160 ? 0 : Math.floor(most / 5);
    const shown = wellCut(text, Math.max(most - atEnd - 24, text.indexOf(":") + 12));
    const known = cutBytes === 0 ? text : (node.head.tail?.text ?? "");
    const ending = wellBegun(known, Math.min(atEnd, node.head.chars - shown.length - 1));
    const left = node.head.chars - shown.length - ending.length;
    this.#keep(node, shown);
    if (ending !== "") {
      this.#keepEnd(node, ending);
      this.#lines.push(`${indent}${flat(shown)} … ${formatPlural(left, "character")} … ${flat(ending)}`);
    } else {
      const rest = node.head.chars - shown.length;
      this.#lines.push(`${indent}${flat(shown)} … ${formatPlural(rest, "character")} more …`);
    }
  }

  #head(node: JsonNode): string {
    if (node.head.cutBytes === 0) this.#keep(node, node.head.text);
    return flat(node.head.text);
  }

  /** Remembers the shown beginning of a head as kept. */
  #keep(node: JsonNode, shown: string): void {
    this.#addPiece(node, node.head.start, shown);
  }

  /** Remembers the shown end of a head as kept. */
  #keepEnd(node: JsonNode, ending: string): void {
    const { text, start, tail } = node.head;
    const before = text.slice(0, text.length - ending.length);
    if (tail === undefined) {
      if (!before.includes("\ufffd")) this.#addPiece(node, positionAfter(start, before), ending);
      return;
    }
    const { line, byte, char } = tail.end;
    const from = { line, byte: byte - byteLength(ending), char: char - ending.length, inLine: true };
    this.#addPiece(node, from, ending);
  }

  #addPiece(node: JsonNode, start: Position, shown: string): void {
    const last = this.#pieces.at(-1);
    // Bytes that are no text decode to a replacement of another length: then no region of it is exact.
    if (shown === "" || shown.includes("\ufffd")) return;
    if (last !== undefined && (last.end.byte > start.byte || last.start.byte === start.byte)) return;
    const score = node.value;
    const reason = score > 0.4 ? "value that matters" : "structure";
    this.#pieces.push({ start, end: positionAfter(start, shown), reason, score });
  }

  /** Characters that the held part needs when nothing is shortened. */
  #full(node: JsonNode): number {
    const known = this.#sizes.get(node);
    if (known !== undefined) return known;
    let size = Math.min(node.head.text.length, MAX_SCALAR_CHARS) + 6;
    for (const child of node.children) size += this.#full(child) + 3;
    if (node.children.length < node.count) size += 24;
    this.#sizes.set(node, size);
    return size;
  }
}

function naming(node: JsonNode): number {
  if (node.type !== "scalar") return 0;
  return NAMING.find(([pattern]) => pattern.test(node.head.text))?.[1] ?? 0;
}

function describe(node: JsonNode): string {
  if (node.type === "scalar") return "one value";
  return node.type === "array" ? `array of ${contents(node)}` : `object with ${contents(node)}`;
}

function contents(node: JsonNode, count = node.count, more = false): string {
  const noun = node.type === "object" ? "key" : "item";
  return more ? `${formatCount(count)} more ${noun}${count === 1 ? "" : "s"}` : formatPlural(count, noun);
}

/** What similar items have in common: their first short strings, digits aside. */
function signature(node: JsonNode): string {
  if (node.type === "scalar") return node.head.text.slice(0, 40).replace(/\d+/g, "0");
  const strings = node.children.filter((child) => child.type === "scalar").slice(0, 3);
  return strings.map((child) => child.head.text.slice(0, 60).replace(/\d+/g, "0")).join("|");
}

function flat(text: string): string {
  return /[\n\r\t]/.test(text) ? text.replace(/\s*[\n\r\t]\s*/g, " ") : text;
}

function wellCut(text: string, chars: number): string {
  const cut = text.slice(0, chars);
  const last = cut.charCodeAt(cut.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
}

/** The last `chars` characters. */
function wellBegun(text: string, chars: number): string {
  if (chars < 8) return "";
  const ending = text.slice(-chars);
  const first = ending.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? ending.slice(1) : ending;
}

/** Where the output stands after this text. */
function positionAfter(start: Position, text: string): Position {
  let line = start.line;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) line++;
  const byte = start.byte + byteLength(text);
  return { line, byte, char: start.char + text.length, inLine: text === "" ? start.inLine : !text.endsWith("\n") };
}
