import { HEADING, OPEN_SHORT } from "../../mark.ts";
import { formatCount, formatPlural } from "../../omission.ts";
import { type Chosen, shownChildren } from "./choose-nodes.ts";
import type { JsonNode } from "./json-node.ts";
import { showHead } from "./shown-head.ts";

const INDENT = " ";
const LINE_CHARS = 240;
const FLOW_CHARS = 120;
const MOST_JOINED = 12;

/** Draws the chosen part of a document and counts what is left out; what is drawn again is made only where it changed. */
export class JsonDrawing {
  readonly #root: JsonNode;
  readonly #chosen: Chosen;
  readonly #heading: string;
  /** The lines of containers as they were drawn last. */
  readonly #drawn = new Map<JsonNode, readonly string[]>();

  constructor(root: JsonNode, chosen: Chosen, totalBytes: number) {
    this.#root = root;
    this.#chosen = chosen;
    const only = onlyOf(root);
    const what = only === undefined ? `${formatPlural(root.count, "value")} in a row` : describe(only);
    const broken = root.open ? "; it breaks off before its end" : "";
    this.#heading = `${HEADING}preview of JSON: ${what}, ${formatPlural(totalBytes, "byte")}${broken}]`;
  }

  /** The text of what is chosen now; `changed` are the values of which something else was chosen before. */
  draw(changed: readonly JsonNode[]): string {
    if (this.#drawn.size > 0) {
      for (const node of changed) {
        for (let at: JsonNode | undefined = node; at !== undefined; at = at.parent) this.#drawn.delete(at);
      }
    }
    const lines = [this.#heading];
    const only = onlyOf(this.#root);
    if (only === undefined) this.#children(this.#root, "", lines);
    else this.#node(only, "", lines);
    if (this.#root.open) lines.push(`${OPEN_SHORT} the output breaks off here …`);
    return lines.join("\n");
  }

  #node(node: JsonNode, indent: string, lines: string[]): void {
    if (node.type === "scalar") {
      lines.push(indent + drawScalar(node, this.#chosen.get(node) ?? 0));
      return;
    }
    let drawn = this.#drawn.get(node);
    if (drawn === undefined) {
      drawn = this.#container(node, indent);
      this.#drawn.set(node, drawn);
    }
    for (const line of drawn) lines.push(line);
  }

  #container(node: JsonNode, indent: string): readonly string[] {
    const head = indent + flat(node.head.text);
    const close = node.open ? "" : node.type === "array" ? "]" : "}";
    const inner: string[] = [];
    const shown = this.#children(node, indent + INDENT, inner);
    if (shown === 0)
      return [`${head}${node.count === 0 ? "" : ` ${OPEN_SHORT} ${contents(node)} … `}${close}`.trimEnd()];
    const row = node.type === "array" && node.children.every((child) => child.type === "scalar");
    const body = row ? flow(inner, indent + INDENT) : inner;
    return fitsLine(head, body, indent)
      ? [`${head} ${body.map((line) => line.trimStart()).join(", ")} ${close}`.trimEnd()]
      : [head, ...body, ...(node.open ? [] : [indent + close])];
  }

  /** The number of children that were drawn. */
  #children(node: JsonNode, indent: string, lines: string[]): number {
    const array = node.type === "array";
    const shown = shownChildren(node, this.#chosen);
    let next = 0;
    for (const child of shown) {
      if (array && child.index > next) lines.push(`${indent}${OPEN_SHORT} ${items(next, child.index)} …`);
      this.#node(child, indent, lines);
      next = child.index + 1;
    }
    const left = array ? node.count - next : node.count - shown.length;
    if (left > 0 && shown.length > 0) {
      const rest = array ? items(next, node.count, "more item") : contents(node, left, true);
      lines.push(`${indent}${OPEN_SHORT} ${rest} …`);
    }
    return shown.length;
  }
}

/** The value of a text that holds one. */
function onlyOf(root: JsonNode): JsonNode | undefined {
  return root.count === 1 ? root.children[0] : undefined;
}

function drawScalar(node: JsonNode, chars: number): string {
  const { beginning, ending, left } = showHead(node, chars);
  if (left === undefined) return flat(beginning);
  const characters = `${flat(beginning)} ${OPEN_SHORT} ${formatPlural(left, "character")}`;
  return ending === "" ? `${characters} more …` : `${characters} … ${flat(ending)}`;
}

/** True when all of a container is short enough for one line, and nothing in it has lines of its own. */
function fitsLine(head: string, body: readonly string[], indent: string): boolean {
  if (body.length > MOST_JOINED) return false;
  let chars = head.length + indent.length + 1;
  for (const line of body) {
    chars += line.length;
    if (chars > LINE_CHARS || line.endsWith("{") || line.endsWith("[")) return false;
  }
  return chars <= LINE_CHARS;
}

/** Puts short values in a row on as few lines as they need. */
function flow(drawn: readonly string[], indent: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const each of drawn) {
    const value = each.trimStart();
    if (line !== "" && line.length + value.length > FLOW_CHARS) {
      lines.push(indent + line);
      line = "";
    }
    line += line === "" ? value : `, ${value}`;
  }
  lines.push(indent + line);
  return lines;
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
