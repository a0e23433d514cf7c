import { isObject } from "../../../bytes/json/is-object.ts";
import { jsonBytes } from "../../../bytes/json/json-size.ts";
import { jsonRoom } from "../../../gate/items/measure-value.ts";
import type { BoundContext } from "./bound-context.ts";
import { parseJsonText } from "./json-text.ts";
import { restoreStrings } from "./restore-strings.ts";
import { openText, readText, type TextSource } from "./text-source.ts";

/** Larger values are not compared: they count as different. */
const MOST_COMPARED = 16 * 1024 * 1024;

/**
 * What becomes of `structuredContent`: `keep` it, bounded where it must be; `drop` it, because the text blocks say the
 * same; or `tell` it in a text block of its own.
 */
export type StructuredFate = "absent" | "keep" | "drop" | "tell";

interface Beside {
  readonly sources: readonly TextSource[];
  readonly bytes: number;
  readonly cut: boolean;
}

/** A client whose model sees nothing beside `structuredContent`, or both, gets none with a result of which anything is cut. */
export async function judgeStructured(
  value: unknown,
  { sources, bytes, cut }: Beside,
  context: BoundContext,
): Promise<StructuredFate> {
  if (value === undefined) return "absent";
  if (context.textOnly !== true) return "keep";
  const fits = await isWithin(value, context);
  const tooMuch = context.structuredBeside === true && bytes + jsonBytes(value) > context.limits.maxBytes;
  if (fits && !cut && !tooMuch) return "keep";
  const same = await saysTheSame(value, sources, context);
  if (!same) return "tell";
  // All of it is shown, and the texts that are cut say no more.
  return fits && context.structuredBeside !== true ? "keep" : "drop";
}

async function isWithin(value: unknown, { limits, spooled }: BoundContext): Promise<boolean> {
  const room = jsonRoom(limits);
  if (jsonBytes(value) > room) return false;
  return !spooled || (await restoreStrings(value, spooled, room)).whole;
}

async function saysTheSame(value: unknown, sources: readonly TextSource[], context: BoundContext): Promise<boolean> {
  const [only] = sources;
  if (sources.length !== 1 || only === undefined) return false;
  const members = isObject(value) ? Object.values(value) : [];
  if (members.length === 1 && typeof members[0] === "string")
    return sameText(await openText(members[0], context.spooled), only);
  const text = only.kind === "memory" ? only.text : await readWhole(only);
  const parsed = text === undefined ? undefined : parseJsonText(text);
  if (parsed === undefined) return false;
  const { spooled } = context;
  const whole = spooled ? (await restoreStrings(value, spooled, MOST_COMPARED)).value : value;
  return JSON.stringify(parsed) === JSON.stringify(whole);
}

async function readWhole({ string }: Extract<TextSource, { kind: "disk" }>): Promise<string | undefined> {
  return string.escapedBytes > MOST_COMPARED ? undefined : readText(string, MOST_COMPARED);
}

async function sameText(one: TextSource, other: TextSource): Promise<boolean> {
  if (one.kind === "memory" && other.kind === "memory") return one.text === other.text;
  if (one.kind === "memory" || other.kind === "memory" || one.string.escapedBytes !== other.string.escapedBytes)
    return false;
  return (await readWhole(one)) === (await readWhole(other)) && one.string.escapedBytes <= MOST_COMPARED;
}
