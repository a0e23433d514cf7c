import { lineCost, shrinkRoom } from "../../fit.ts";
import { roomChars } from "../../lines/fill-room.ts";
import { gapMarker, type HeldLine } from "../../lines/held-line.ts";
import { LineDrawing } from "../../lines/line-drawing.ts";
import { makeSelection, type Room, type Selection } from "../analyzer.ts";

/** What the lines before JSON may take of the room, and those after it. */
const SHARE = 1 / 6;
const LINE_CHARS = 200;

/** What is selected in the room that is left, between the first lines before it and the last after it. */
export function drawBetween(
  before: readonly HeldLine[],
  after: readonly HeldLine[],
  room: Room,
  select: (rest: Room) => Selection,
): Selection {
  const chars = SHARE * roomChars(room);
  const head = draw(before, firstWithin(before, chars), "before the JSON");
  const last = [...firstWithin([...after].reverse(), chars)].reverse();
  const foot = draw(after, last, "after the JSON");
  const around = [head, foot].filter(({ text }) => text !== "");
  const body = select(around.reduce((rest, { text }) => shrinkRoom(rest, costOf(text, room)), room));
  if (body.text === "" || around.length === 0) return body;
  const parts = [head, body, foot].filter(({ text }) => text !== "");
  return makeSelection(
    parts.map(({ text }) => text).join("\n"),
    parts.flatMap(({ pieces }) => pieces),
  );
}

function costOf(text: string, room: Room): ReturnType<typeof lineCost> {
  return { ...lineCost(text, room), lines: text.split("\n").length };
}

function draw(lines: readonly HeldLine[], shown: readonly HeldLine[], reason: string): Selection {
  const drawing = new LineDrawing({ lineChars: LINE_CHARS, marker: gapMarker });
  const left = lines.filter((held) => !shown.includes(held));
  const marker = gapMarker(left[0]?.line ?? 0, left.at(-1)?.line ?? 0);
  if (left.length > 0 && left[0] === lines[0]) drawing.note(marker);
  for (const held of shown) drawing.show(held, reason, 1);
  if (left.length > 0 && left[0] !== lines[0]) drawing.note(marker);
  return drawing.finish();
}

/** The first lines that so many characters hold. */
function firstWithin(lines: readonly HeldLine[], chars: number): readonly HeldLine[] {
  let left = chars;
  return lines.filter(({ text }) => {
    left -= Math.min(text.length, LINE_CHARS) + 1;
    return left >= 0;
  });
}
