import type { JsonNode } from "./json-node.ts";
import type { Role } from "./key-meaning.ts";

/** A value that is to be shown, with so many characters of it. */
export interface Wanted {
  readonly node: JsonNode;
  readonly chars: number;
}

interface Leaf {
  readonly node: JsonNode;
  readonly role: Role | "error";
  readonly worth: number;
}

const MAX_DEPTH = 5;
const MAX_LEAVES = 200;
const SHORT_CHARS = 140;
const ERROR_CHARS = 320;
/** How many members of each role tell what an item is. */
const QUOTA: Readonly<Record<Leaf["role"], number>> = {
  id: 2,
  title: 2,
  place: 2,
  text: 1,
  kind: 1,
  error: 1,
  none: 0,
};
const ROLE_WORTH: Readonly<Record<Leaf["role"], number>> = {
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
/** An item that hardly anything names shows so many other members, in brief. */
const LEAST = 2;
const LEAST_CHARS = 60;
const FIRST_VALUES = 4;
const MAX_ID_CHARS = 120;
/** From here on the words of a value say what went wrong. */
const TELLING = 1;
const PUBLIC_ID = /"[A-Z][A-Z0-9]+[-_:]\w*\d[^"]*"$/;
const MACHINE_ID = /[0-9a-f-]{24}/i;

/** The members that say what an item is, how grave and where, best first. */
export function identityOf(item: JsonNode): Wanted[] {
  if (item.type === "scalar") return [{ node: item, chars: SHORT_CHARS }];
  if (item.children[0]?.type === "scalar" && item.type === "array") {
    return item.children.slice(0, FIRST_VALUES).map((node) => ({ node, chars: LEAST_CHARS }));
  }
  const leaves: Leaf[] = [];
  collect(item, 0, leaves);
  const chosen: Wanted[] = [];
  const taken = new Map<Leaf["role"], number>();
  const seen = new Set<string>();
  let left = MAX_CHARS;
  const take = (node: JsonNode, chars: number): void => {
    const size = Math.min(node.head.text.length, chars);
    const value = textOfValue(node);
    // The same id or name twice tells nothing.
    if (left < size || (seen.has(value) && value.length > 6)) return;
    seen.add(value);
    left -= size + 4;
    chosen.push({ node, chars });
  };
  const grading = gradingLeaf(item);
  if (grading !== undefined) take(grading, SHORT_CHARS);
  leaves.sort((a, b) => b.worth - a.worth);
  for (const { node, role } of leaves) {
    const before = taken.get(role) ?? 0;
    if (node === grading || (before >= QUOTA[role] && node.value < 0.5)) continue;
    // Prose is for items that nothing shorter names.
    if (role === "text" && (taken.get("title") ?? 0) > 0) continue;
    taken.set(role, before + 1);
    take(node, role === "error" ? ERROR_CHARS : SHORT_CHARS);
  }
  if (chosen.length < LEAST) {
    for (const { node } of leaves.filter((leaf) => leaf.role === "none" && leaf.worth > -1).slice(0, LEAST))
      take(node, LEAST_CHARS);
  }
  // Also an item that has nothing to show for itself, in a map at least its key.
  return [...chosen, { node: item, chars: 0 }];
}

/** The least that names an item: the best of its identity, a title among them if it has one. */
export function briefOf(identity: readonly Wanted[]): Wanted[] {
  const first = (role: Role): Wanted | undefined => identity.find(({ node }) => node.key?.meaning.role === role);
  const brief = identity.slice(0, BRIEF_MEMBERS);
  const title = first("title") ?? first("text");
  return title === undefined || brief.includes(title) ? brief : [...brief, title];
}

/** The scalar that made the item as grave as it is. */
function gradingLeaf(item: JsonNode): JsonNode | undefined {
  if (item.type === "scalar") return item;
  if (item.gravity.grade < 0) return tellingLeaf(item);
  let best: JsonNode | undefined;
  for (const child of item.children) {
    if (child.gravity.grade !== item.gravity.grade) continue;
    if (best === undefined || child.gravity.gradeDepth < best.gravity.gradeDepth) best = child;
  }
  return best === undefined || best.type === "array" ? undefined : gradingLeaf(best);
}

/** Where no severity grades an item: the member whose words say that something went wrong. */
function tellingLeaf(item: JsonNode): JsonNode | undefined {
  if (item.gravity.other < TELLING) return undefined;
  const said = item.children.filter((child) => child.type === "scalar" && child.gravity.other >= TELLING);
  return said.sort((a, b) => b.gravity.other - a.gravity.other)[0];
}

/** True for an array that is part of what an item is, rather than a list of items itself. */
export function isShortList(node: JsonNode): boolean {
  return node.count <= 3 || node.children[0]?.type === "scalar";
}

function collect(node: JsonNode, depth: number, leaves: Leaf[], from = node.key): void {
  for (const child of node.children) {
    if (leaves.length >= MAX_LEAVES) return;
    const key = child.key ?? from;
    if (child.type === "scalar") {
      if (key !== undefined) leaves.push(leafOf(child, key, depth));
      if (node.type === "array") return;
    } else if (depth < MAX_DEPTH && (child.type === "object" || isShortList(child))) {
      // Of a list in the item the first stands for all.
      collect(child, depth + (child.type === "array" ? 0.5 : 1), leaves, key);
      if (node.type === "array") return;
    }
  }
}

function leafOf(node: JsonNode, key: NonNullable<JsonNode["key"]>, depth: number): Leaf {
  const { text } = node.head;
  const { scale, role: named, fit } = key.meaning;
  const role = scale === "error" && node.gravity.other >= 1.5 ? "error" : named;
  const empty = text.endsWith('""') || text.endsWith("null") || text.endsWith("{}");
  let worth = ROLE_WORTH[role] * fit - 0.2 * depth + 0.2 * node.odd + 0.3 * Math.min(3, node.value);
  if (empty) worth -= 2;
  if (role === "id") {
    if (text.length <= MAX_ID_CHARS && PUBLIC_ID.test(text)) worth += 0.3;
    else if (MACHINE_ID.test(text)) worth -= 0.5;
  }
  // What nearly all items say names none of them.
  const { said } = node;
  if (said !== undefined && said.count > 3 && said.count > 0.5 * said.key.total && named !== "none") worth -= 0.5;
  return { node, role: empty ? "none" : role, worth };
}

/** The value of a member as it stands. */
export function textOfValue(node: JsonNode): string {
  const { text } = node.head;
  return text.slice(text.indexOf(":") + 1).trim();
}
