import { byteLength } from "../../../bytes/utf8.ts";
import { HEADING, OPEN_SHORT } from "../../mark.ts";
import { formatCount, formatPlural } from "../../omission.ts";
import { makeSelection, type Piece, type Position, type Selection } from "../analyzer.ts";
import type { Chosen } from "./choose-nodes.ts";
import type { JsonNode } from "./json-node.ts";

const INDENT = " ";
const LINE_CHARS = 240;
const FLOW_CHARS = 120;

/** A drawing whose regions are found only if it is the one to be shown. */
export interface DrawnJson {
  readonly text: string;
  select(): Selection;
}

/** Draws the chosen part of a document and counts what is left out. */
export function renderJson(root: JsonNode, chosen: Chosen, totalBytes: number): DrawnJson {
  return new JsonDrawing(chosen).render(root, totalBytes);
}

interface ShownPart {
  readonly node: JsonNode;
  readonly start: Position;
  readonly shown: string;
}

class JsonDrawing {
  readonly #lines: string[] = [];
  readonly #shown: ShownPart[] = [];
  readonly #chosen: Chosen;

  constructor(chosen: Chosen) {
    this.#chosen = chosen;
  }

  render(root: JsonNode, totalBytes: number): DrawnJson {
    const only = root.count === 1 ? root.children[0] : undefined;
    const what = only === undefined ? `${formatPlural(root.count, "value")} in a row` : describe(only);
    this.#lines.push(`${HEADING}preview of JSON: ${what}, ${formatPlural(totalBytes, "byte")}]`);
    if (only === undefined) this.#children(root, "");
    else this.#node(only, "");
    const text = this.#lines.join("\n");
    return { text, select: () => makeSelection(text, this.#shown.flatMap(pieceOf)) };
  }

  #node(node: JsonNode, indent: string): void {
    if (node.type === "scalar") {
      this.#scalar(node, this.#chosen.get(node) ?? 0, indent);
      return;
    }
    const close = node.type === "array" ? "]" : "}";
    const opening = this.#lines.length;
    const head = this.#head(node);
    this.#lines.push(indent + head);
    const shown = this.#children(node, indent + INDENT);
    if (shown > 0) {
      if (node.type === "array" && node.children.every((child) => child.type === "scalar")) this.#flow(opening + 1);
      this.#lines.push(indent + close);
      this.#join(opening);
      return;
    }
    this.#lines.length = opening;
    const inside = node.count === 0 ? "" : ` ${OPEN_SHORT} ${contents(node)} … `;
    this.#lines.push(`${indent}${head}${inside}${close}`);
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

  /** Puts short values in a row on as few lines as they need. */
  #flow(from: number): void {
    const drawn = this.#lines.splice(from);
    const indent = /^ */.exec(drawn[0] ?? "")?.[0] ?? "";
    let line = "";
    for (const value of drawn.map((each) => each.trimStart())) {
      if (line !== "" && line.length + value.length > FLOW_CHARS) {
        this.#lines.push(indent + line);
        line = "";
      }
      line += line === "" ? value : `, ${value}`;
    }
    this.#lines.push(indent + line);
  }

  /** The number of children that were drawn. */
  #children(node: JsonNode, indent: string): number {
    const array = node.type === "array";
    let shown = 0;
    let next = 0;
    for (const child of node.children) {
      if (!this.#chosen.has(child)) continue;
      if (array && child.index > next) this.#lines.push(`${indent}${OPEN_SHORT} ${items(next, child.index)} …`);
      this.#node(child, indent);
      next = child.index + 1;
      shown++;
    }
    const left = array ? node.count - next : node.count - shown;
    const rest = array ? items(next, node.count, "more item") : contents(node, left, true);
    if (left > 0 && shown > 0) this.#lines.push(`${indent}${OPEN_SHORT} ${rest} …`);
    return shown;
  }

  #scalar(node: JsonNode, chars: number, indent: string): void {
    const { text, cutBytes } = node.head;
    const most = Math.max(40, chars);
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
      this.#lines.push(`${indent}${flat(shown)} ${OPEN_SHORT} ${formatPlural(left, "character")} … ${flat(ending)}`);
    } else {
      const rest = node.head.chars - shown.length;
      this.#lines.push(`${indent}${flat(shown)} ${OPEN_SHORT} ${formatPlural(rest, "character")} more …`);
    }
  }

  #head(node: JsonNode): string {
    if (node.head.cutBytes === 0) this.#keep(node, node.head.text);
    return flat(node.head.text);
  }

  /** Remembers the shown beginning of a head as kept. */
  #keep(node: JsonNode, shown: string): void {
    this.#shown.push({ node, start: node.head.start, shown });
  }

  /** Remembers the shown end of a head as kept. */
  #keepEnd(node: JsonNode, ending: string): void {
    const { text, start, tail } = node.head;
    const before = text.slice(0, text.length - ending.length);
    if (tail === undefined) {
      if (!before.includes("\ufffd")) this.#shown.push({ node, start: positionAfter(start, before), shown: ending });
      return;
    }
    const { line, byte, char } = tail.end;
    const from = { line, byte: byte - byteLength(ending), char: char - ending.length, inLine: true };
    this.#shown.push({ node, start: from, shown: ending });
  }
}

function pieceOf({ node, start, shown }: ShownPart): readonly Piece[] {
  // Bytes that are no text decode to a replacement of another length: then no region of it is exact.
  if (shown.includes("\ufffd")) return [];
  const score = node.value;
  const reason = score > 0.4 ? "value that matters" : "structure";
  return [{ start, end: positionAfter(start, shown), reason, score }];
}

function describe(node: JsonNode): string {
  if (node.type === "scalar") return "one value";
  return node.type === "array" ? `array of ${contents(node)}` : `object with ${contents(node)}`;
}

function contents(node: JsonNode, count = node.count, more = false): string {
  const noun = node.type === "object" ? "key" : "item";
  return more ? `${formatCount(count)} more ${noun}${count === 1 ? "" : "s"}` : formatPlural(count, noun);
}

/** "12 items: 4-15", counted from 1. */
function items(from: number, to: number, noun = "item"): string {
  const place = to - from === 1 ? String(to) : `${from + 1}-${to}`;
  return `${formatPlural(to - from, noun)}: ${place}`;
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
