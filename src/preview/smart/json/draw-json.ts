import { byteLength } from "../../../bytes/utf8.ts";
import { fitsRoom } from "../../fit.ts";
import { roomChars } from "../../lines/fill-room.ts";
import { HEADING, OPEN_SHORT } from "../../mark.ts";
import { formatCount, formatPlural } from "../../omission.ts";
import { makeSelection, NOTHING, type Piece, type Position, type Room, type Selection } from "../analyzer.ts";
import type { JsonNode } from "./json-tree.ts";
import type { Offer, Plan } from "./plan-preview.ts";

/** The values to show; of a scalar up to so many characters. */
type Chosen = ReadonlyMap<JsonNode, number>;

const MAX_ROUNDS = 7;
const GROWTH = 1.4;
/** Two budgets that are nearer show about the same. */
const NEAR_CHARS = 100;
const NEAR_SHARE = 1 / 32;
/** The rest of the room is hardly worth another drawing then. */
const FULL = 0.98;
/** What structure may take before the items have their share. */
const STRUCTURE_SHARE = 0.3;
/** Approximate cost of a marker with its brackets. */
const CONTAINER_CHARS = 26;
/** After so many offers in a row that do not fit, hardly a later one does. */
const MAX_REFUSED = 120;
const INDENT = " ";
const LINE_CHARS = 240;
const FLOW_CHARS = 120;
const MAX_JOINED = 12;
const SHORT_REST_CHARS = 18;
const LEAST_CHARS = 40;
/** From here on the end of a scalar is shown too, with a fifth of the room. */
const BOTH_CHARS = 160;
const LEAST_ENDING_CHARS = 8;
const MARKER_CHARS = 24;
const VALUE_CHARS = 12;
const MATTERS = 0.4;

/** Shows as much of a plan as the room holds. The size is known once it is drawn, so several budgets are tried. */
export function selectJson(root: JsonNode, plan: Plan, room: Room, totalBytes: number): Selection {
  let best: { readonly text: string; readonly chosen: Chosen } | undefined;
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  let budget = roomChars(room);
  for (let round = 0; round < MAX_ROUNDS && high - low > Math.max(NEAR_CHARS, budget * NEAR_SHARE); round++) {
    const chosen = chooseWithin(plan, budget);
    const text = drawJson(root, chosen, totalBytes);
    if (fitsRoom(text, room)) {
      low = budget;
      const same = text.length === best?.text.length;
      if (best === undefined || text.length > best.text.length) best = { text, chosen };
      if (best.text.length > FULL * roomChars(room) || (same && high === Number.POSITIVE_INFINITY)) break;
    } else high = budget;
    budget = high === Number.POSITIVE_INFINITY ? budget * GROWTH : (low + high) / 2;
  }
  return best === undefined ? NOTHING : makeSelection(best.text, regionsOf(root, best.chosen));
}

/** Takes the offers that fit into about so many characters: some structure, then items, then the rest of the structure. */
function chooseWithin({ structure, items, identities }: Plan, budget: number): Chosen {
  const chosen = new Map<JsonNode, number>();
  let used = 0;
  let changes: { readonly node: JsonNode; readonly before: number | undefined }[] = [];

  /** The cost of a value together with everything around it. */
  const add = (node: JsonNode, chars: number): number => {
    const before = chosen.get(node);
    if (before !== undefined && (node.type !== "scalar" || before >= chars)) return 0;
    chosen.set(node, chars);
    changes.push({ node, before });
    if (before !== undefined) return costOf(node, chars) - costOf(node, before);
    let cost = costOf(node, chars);
    if (node.parent !== undefined) cost += add(node.parent, chars);
    for (const member of identities.get(node) ?? []) cost += add(member.node, member.chars);
    return cost;
  };

  const take = (offers: readonly Offer[], most: number): void => {
    let refused = 0;
    for (const { wanted } of offers) {
      if (refused > MAX_REFUSED) return;
      changes = [];
      let cost = 0;
      for (const { node, chars } of wanted) {
        cost += add(node, chars);
        if (used + cost > most) break;
      }
      if (used + cost <= most) {
        used += cost;
        refused = 0;
        continue;
      }
      refused++;
      for (const { node, before } of changes.reverse()) {
        if (before === undefined) chosen.delete(node);
        else chosen.set(node, before);
      }
    }
  };

  take(structure, STRUCTURE_SHARE * budget);
  take(items, budget);
  take(structure, budget);
  return chosen;
}

function costOf({ type, text, count }: JsonNode, chars: number): number {
  if (type !== "scalar") return text.length + (count > 0 ? CONTAINER_CHARS : 4);
  return Math.min(text.length, chars) + 3;
}

/** The chosen part of a document, with the counts of what is left out. */
function drawJson(root: JsonNode, chosen: Chosen, totalBytes: number): string {
  const only = root.count === 1 ? root.children[0] : undefined;
  const what = only === undefined ? `${formatPlural(root.count, "value")} in a row` : describe(only);
  const broken = root.brokenOff ? "; it breaks off before its end" : "";
  const lines = [`${HEADING}preview of JSON: ${what}, ${formatPlural(totalBytes, "byte")}${broken}]`];
  if (only === undefined) drawChildren(root, "", chosen, lines);
  else drawValue(only, "", chosen, lines);
  if (root.brokenOff) lines.push(`${OPEN_SHORT} the output breaks off here …`);
  return lines.join("\n");
}

function drawValue(node: JsonNode, indent: string, chosen: Chosen, lines: string[]): void {
  if (node.type === "scalar") {
    lines.push(indent + drawScalar(node, chosen.get(node) ?? 0));
    return;
  }
  const head = indent + flat(node.text);
  const close = node.brokenOff ? "" : node.type === "array" ? "]" : "}";
  const inner: string[] = [];
  if (drawChildren(node, indent + INDENT, chosen, inner) === 0) {
    const left = node.count === 0 ? "" : ` ${OPEN_SHORT} ${contents(node)} … `;
    lines.push(`${head}${left}${close}`.trimEnd());
    return;
  }
  const row = node.type === "array" && node.children.every((child) => child.type === "scalar");
  const body = row ? flow(inner, indent + INDENT) : inner;
  if (fitsLine(head, body, indent))
    lines.push(`${head} ${body.map((line) => line.trimStart()).join(", ")} ${close}`.trimEnd());
  else {
    lines.push(head);
    for (const line of body) lines.push(line);
    if (close !== "") lines.push(indent + close);
  }
}

/** Draws the children of a container and returns how many are shown. */
function drawChildren(node: JsonNode, indent: string, chosen: Chosen, lines: string[]): number {
  const array = node.type === "array";
  const shown = shownChildren(node, chosen);
  let next = 0;
  for (const child of shown) {
    if (array && child.index > next) lines.push(`${indent}${OPEN_SHORT} ${items(next, child.index)} …`);
    drawValue(child, indent, chosen, lines);
    next = child.index + 1;
  }
  const left = node.count - (array ? next : shown.length);
  if (left > 0 && shown.length > 0) {
    const rest = array
      ? items(next, node.count, "more item")
      : `${formatCount(left)} more ${left === 1 ? "key" : "keys"}`;
    lines.push(`${indent}${OPEN_SHORT} ${rest} …`);
  }
  return shown.length;
}

/** The chosen children, or all of them where the rest is no longer than its marker. */
function shownChildren({ children, count }: JsonNode, chosen: Chosen): readonly JsonNode[] {
  const shown = children.filter((child) => chosen.has(child));
  const rest = children.filter((child) => !chosen.has(child));
  const chars = rest.reduce((sum, child) => sum + child.text.length + 2, 0);
  const short = children.length === count && chars <= SHORT_REST_CHARS && rest.every((child) => child.count === 0);
  return shown.length > 0 && short ? children : shown;
}

function drawScalar(node: JsonNode, chars: number): string {
  const { beginning, ending, left } = cutScalar(node, chars);
  if (left === 0) return flat(beginning);
  const marked = `${flat(beginning)} ${OPEN_SHORT} ${formatPlural(left, "character")}`;
  return ending === "" ? `${marked} more …` : `${marked} … ${flat(ending)}`;
}

/** The beginning of a scalar that is shown, its end where there is room for both, and the UTF-16 units left out. */
function cutScalar(
  { text, chars, tail }: JsonNode,
  room: number,
): { readonly beginning: string; readonly ending: string; readonly left: number } {
  const most = Math.max(LEAST_CHARS, room);
  const whole = chars === text.length || tail === undefined;
  if (chars <= text.length && text.length <= most) return { beginning: text, ending: "", left: 0 };
  const atEnd = most < BOTH_CHARS ? 0 : Math.floor(most / 5);
  const first = text.slice(0, Math.max(most - atEnd - MARKER_CHARS, text.indexOf(":") + VALUE_CHARS));
  const beginning = first.replace(/[\ud800-\udbff]$/, "");
  const wanted = Math.min(atEnd, chars - beginning.length - 1);
  const last = wanted < LEAST_ENDING_CHARS ? "" : (whole ? text : tail.text).slice(-wanted);
  const ending = last.replace(/^[\udc00-\udfff]/, "");
  return { beginning, ending, left: chars - beginning.length - ending.length };
}

/** True when a container is short enough for one line, and nothing in it has lines of its own. */
function fitsLine(head: string, body: readonly string[], indent: string): boolean {
  if (body.length > MAX_JOINED) return false;
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

function contents({ type, count }: JsonNode): string {
  return formatPlural(count, type === "object" ? "key" : "item");
}

/** "12 items: 4-15", counted from 1. */
function items(from: number, to: number, noun = "item"): string {
  const place = to - from === 1 ? String(to) : `${from + 1}-${to}`;
  return `${formatPlural(to - from, noun)}: ${place}`;
}

function flat(text: string): string {
  return /[\n\r\t]/.test(text) ? text.replace(/\s*[\n\r\t]\s*/g, " ") : text;
}

/** The regions of the output that a drawing shows. */
function regionsOf(root: JsonNode, chosen: Chosen): Piece[] {
  const pieces: Piece[] = [];
  for (const child of root.count === 1 ? root.children : shownChildren(root, chosen)) addRegions(child, chosen, pieces);
  return pieces;
}

function addRegions(node: JsonNode, chosen: Chosen, pieces: Piece[]): void {
  const { text, start, chars, tail } = node;
  if (node.type !== "scalar") {
    if (chars === text.length) addRegion(node, start, text, pieces);
    for (const child of shownChildren(node, chosen)) addRegions(child, chosen, pieces);
    return;
  }
  const { beginning, ending } = cutScalar(node, chosen.get(node) ?? 0);
  addRegion(node, start, beginning, pieces);
  if (ending === "") return;
  if (tail === undefined) {
    const before = text.slice(0, text.length - ending.length);
    if (!before.includes("\ufffd")) addRegion(node, positionAfter(start, before), ending, pieces);
  } else {
    const { line, byte, char } = tail.end;
    const from = { line, byte: byte - byteLength(ending), char: char - ending.length, inLine: true };
    addRegion(node, from, ending, pieces);
  }
}

function addRegion({ score }: JsonNode, start: Position, shown: string, pieces: Piece[]): void {
  // Bytes that are not valid UTF-8 decode to a replacement of another length: no region of them is exact.
  if (shown.includes("\ufffd")) return;
  const reason = score > MATTERS ? "value that matters" : "structure";
  pieces.push({ start, end: positionAfter(start, shown), reason, score });
}

/** The position after `shown`, which begins at `start`. */
function positionAfter(start: Position, shown: string): Position {
  let line = start.line;
  for (let at = shown.indexOf("\n"); at >= 0; at = shown.indexOf("\n", at + 1)) line++;
  const inLine = shown === "" ? start.inLine : !shown.endsWith("\n");
  return { line, byte: start.byte + byteLength(shown), char: start.char + shown.length, inLine };
}
