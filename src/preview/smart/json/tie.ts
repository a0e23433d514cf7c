import { textOfValue, type Wanted } from "./item-identity.ts";
import type { JsonNode } from "./json-node.ts";

/** A whole line of a text that is a record. */
export interface RecordLine {
  readonly from: number;
  readonly to: number;
}

/** More records than this are not counted. */
const MOST_SHARING = 400;
/** So few records, or this share of all, have a name in common wherever they stand; more of them if most between do. */
const FEW_SHARING = 12;
const SMALL_SHARE = 0.05;
const LEAST_DENSITY = 0.5;
/** A value that so many records have under its key is no name. */
const COMMON = 0.25;
const MOST_LINE_CHARS = 4096;
const MAX_DEPTH = 3;
const LONGEST_NAME = 160;
/** Members of a tied record that are shown, and characters of each. */
const MOST_SAID = 2;
/** Letters and digits from which on a text tells something, and how many may say the same. */
const LEAST_SAID = 8;
const FEW_SAYING = 3;
const SAID_CHARS = 240;
const NAME_CHARS = 100;
const STRING = /:\s*"..+"$/s;
/** Words that were printed. */
const PRINTED = /\\[nrt]/;
const NUMBER = /:\s*\d+$/;
const DATE = /:\s*"\d{4}-\d\d-\d\d/;
/** "testID":7, which an object says as "test":{"id":7 */
const FOREIGN_ID = /^"(\w+?)_?id"(:.*)$/is;

/** The members of a record that may name what it is about, as they are written. */
export function namesIn(record: JsonNode): string[] {
  return scalarsIn(record)
    .filter(mayName)
    .map(({ head }) => head.text);
}

/** What a record says that the grave one with the same name does not, and that name; nothing when it only goes on. */
export function whatTiedSays(record: JsonNode, grave: JsonNode): Wanted[] {
  const known = new Map(scalarsIn(grave).map((node) => [node.head.text, node]));
  const names = [...known.values()].filter(mayName).map((node) => textOfValue(node).slice(1, -1));
  const scalars = scalarsIn(record);
  const said = scalars
    .filter((node) => !known.has(node.head.text) && tellsMore(node, names))
    .sort((a, b) => b.head.chars - a.head.chars)
    .slice(0, MOST_SAID);
  if (said.length === 0) return [];
  const name = scalars.filter((node) => known.has(node.head.text) && mayName(node)).slice(-1);
  return [...said.map((node) => ({ node, chars: SAID_CHARS })), ...name.map((node) => ({ node, chars: NAME_CHARS }))];
}

/** True for words that are more than a mark before a name, and that no many others say. */
function tellsMore({ head, said }: JsonNode, names: readonly string[]): boolean {
  if (!STRING.test(head.text) || DATE.test(head.text) || (said !== undefined && said.count > FEW_SAYING)) return false;
  const value = names.reduce((rest, name) => rest.replaceAll(name, ""), head.text.slice(head.text.indexOf(":") + 1));
  return (value.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= LEAST_SAID;
}

function scalarsIn(record: JsonNode, depth = 0): JsonNode[] {
  return record.children.flatMap((child) => {
    if (child.type === "scalar") return [child];
    return depth < MAX_DEPTH ? scalarsIn(child, depth + 1) : [];
  });
}

function mayName({ key, head, said, gravity }: JsonNode): boolean {
  if (key === undefined || gravity.other > 0 || gravity.grade >= 0 || key.meaning.scale !== "none") return false;
  if (head.cutBytes > 0 || head.text.length > LONGEST_NAME) return false;
  if (DATE.test(head.text) || PRINTED.test(head.text)) return false;
  if (said !== undefined && said.count > COMMON * key.total) return false;
  return STRING.test(head.text) || (key.meaning.role === "id" && NUMBER.test(head.text));
}

/** The lines of the name that the fewest of about so many records share, if it is more than one of them. */
export function rarestLines(text: string, names: readonly string[], records: number): readonly RecordLine[] {
  const few = Math.max(FEW_SHARING, SMALL_SHARE * records);
  let rarest: readonly RecordLine[] = [];
  for (const name of names) {
    const foreign = FOREIGN_ID.exec(name);
    const other = foreign === null ? undefined : `"${foreign[1]}":{"id"${foreign[2]}`;
    const lines = [...linesWith(text, name), ...(other === undefined ? [] : linesWith(text, other))];
    if (lines.length < 2 || (rarest.length > 0 && lines.length >= rarest.length)) continue;
    if (lines.length <= few || areDense(text, lines)) rarest = lines;
  }
  return rarest;
}

function areDense(text: string, lines: readonly RecordLine[]): boolean {
  if (lines.length >= MOST_SHARING) return false;
  const last = lines.at(-1)?.from ?? 0;
  let between = 0;
  for (let at = text.indexOf("\n", lines[0]?.from); at >= 0 && at < last; at = text.indexOf("\n", at + 1)) between++;
  return lines.length >= LEAST_DENSITY * between;
}

/** The lines that hold a member. */
function linesWith(text: string, member: string): RecordLine[] {
  const lines: RecordLine[] = [];
  for (let at = text.indexOf(member); at >= 0 && lines.length < MOST_SHARING; ) {
    const after = at + member.length;
    if (/[\s,}\]]/.test(text.charAt(after))) {
      const newline = text.indexOf("\n", after);
      const to = newline < 0 ? text.length : newline;
      lines.push({ from: text.lastIndexOf("\n", at) + 1, to });
      at = text.indexOf(member, to);
    } else at = text.indexOf(member, after);
  }
  return lines;
}

/** True for a line that is one value, and not too long to be read again. */
export function isRecord(text: string, { from, to }: RecordLine): boolean {
  if (to - from > MOST_LINE_CHARS) return false;
  try {
    return typeof JSON.parse(text.slice(from, to)) === "object";
  } catch {
    return false;
  }
}
