import { byteLength } from "../bytes/utf8.ts";
import type { Strategy } from "../limits/types.ts";
import { fitsRoom, lineCost, shrinkRoom } from "./fit.ts";
import { type Chosen, chooseHead } from "./head.ts";
import { renderOmission } from "./omission.ts";
import { makeSelection, NOTHING, omissionBetween, type Position, type Room, type Selection, START } from "./pieces.ts";
import type { Source } from "./source.ts";
import { chooseTail } from "./tail.ts";
import type { Markers } from "./types.ts";

/** Share of a character limit that either end gets. */
const CHAR_SHARE = 0.4;
/** How often a smaller room is tried before nothing is shown. */
const ROUNDS = 8;
const NO_LINES: Chosen = { lines: [], pieces: [] };

/** `marked` is the text with markers that the room did not have to hold. */
interface MarkedSelection extends Selection {
  readonly marked?: string;
}

/** Selects by position: the start, the end, or both. */
export function selectByPosition(
  source: Source,
  room: Room,
  strategy: Exclude<Strategy, "smart">,
  markers: Markers,
): MarkedSelection {
  const inside = markers === "inside";
  const marker = inside ? roomForMarker(source.end, room, strategy) : undefined;
  const free = marker ?? room;
  let head = NO_LINES;
  let tail = NO_LINES;
  if (strategy === "head")
    head = chooseHead(source, free, { whole: free, bothEnds: inside ? "all" : "none", reason: "head" });
  else if (strategy === "tail")
    tail = chooseTail(source, free, { whole: free, bothEnds: inside ? "all" : "none", reason: "tail", from: 0 });
  else {
    const bothEnds = inside ? "all but the last" : "none";
    const sides = splitRoom(free, room.chars);
    head = chooseHead(source, sides.head, { whole: sides.head, bothEnds, reason: "head" });
    const from = head.pieces.at(-1)?.end.byte ?? 0;
    tail = chooseTail(source, sides.tail, { whole: sides.tail, bothEnds, reason: "tail", from });
  }
  const pieces = [...head.pieces, ...tail.pieces];
  const selection = makeSelection(joinParts(head, tail, source.end, marker !== undefined), pieces);
  return markers === "on_top" ? { ...selection, marked: joinParts(head, tail, source.end, true) } : selection;
}

/** The room that is left beside the widest possible marker; undefined when a marker would take most of it. */
function roomForMarker(end: Position, room: Room, strategy: Strategy): Room | undefined {
  const widest = renderOmission(
    omissionBetween({ ...START, inLine: true }, { ...end, inLine: true, byte: end.byte - 1 }, end),
  );
  const whole = renderOmission(omissionBetween(START, end, end));
  const longest = `${widest.length > whole.length ? widest : whole} `;
  const cost = lineCost(longest, room);
  const leastLines = strategy === "head_tail" ? 3 : 2;
  if (room.lines < leastLines || room.bytes < 2 * cost.bytes || room.chars < 2 * cost.chars) return undefined;
  return room.tokens < 2 * cost.tokens ? undefined : shrinkRoom(room, cost);
}

function splitRoom(free: Room, allChars: number): { readonly head: Room; readonly tail: Room } {
  const headLines = free.lines === Infinity ? Infinity : Math.floor(free.lines / 2);
  const side = {
    bytes: Math.floor(free.bytes / 2),
    chars: Math.min(Math.floor(free.chars / 2), Math.floor(allChars * CHAR_SHARE)),
    tokens: Math.floor(free.tokens / 2),
    countTokens: free.countTokens,
  };
  const tailLines = free.lines === Infinity ? Infinity : free.lines - headLines;
  return { head: { ...side, lines: headLines }, tail: { ...side, lines: tailLines } };
}

function joinParts(head: Chosen, tail: Chosen, end: Position, withMarker: boolean): string {
  const from = head.pieces.at(-1)?.end ?? START;
  const to = tail.pieces[0]?.start ?? end;
  const before = head.lines.join("\n");
  const after = tail.lines.join("\n");
  const inOneLine = from.inLine === true && to.inLine === true && from.line === to.line && tail.lines.length > 0;
  if (from.byte >= to.byte) return join(before, after, from.inLine === true ? "" : "\n");
  if (!withMarker) return join(before, after, "\n");
  const marker = renderOmission(omissionBetween(from, to, end));
  return inOneLine ? `${before} ${marker} ${after}` : join(join(before, marker, "\n"), after, "\n");
}

function join(first: string, second: string, separator: string): string {
  return first === "" ? second : second === "" ? first : first + separator + second;
}

/** Selects so that the text surely fits: token counts of parts need not add up to that of the whole, nor cut lines' sizes. */
export function selectWithin<S extends Selection>(room: Room, select: (room: Room) => S): S | Selection {
  let smaller = room;
  for (let round = 0; round < ROUNDS; round++) {
    const selection = select(smaller);
    const { text } = selection;
    if (fitsRoom(text, room)) return selection;
    const shrink = (size: number, actual: number, limit: number): number =>
      actual > limit ? Math.floor(Math.min(size, actual) * 0.9) - 1 : size;
    smaller = {
      ...smaller,
      bytes: shrink(smaller.bytes, byteLength(text), room.bytes),
      chars: shrink(smaller.chars, text.length, room.chars),
      tokens: room.tokens === Infinity ? Infinity : shrink(smaller.tokens, room.countTokens(text), room.tokens),
    };
    if (Math.min(smaller.bytes, smaller.chars, smaller.tokens) <= 0) break;
  }
  return NOTHING;
}
