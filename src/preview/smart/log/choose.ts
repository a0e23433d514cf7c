import { fitsRoom } from "../../fit.ts";
import { renderOmission } from "../../omission.ts";
import { NOTHING, omissionBetween, type Position, type Room, type Selection, START } from "../../pieces.ts";
import { cutRow } from "./cut-row.ts";
import { type KnownRepeats, type RenderedRows, renderRows } from "./render-rows.ts";
import type { Candidate } from "./row.ts";
import { RowPicker } from "./row-picker.ts";

const MAX_ROUNDS = 12;
const SAMPLE_CHARS = 1000;

/** Chooses the rows that are worth most and fit the room together with the markers between them. */
export function chooseRows(
  candidates: readonly Candidate[],
  room: Room,
  end: Position,
  repeats: KnownRepeats,
): Selection {
  const marker = renderOmission(omissionBetween(START, end, end), { compact: true });
  const markers = room.linesOnly !== true && fitsRoom(`${marker}\n${marker}`, room) && room.lines >= 3;
  const markerChars = markers ? marker.length + 1 : 0;
  const longest = Math.max(24, Math.floor(Math.min(room.chars, room.bytes, charsWithin(room, candidates)) / 3));
  const picker = new RowPicker(candidates, longest);

  let target = 1;
  let best: Selection | undefined;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { chosen, complete } = picker.pick(room, target, markerChars);
    const rendered = renderRows(chosen, end, markers, repeats);
    const { selection } = rendered;
    if (selection.text === "") break;
    const tokens = room.tokens === Infinity ? 0 : room.countTokens(selection.text);
    if (fits(rendered, tokens, room)) {
      const used = Math.max(selection.text.length / room.chars, rendered.bytes / room.bytes, tokens / room.tokens);
      if (complete || best !== undefined || used > 0.94) {
        return best !== undefined && used < 0.9 * target ? best : selection;
      }
      // The estimate was too careful: once more, with what was left over.
      best = selection;
      target *= 1 + 0.9 * (1 - used);
    } else {
      if (best !== undefined) return best;
      target *= 0.93;
    }
  }
  return bestAlone(picker.best, room, end);
}

/** Characters that the room's tokens hold of the longest row, which decides where rows have to be cut. */
function charsWithin({ tokens, countTokens }: Room, candidates: readonly Candidate[]): number {
  if (tokens === Infinity) return Infinity;
  let longest = "";
  for (const { row } of candidates) if (row.text.length > longest.length) longest = row.text;
  const sample = longest.slice(0, SAMPLE_CHARS);
  return sample === "" ? Infinity : (tokens * sample.length) / Math.max(1, countTokens(sample));
}

function fits({ selection, bytes, lines }: RenderedRows, tokens: number, room: Room): boolean {
  return selection.text.length <= room.chars && bytes <= room.bytes && lines <= room.lines && tokens <= room.tokens;
}

/** The beginning of the best row, where the room holds neither a whole row nor a marker. */
function bestAlone(best: Candidate | undefined, room: Room, end: Position): Selection {
  if (best === undefined) return NOTHING;
  const row = cutRow(best.row, Math.floor(Math.min(room.chars, room.bytes, room.tokens)));
  const { selection } = renderRows([{ ...best, row }], end, false, { count: () => 1, runs: [] });
  return fitsRoom(selection.text, room) ? selection : NOTHING;
}
