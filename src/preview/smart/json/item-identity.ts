import { newTexts } from "./failure-context.ts";
import type { Role } from "./json-keys.ts";
import type { JsonNode } from "./json-tree.ts";

/** A value that is to be shown, with up to so many characters. */
export interface Wanted {
  readonly node: JsonNode;
  readonly chars: number;
}

type LeafRole = Role | "error";

/** A scalar inside an item. */
interface Leaf {
  readonly node: JsonNode;
  readonly role: LeafRole;
  readonly score: number;
}

const MAX_DEPTH = 5;
const MAX_LEAVES = 200;
const SHORT_CHARS = 140;
const ERROR_CHARS = 320;
/** How many members of each role identify an item. */
const QUOTA: Readonly<Record<LeafRole, number>> = { id: 2, title: 2, place: 2, text: 1, kind: 1, error: 1, none: 0 };
const ROLE_SCORE: Readonly<Record<LeafRole, number>> = {
  error: 1.1,
  id: 1,
  title: 1,
  place: 0.8,
  text: 0.5,
  kind: 0.3,
  none: 0,
};
const MAX_CHARS = 420;
const BRIEF_MEMBERS = 3;
/** An item that hardly anything identifies shows so many other members, in brief. */
const LEAST_MEMBERS = 2;
const LEAST_CHARS = 60;
const FIRST_VALUES = 4;
/** From here on the words of a value say what went wrong. */
const TELLING = 1;

/** The members that say what an item is, how severe and where, best first. */
export function identityOf(item: JsonNode): Wanted[] {
  if (item.type === "scalar") return [{ node: item, chars: SHORT_CHARS }];
  if (item.children[0]?.type === "scalar" && item.type === "array")
    return item.children.slice(0, FIRST_VALUES).map((node) => ({ node, chars: LEAST_CHARS }));
  if (item.contextOf !== undefined) {
    const texts = newTexts(item, item.contextOf).slice(0, LEAST_MEMBERS);
    return [...texts.map((node) => ({ node, chars: ERROR_CHARS })), { node: item, chars: 0 }];
  }
  const leaves: Leaf[] = [];
  collectLeaves(item, 0, leaves);
  const chosen: Wanted[] = [];
  const taken = new Map<LeafRole, number>();
  const seen = new Set<string>();
  let left = MAX_CHARS;
  const take = (node: JsonNode, chars: number): void => {
    const size = Math.min(node.text.length, chars);
    const value = valueText(node);
    // The same id or name twice tells nothing.
    if (left < size || (seen.has(value) && value.length > 6)) return;
    seen.add(value);
    left -= size + 4;
    chosen.push({ node, chars });
  };
  const severe = mostSevereLeaf(item);
  if (severe !== undefined) take(severe, SHORT_CHARS);
  leaves.sort((a, b) => b.score - a.score);
  for (const { node, role } of leaves) {
    const before = taken.get(role) ?? 0;
    if (node === severe || (before >= QUOTA[role] && node.score < 0.5)) continue;
    // Prose is for items that nothing shorter names.
    if (role === "text" && (taken.get("title") ?? 0) > 0) continue;
    taken.set(role, before + 1);
    take(node, role === "error" ? ERROR_CHARS : SHORT_CHARS);
  }
  if (chosen.length < LEAST_MEMBERS) {
    const others = leaves.filter(({ role, score }) => role === "none" && score > -1);
    for (const { node } of others.slice(0, LEAST_MEMBERS)) take(node, LEAST_CHARS);
  }
  // An item with nothing to show has at least its key.
  return [...chosen, { node: item, chars: 0 }];
}

/** The least that identifies an item: the best members, a title among them if it has one. */
export function shortIdentity(identity: readonly Wanted[]): Wanted[] {
  const first = (role: Role): Wanted | undefined => identity.find(({ node }) => node.key?.meaning.role === role);
  const brief = identity.slice(0, BRIEF_MEMBERS);
  const title = first("title") ?? first("text");
  return title === undefined || brief.includes(title) ? brief : [...brief, title];
}

/** The scalar that makes the item as severe as it is. */
function mostSevereLeaf(item: JsonNode): JsonNode | undefined {
  if (item.type === "scalar") return item;
  const { grade, words } = item.severity;
  if (grade < 0) {
    if (words < TELLING) return undefined;
    const telling = item.children.filter((child) => child.type === "scalar" && child.severity.words >= TELLING);
    return telling.sort((a, b) => b.severity.words - a.severity.words)[0];
  }
  const graded = item.children.filter((child) => child.severity.grade === grade);
  const [best] = graded.sort((a, b) => a.severity.gradeDepth - b.severity.gradeDepth);
  return best === undefined || best.type === "array" ? undefined : mostSevereLeaf(best);
}

/** True for an array that is part of what an item is, rather than a list of items itself. */
export function isShortList(node: JsonNode): boolean {
  return node.count <= 3 || node.children[0]?.type === "scalar";
}

function collectLeaves(node: JsonNode, depth: number, leaves: Leaf[], keyAround = node.key): void {
  for (const child of node.children) {
    if (leaves.length >= MAX_LEAVES) return;
    const key = child.key ?? keyAround;
    if (child.type === "scalar") {
      if (key !== undefined) leaves.push(leafOf(child, key, depth));
    } else if (depth < MAX_DEPTH && (child.type === "object" || isShortList(child))) {
      collectLeaves(child, depth + (child.type === "array" ? 0.5 : 1), leaves, key);
    } else continue;
    // Of a list in the item the first stands for all.
    if (node.type === "array") return;
  }
}

function leafOf(node: JsonNode, key: NonNullable<JsonNode["key"]>, depth: number): Leaf {
  const { text, valueCount } = node;
  const { scale, role: named, fit } = key.meaning;
  const role = scale === "error" && node.severity.words >= 1.5 ? "error" : named;
  const empty = text.endsWith('""') || text.endsWith("null") || text.endsWith("{}");
  let score = ROLE_SCORE[role] * fit - 0.2 * depth + 0.2 * node.rarity + 0.3 * Math.min(3, node.score);
  if (empty) score -= 2;
  // A value that nearly all items have identifies none of them.
  if (
    valueCount !== undefined &&
    valueCount.count > 3 &&
    valueCount.count > 0.5 * valueCount.key.total &&
    named !== "none"
  )
    score -= 0.5;
  return { node, role: empty ? "none" : role, score };
}

/** The value of a member as it stands. */
export function valueText({ text }: JsonNode): string {
  return text.slice(text.indexOf(":") + 1).trim();
}
