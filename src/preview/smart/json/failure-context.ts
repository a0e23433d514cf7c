import type { JsonNode } from "./json-tree.ts";
import { severityScore } from "./severity.ts";

/** Records before a severe one that are searched, and that are shown with it at most. */
const WINDOW = 24;
const MAX_SHOWN = 8;
/** From here on a record reports a failure; how many of them get their context. */
const SEVERE = 1;
const MAX_SEVERE = 16;
/** A name that more records of the window share is not about the failure. */
const MAX_SHARING = 12;
const MAX_NAME_CHARS = 160;
/** Letters and digits of a text that tells something. */
const LEAST_TOLD = 8;
/** The penalty of a record against the severe one, and per record between them. */
const PENALTY = 0.6;
const PENALTY_OF_PLACE = 0.01;
const DATE = /:\s*"\d{4}-\d\d-\d\d/;

/**
 * Keeps, of JSON lines, the records right before a failure that share its rarest name: what a test printed, or what
 * happened to a request before it failed, does not look severe by itself.
 */
export class FailureContext {
  #recent: JsonNode[] = [];
  #severe: JsonNode[] = [];
  /** Severe records with those before them. */
  readonly #windows: { readonly severe: JsonNode; readonly before: readonly JsonNode[] }[] = [];
  #left = MAX_SEVERE;

  /** Adds the record that was read last. */
  add(record: JsonNode): void {
    this.#recent.push(record);
    if (this.#left <= 0 || record.type === "scalar" || severityScore(record.severity) < SEVERE) return;
    this.#left--;
    this.#severe.push(record);
  }

  /** The records that may still be context, refused ones among them. They get their texts before `endBlock`. */
  get candidates(): readonly JsonNode[] {
    return this.#severe.length > 0 ? this.#recent : this.#recent.slice(-WINDOW);
  }

  endBlock(): void {
    for (const severe of this.#severe) {
      const before = this.#recent.filter(({ index }) => index < severe.index && index >= severe.index - WINDOW);
      this.#windows.push({ severe, before });
    }
    this.#severe = [];
    this.#recent = this.#recent.slice(-WINDOW);
  }

  /** Takes in the context of those severe records that are still held. */
  restore(root: JsonNode): void {
    const held = new Set(root.children);
    for (const { severe, before } of this.#windows) {
      if (!held.has(severe)) continue;
      const mild = before.filter(({ severity }) => severityScore(severity) < SEVERE);
      const telling = recordsWithName(mild, severe).filter((record) => newTexts(record, severe).length > 0);
      for (const record of telling.slice(-MAX_SHOWN)) {
        record.contextOf ??= severe;
        if (!held.has(record)) root.children.push(record);
        held.add(record);
      }
    }
    root.children.sort((a, b) => a.index - b.index);
  }
}

/** The score that a record has for the failure it belongs to. */
export function contextScore({ index, contextOf }: JsonNode): number {
  if (contextOf === undefined) return 0;
  return severityScore(contextOf.severity) - PENALTY - PENALTY_OF_PLACE * (contextOf.index - index);
}

/** The records that share the rarest name of a severe one. */
function recordsWithName(records: readonly JsonNode[], severe: JsonNode): readonly JsonNode[] {
  const texts = records.map((record) => new Set(scalarsOf(record).map(({ text }) => text)));
  let rarest: readonly JsonNode[] = [];
  for (const { key, text, severity, valueCount } of scalarsOf(severe)) {
    if (key?.meaning.scale !== "none" || severityScore(severity) > 0 || text.length > MAX_NAME_CHARS) continue;
    if (DATE.test(text) || (valueCount !== undefined && valueCount.count > MAX_SHARING)) continue;
    const sharing = records.filter((_, at) => texts[at]?.has(text));
    if (sharing.length === 0 || sharing.length > MAX_SHARING) continue;
    if (rarest.length === 0 || sharing.length < rarest.length) rarest = sharing;
  }
  return rarest;
}

/** The strings of a record that say more than the names in the severe one, the longest first. */
export function newTexts(record: JsonNode, severe: JsonNode): JsonNode[] {
  const known = scalarsOf(severe).map(({ text }) => text);
  const names = known.map((text) => text.slice(text.indexOf(":") + 1).replace(/^\s*"|"$/g, "")).filter(Boolean);
  const tells = ({ text }: JsonNode): boolean => {
    const value = text.slice(text.indexOf(":") + 1).trim();
    if (!value.startsWith('"') || DATE.test(text) || known.includes(text)) return false;
    const rest = names.reduce((left, name) => left.replaceAll(name, ""), value);
    return (rest.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= LEAST_TOLD;
  };
  return scalarsOf(record)
    .filter(tells)
    .sort((a, b) => b.chars - a.chars);
}

function scalarsOf(record: JsonNode, depth = 0): JsonNode[] {
  return record.children.flatMap((child) => {
    if (child.type === "scalar") return [child];
    return depth < 2 ? scalarsOf(child, depth + 1) : [];
  });
}
