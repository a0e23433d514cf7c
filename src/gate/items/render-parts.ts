import { stringifyJson } from "../../bytes/json/stringify-json.ts";
import { fitsRoom } from "../../preview/fit.ts";
import { openMarker, quoteImitations } from "../../preview/mark.ts";
import { formatCount, formatLineRange, formatPlural } from "../../preview/omission.ts";
import type { Room } from "../../preview/pieces.ts";
import { preview } from "../../preview/preview.ts";
import type { Omission } from "../../preview/types.ts";
import { nameOf, type Part, textOf } from "./find-parts.ts";
import type { ItemChoice } from "./keep-parts.ts";
import { type KeptList, type KeptPart, keepAsText, keepParts, rebuild } from "./keep-parts.ts";

export interface RenderedParts {
  readonly text: string;
  readonly kept: readonly KeptPart[];
}

const TRIES = 24;
/** What stands around the parts may take this share of the room. */
const FRAME_SHARE = 8;
const SAMPLE_CHARS = 200;
/** Markers of a short preview; with more gaps than these only their number is told. */
const MAX_MARKERS = 4;

/** The parts as text, one line an item with a marker for each gap, and before them what stands around them. */
export function renderParts(value: unknown, parts: readonly Part[], room: Room, choice: ItemChoice): RenderedParts {
  const frame = renderFrame(value, parts, room, choice.mark);
  let smaller = room;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const whole = keepParts(parts, smaller, choice);
    const kept = whole.some((part) => part.kept.bytes > 0) ? whole : keepAsText(parts, smaller, choice);
    const text = [...frame, ...kept.flatMap((part) => sectionOf(part, parts.length > 1, choice.mark))].join("\n");
    const excess = excessOf(text, room);
    if (excess === undefined) return { text, kept };
    smaller = {
      ...room,
      lines: Math.max(0, smaller.lines - excess.lines),
      bytes: Math.max(0, smaller.bytes - excess.bytes),
      chars: Math.max(0, smaller.chars - excess.chars),
      tokens: Math.max(0, smaller.tokens - excess.tokens),
    };
  }
  return { text: "", kept: keepParts(parts, { ...room, lines: 0 }, choice) };
}

/**
 * A few lines for a reader who has the kept parts beside it: how the text begins and what is left out. When no item
 * could be kept there is nothing beside it, and it shows as much of the text as the room holds.
 */
export function renderShort(kept: readonly KeptPart[], room: Room, choice: ItemChoice): string {
  const first = kept.find(({ kept: { lines } }) => lines > 0) ?? kept[0];
  if (first === undefined) return "";
  const nothing = kept.every(({ kept: { bytes } }) => bytes === 0);
  if (nothing) return cut(textOf(first.part), room, choice);
  const line =
    textOf(first.part)
      .slice(0, SAMPLE_CHARS + 1)
      .split("\n", 1)[0] ?? "";
  const sample = line.length > SAMPLE_CHARS ? `${line.slice(0, SAMPLE_CHARS).replace(/[\ud800-\udbff]$/, "")}…` : line;
  const markers = kept.flatMap((part) => markersOf(part, kept.length > 1, choice.mark));
  const all = joinMarkers(markers, choice.mark);
  for (const text of [`${quoted(sample, choice.mark)}\n${all}`, all, joinMarkers(markers.slice(0, 1), choice.mark)]) {
    if (fitsRoom(text, room)) return text;
  }
  return "";
}

/** A marker that names the part and the place of what is left out of it. */
export function renderGap(omission: Omission, part: Part, named: boolean, mark?: string): string {
  const open = openMarker(mark);
  const { lines, bytes, startLine, endLine, startByte, endByte } = omission;
  const of = named || part.kind === "text" ? ` of ${nameOf(part)}` : "";
  if (part.kind === "list") {
    const where = startLine === endLine ? `item ${startLine}` : `items ${startLine}-${endLine}`;
    return `${open} ${formatPlural(lines, "item")}${of} (${formatPlural(bytes, "byte")}) omitted: ${where} …`;
  }
  const whole = lines > 0 && lines === endLine - startLine + 1;
  const where = whole ? formatLineRange(startLine, endLine) : `bytes ${startByte}-${endByte}`;
  const what =
    lines > 0
      ? `${formatPlural(lines, "line")}${of} (${formatPlural(bytes, "byte")})`
      : `${formatPlural(bytes, "byte")}${of}`;
  return `${open} ${what} omitted: ${where} …`;
}

/** Several markers as one, since none stands beside another. */
function joinMarkers(markers: readonly string[], mark: string | undefined): string {
  return markers.join("\n").replaceAll(` …\n${openMarker(mark)} `, "; ");
}

function markersOf({ part, omissions }: KeptPart, named: boolean, mark: string | undefined): readonly string[] {
  if (omissions.length <= MAX_MARKERS) return omissions.map((omission) => renderGap(omission, part, named, mark));
  const omitted = omissions.reduce((sum, { lines }) => sum + lines, 0);
  const unit = part.kind === "list" ? "item" : "line";
  const of = named || part.kind === "text" ? ` of ${nameOf(part)}` : "";
  const { startLine } = omissions[0]!;
  const { endLine } = omissions.at(-1)!;
  return [
    `${openMarker(mark)} ${formatPlural(omitted, unit)}${of} in ${formatCount(omissions.length)} places omitted: between ${unit}s ${startLine} and ${endLine} …`,
  ];
}

function sectionOf(kept: KeptPart, named: boolean, mark: string | undefined): readonly string[] {
  const heading = named ? [quoted(`${nameOf(kept.part)}:`, mark)] : [];
  if ("text" in kept) return [...heading, kept.text.replace(/\n$/, "")];
  return [...heading, ...listLines(kept, named, mark)];
}

/** A line of the output, which must not pass for one of ours. */
function quoted(line: string, mark: string | undefined): string {
  return mark === undefined ? line : quoteImitations(line);
}

function listLines(
  { part, indices, omissions }: KeptList,
  named: boolean,
  mark: string | undefined,
): readonly string[] {
  const items = indices.map((index) => ({ at: index + 1, text: quoted(part.lines[index]!, mark) }));
  const gaps = omissions.map((omission) => ({ at: omission.startLine, text: renderGap(omission, part, named, mark) }));
  return [...items, ...gaps].sort((a, b) => a.at - b.at).map(({ text }) => text);
}

/** What stands around the parts, as one line of JSON in which each part is only counted. */
function renderFrame(value: unknown, parts: readonly Part[], room: Room, mark: string | undefined): readonly string[] {
  if (parts.some(({ path }) => path.length === 0)) return [];
  const counted = parts.map((part): KeptPart => {
    const { lines } = part.size;
    const text = part.kind === "list" ? `[${formatPlural(lines, "item")}]` : `[${formatPlural(lines, "line")}]`;
    return { part, text, kept: part.size, omissions: [] };
  });
  const json = stringifyJson(rebuild(value, counted));
  const frameRoom = {
    ...room,
    lines: Math.floor(room.lines / FRAME_SHARE),
    bytes: Math.floor(room.bytes / FRAME_SHARE),
    chars: Math.floor(room.chars / FRAME_SHARE),
    tokens: Math.floor(room.tokens / FRAME_SHARE),
  };
  const text = cut(json, frameRoom, { strategy: "head", mark });
  return text === "" ? [] : [text];
}

function cut(text: string, room: Room, { strategy, query, mark }: ItemChoice): string {
  const { lines: maxLines, bytes: maxBytes, chars: maxChars, tokens: maxTokens, countTokens } = room;
  if (Math.min(maxLines, maxBytes, maxChars, maxTokens) < 1) return "";
  const marked = mark === undefined ? {} : { mark };
  return preview(text, { strategy, query, countTokens, maxLines, maxBytes, maxChars, maxTokens, ...marked }).text;
}

function excessOf(text: string, room: Room): Omit<Room, "countTokens"> | undefined {
  if (fitsRoom(text, room)) return undefined;
  const over = (limit: number, size: () => number): number => (limit === Infinity ? 0 : Math.max(0, size() - limit));
  return {
    lines: over(room.lines, () => text.split("\n").length),
    bytes: over(room.bytes, () => Buffer.byteLength(text)),
    chars: over(room.chars, () => text.length),
    tokens: over(room.tokens, () => room.countTokens(text)),
  };
}
