import { countLines } from "../bytes/count-newlines.ts";
import { byteLength } from "../bytes/utf8.ts";
import { fitsRoom } from "./fit.ts";
import { chooseMark, quoteImitations, stamp } from "./mark.ts";
import { accountFor, NOTHING, type Room } from "./pieces.ts";
import { roomWithin } from "./room-within.ts";
import type { CompleteOptions, FinishOptions, Preview, Reserve } from "./types.ts";

/** How often less room is tried for the sake of quoted lines before nothing is shown. */
const ROUNDS = 8;
const NO_RESERVE: Reserve = { lines: 0, bytes: 0, chars: 0, tokens: 0 };

/**
 * Makes the preview out of drafts: markers get their mark, and what imitates them is quoted. Quoting takes room that
 * only a draft can tell; so one that holds imitations is made again with less.
 */
export function finishMarked(
  draftWithin: (options: FinishOptions) => Preview,
  options: CompleteOptions,
  { mark: digits = "", ...asked }: FinishOptions,
): Preview {
  if (digits === "" || asked.markers === "outside") {
    const draft = draftWithin(asked);
    return { ...draft, text: stamp(draft.text, undefined) };
  }
  let mark = chooseMark(digits, "");
  let reserve = { ...NO_RESERVE, ...asked.reserve };
  for (let round = 0; round < ROUNDS; round++) {
    const draft = draftWithin({ ...asked, mark, reserve });
    if (!draft.truncated) return draft;
    const text = quoteImitations(draft.text);
    const chosen = chooseMark(digits, text);
    const room = roomWithin(options, { ...asked, mark: chosen });
    if ((text === draft.text && chosen === mark) || asked.markers === "on_top" || fitsRoom(text, room))
      return { ...draft, text: stamp(text, chosen), mark: chosen };
    mark = chosen;
    reserve = add(reserve, excessOf(text, room));
  }
  const nothing = draftWithin({ ...asked, mark, reserve });
  const { lines: line, bytes: byte, chars: char } = nothing.source;
  return { ...nothing, text: "", mark, ...accountFor(NOTHING.pieces, { line, byte, char, inLine: true }) };
}

function excessOf(text: string, room: Room): Reserve {
  const over = (size: number, limit: number): number => (limit === Infinity ? 0 : Math.max(0, size - limit));
  return {
    lines: over(countLines(text), room.lines),
    bytes: over(byteLength(text), room.bytes),
    chars: over(text.length, room.chars),
    tokens: room.tokens === Infinity ? 0 : over(room.countTokens(text), room.tokens),
  };
}

function add(a: Reserve, b: Reserve): Reserve {
  return { lines: a.lines + b.lines, bytes: a.bytes + b.bytes, chars: a.chars + b.chars, tokens: a.tokens + b.tokens };
}
