import { byteLength, fitsRoom } from "../../fit.ts";
import { renderOmission } from "../../omission.ts";
import { omissionBetween, type Position, type Room, type Selection, START } from "../../pieces.ts";
import { cutRow } from "./cut-row.ts";
import { renderRows } from "./render-rows.ts";
import type { Candidate, Row } from "./row.ts";

const MAX_ROUNDS = 12;
const BRIDGE_CHARS = 40;
const USUAL_CHARS = 240;
const MARKER_CHARS = 42;

/** All candidates, by where they start and where they end. */
interface Fillers {
  readonly starts: ReadonlyMap<number, Candidate>;
  readonly ends: ReadonlyMap<number, Candidate>;
}

/** Chooses the rows that are worth most and fit the room together with the markers between them. */
export function chooseRows(
  candidates: readonly Candidate[],
  room: Room,
  end: Position,
  repeats: (template: number) => number,
): Selection {
  const marker = renderOmission(omissionBetween(START, end, end), { compact: true });
  const markers = room.linesOnly !== true && fitsRoom(`${marker}\n${marker}`, room) && room.lines >= 3;
  const markerChars = markers ? marker.length + 1 : 0;
  const longest = Math.max(24, Math.floor(Math.min(room.chars, room.bytes) / 3));
  const ranked = candidates
    .filter((candidate) => candidate.value > 0)
    .map((candidate) => {
      const row = cutRow(candidate.row, longest);
      return row === candidate.row ? candidate : { ...candidate, row };
    })
    .map((candidate) => ({ candidate, key: candidate.value * lengthFactor(candidate.row) }))
    .sort((a, b) => b.key - a.key || a.candidate.row.byte - b.candidate.row.byte)
    .map(({ candidate }) => candidate);
  const fillers: Fillers = {
    starts: new Map(candidates.map((candidate) => [candidate.row.byte, candidate])),
    ends: new Map(candidates.map((candidate) => [candidate.row.byte + candidate.row.bytes, candidate])),
  };

  let target = 1;
  let best: Selection | undefined;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const selection = renderRows(fill(ranked, fillers, room, markerChars, target), end, markers, repeats);
    if (selection.text === "") break;
    if (fitsRoom(selection.text, room)) {
      const used = usedShare(selection.text, room);
      if (best !== undefined || used > 0.94) return best !== undefined && used < 0.9 * target ? best : selection;
      // The estimate was too careful: once more, with what was left over.
      best = selection;
      target *= 1 + 0.9 * (1 - used);
    } else {
      if (best !== undefined) return best;
      target *= 0.93;
    }
  }
  return bestAlone(ranked[0], room, end);
}

/** The beginning of the best row, where the room holds neither a whole row nor a marker. */
function bestAlone(best: Candidate | undefined, room: Room, end: Position): Selection {
  const nothing = { text: "", pieces: [] };
  if (best === undefined) return nothing;
  const row = cutRow(best.row, Math.floor(Math.min(room.chars, room.bytes, room.tokens)));
  const selection = renderRows([{ ...best, row }], end, false, () => 1);
  return fitsRoom(selection.text, room) ? selection : nothing;
}

function usedShare(text: string, room: Room): number {
  const share = Math.max(text.length / room.chars, byteLength(text) / room.bytes);
  return room.tokens === Infinity ? share : Math.max(share, room.countTokens(text) / room.tokens);
}

/** A long row must be worth the room that several short ones would fill. */
function lengthFactor(row: Row): number {
  const cost = row.text.length + MARKER_CHARS;
  return (USUAL_CHARS / cost) ** (cost > USUAL_CHARS ? 0.2 : 0.1);
}

/** Takes rows best first until the room, counted by estimate, is full. */
function fill(
  ranked: readonly Candidate[],
  fillers: Fillers,
  room: Room,
  markerChars: number,
  target: number,
): Candidate[] {
  const starts = new Map<number, Candidate>();
  const ends = new Map<number, Candidate>();
  const left = {
    chars: room.chars * target,
    bytes: room.bytes * target,
    lines: room.lines,
    tokens: room.tokens * target,
  };
  left.chars -= markerChars;
  left.bytes -= markerChars + 4;
  left.lines -= markerChars > 0 ? 1 : 0;
  if (room.tokens !== Infinity) left.tokens -= markerChars / 3;
  let misses = 0;
  const take = (candidate: Candidate): boolean => {
    const { row } = candidate;
    if (starts.has(row.byte)) return true;
    const touching = (ends.has(row.byte) ? 1 : 0) + (starts.has(row.byte + row.bytes) ? 1 : 0);
    const markers = (1 - touching) * markerChars;
    const chars = row.text.length + 1 + markers;
    const bytes = byteLength(row.text) + 1 + markers + (markers > 0 ? 4 : 0);
    const lines = 1 + (markerChars > 0 ? 1 - touching : 0);
    const tokens = room.tokens === Infinity ? 0 : room.countTokens(`${row.text}\n`) + markers / 3;
    if (chars > left.chars || bytes > left.bytes || lines > left.lines || tokens > left.tokens) return false;
    left.chars -= chars;
    left.bytes -= bytes;
    left.lines -= lines;
    left.tokens -= tokens;
    starts.set(row.byte, candidate);
    ends.set(row.byte + row.bytes, candidate);
    return true;
  };
  for (const candidate of ranked) {
    if (take(candidate)) bridge(candidate.row);
    else if (++misses > 200) break;
  }
  return [...starts.values()].sort((a, b) => a.row.byte - b.row.byte);

  /** A row between chosen ones costs no more than the marker that would stand there. */
  function bridge(row: Row): void {
    const after = fillers.starts.get(row.byte + row.bytes);
    if (after !== undefined && starts.has(after.row.byte + after.row.bytes)) takeShort(after);
    const before = fillers.ends.get(row.byte);
    if (before !== undefined && ends.has(before.row.byte)) takeShort(before);
  }

  function takeShort(candidate: Candidate): void {
    if (candidate.row.text.length <= markerChars + BRIDGE_CHARS) take(candidate);
  }
}
