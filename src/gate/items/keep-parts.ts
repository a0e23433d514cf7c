import type { Strategy } from "../../limits/types.ts";
import { Fit, lineCost } from "../../preview/fit.ts";
import { roughTokens } from "../../preview/measure.ts";
import type { Room } from "../../preview/pieces.ts";
import { preview } from "../../preview/preview.ts";
import type { Omission, Size } from "../../preview/types.ts";
import { Relevance } from "../../query/relevance.ts";
import { fairShare } from "./fair-share.ts";
import { type ListPart, type Part, type PartPath, sumSizes, type TextPart } from "./find-parts.ts";

export interface ItemChoice {
  readonly strategy: Strategy;
  /** The reader's question; what answers it goes first, whatever the strategy. */
  readonly query?: string | undefined;
  /** What markers carry. */
  readonly mark?: string | undefined;
}

/** An item that takes more than this share of the room does not end the choice when it does not fit. */
const GIANT_SHARE = 0.5;

/** What an item must be worth to go first: to hold a word that nine of ten do not. */
const LEAST_ANSWER = 0.5;

/** The items that are kept whole, as ascending indices: as many as fit, the first ones unless the strategy is `tail`. */
function chooseItems(lines: readonly string[], room: Room, choice: ItemChoice): readonly number[] {
  const answers = rankAnswers(lines, choice.query);
  const fit = new Fit(room);
  const kept = new Set<number>();
  for (const index of answers) if (fit.take(lineCost(lines[index]!, room))) kept.add(index);
  for (const index of byPosition(lines.length, choice.strategy)) {
    if (kept.has(index)) continue;
    const cost = lineCost(lines[index]!, room);
    if (fit.take(cost)) kept.add(index);
    else if (fit.lines + 1 > room.lines || !isGiant(cost, room)) break;
  }
  return [...kept].sort((a, b) => a - b);
}

function isGiant(
  cost: { readonly bytes: number; readonly chars: number; readonly tokens: number },
  room: Room,
): boolean {
  return (
    cost.bytes > room.bytes * GIANT_SHARE ||
    cost.chars > room.chars * GIANT_SHARE ||
    cost.tokens > room.tokens * GIANT_SHARE
  );
}

function rankAnswers(lines: readonly string[], query: string | undefined): readonly number[] {
  if (query === undefined) return [];
  const relevance = new Relevance(query);
  if (relevance.empty) return [];
  const tallies = lines.map((line) => relevance.tally(line));
  for (const tally of tallies) relevance.observe(tally);
  return tallies
    .map((tally, index) => ({ index, value: relevance.score(tally) }))
    .filter(({ value }) => value > LEAST_ANSWER)
    .sort((a, b) => b.value - a.value || a.index - b.index)
    .map(({ index }) => index);
}

function* byPosition(count: number, strategy: Strategy): Generator<number, void, void> {
  for (let step = 0; step < count; step++) {
    yield strategy === "tail" ? count - 1 - step : step;
  }
}

interface Kept {
  readonly kept: Size;
  /** In the part's measured text, so that the lines of a list are its items. */
  readonly omissions: readonly Omission[];
}

export interface KeptList extends Kept {
  readonly part: ListPart;
  /** Which items, ascending. */
  readonly indices: readonly number[];
}

export interface KeptText extends Kept {
  /** A list too when none of its items fits whole. */
  readonly part: Part;
  /** With its own markers. */
  readonly text: string;
}

export type KeptPart = KeptList | KeptText;

const NOTHING: Size = { lines: 0, bytes: 0, chars: 0 };

/** Keeps of each part what fits into its share of the room: a small part stays whole, large ones share what is left. */
export function keepParts(parts: readonly Part[], room: Room, choice: ItemChoice): readonly KeptPart[] {
  const share = shareRoom(
    parts.map(({ size }) => size),
    room,
  );
  return parts.map((part) => (part.kind === "list" ? keepList(part, share, choice) : keepText(part, share, choice)));
}

/** The same for parts that are shown as text only, when no item fits as a whole. */
export function keepAsText(parts: readonly Part[], room: Room, choice: ItemChoice): readonly KeptPart[] {
  const texts = parts.map(({ path, size, ...part }): TextPart => {
    return { kind: "text", path, size, text: part.kind === "text" ? part.text : part.lines.join("\n") };
  });
  return keepParts(texts, room, choice).map((kept, index) => ({ ...(kept as KeptText), part: parts[index]! }));
}

/** The value with only what was kept of its parts. */
export function rebuild(value: unknown, kept: readonly KeptPart[]): unknown {
  return kept.reduce((whole, part) => replaceAt(whole, part.part.path, replacementOf(part)), value);
}

function shareRoom(sizes: readonly Size[], room: Room): Room {
  const share = (limit: number, sizeOf: (size: Size) => number): number =>
    Math.min(limit, fairShare(sizes.map(sizeOf), limit));
  return {
    lines: share(room.lines, ({ lines }) => lines),
    bytes: share(room.bytes, ({ bytes }) => bytes),
    chars: share(room.chars, ({ chars }) => chars),
    tokens: share(room.tokens, roughTokens),
    countTokens: room.countTokens,
  };
}

function keepList(part: ListPart, room: Room, choice: ItemChoice): KeptList {
  const indices = chooseItems(part.lines, room, choice);
  const omissions = omittedRuns(part, indices);
  const omitted = sumSizes(omissions);
  const { lines, bytes, chars } = part.size;
  const kept = { lines: lines - omitted.lines, bytes: bytes - omitted.bytes, chars: chars - omitted.chars };
  return { part, indices, kept, omissions };
}

function omittedRuns({ lines, size }: ListPart, indices: readonly number[]): readonly Omission[] {
  const runs: Omission[] = [];
  const isKept = new Set(indices);
  let startByte = 0;
  let bytes = 0;
  let chars = 0;
  let count = 0;
  for (const [index, line] of lines.entries()) {
    const newline = index < lines.length - 1 ? 1 : 0;
    const lineBytes = Buffer.byteLength(line) + newline;
    if (!isKept.has(index)) {
      count++;
      bytes += lineBytes;
      chars += line.length + newline;
      if (index < lines.length - 1) continue;
    }
    if (count > 0) {
      const endLine = isKept.has(index) ? index : size.lines;
      const endByte = startByte + bytes;
      runs.push({ lines: count, bytes, chars, startLine: endLine - count + 1, endLine, startByte, endByte });
    }
    startByte += bytes + lineBytes;
    bytes = chars = count = 0;
  }
  return runs;
}

function keepText(part: TextPart, room: Room, { strategy, query, mark }: ItemChoice): KeptText {
  const { lines, bytes, chars, tokens, countTokens } = room;
  if (Math.min(lines, bytes, chars, tokens) < 1) {
    const { size } = part;
    const all = { ...size, startLine: 1, endLine: size.lines, startByte: 0, endByte: size.bytes };
    return { part, text: "", kept: NOTHING, omissions: size.bytes === 0 ? [] : [all] };
  }
  const shown = preview(part.text, {
    strategy,
    query,
    countTokens,
    maxLines: lines,
    maxBytes: bytes,
    maxChars: chars,
    maxTokens: tokens,
    ...(mark === undefined ? {} : { mark }),
  });
  return { part, text: shown.text, kept: shown.kept, omissions: shown.omissions };
}

function replacementOf(kept: KeptPart): unknown {
  if ("text" in kept) return kept.text;
  const { items, keys } = kept.part;
  if (keys === undefined) return kept.indices.map((index) => items[index]);
  return Object.fromEntries(kept.indices.map((index) => [keys[index], items[index]]));
}

/** A copy of the value with something else at a place. */
export function replaceAt(value: unknown, [key, ...rest]: PartPath, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const inner = replaceAt((value as Record<string | number, unknown>)[key], rest, replacement);
  if (Array.isArray(value)) return value.with(key as number, inner);
  return { ...(value as object), [key]: inner };
}
