import { I32, PAGE_BYTES, type RunModule, V128 } from "../../../bytes/webassembly.ts";
import { fillFunction } from "./fill-code.ts";
import { LANES, TABLE_AT } from "./finder-memory.ts";
import { cutRows } from "./rows-code.ts";
import { findWords } from "./words-code.ts";

/** Called with `start`, `from`, `to`, `state`, `accepting`, `lineStart` and `last`, it gives the number of rows. */
const PARAMETERS = 7;

/**
 * Looks for words in the bytes from `from` to `to`, having read those from `start` on in `state` at first, and cuts them
 * into rows. What it finds stands in its memory. `prepare` fills the tables of an automaton.
 */
export function finderModule(): RunModule {
  let locals = PARAMETERS;
  const local = (): number => locals++;
  const [start, from, to, state, accepting, lineStart, last] = [0, 1, 2, 3, 4, 5, 6];
  const at = local();
  const end = local();
  const further = Array.from({ length: LANES - 1 }, local);
  const words = findWords({ start, from, to, state, accepting, at, end, further });
  const rows = cutRows({
    from,
    to,
    last,
    lineStart,
    findsEnd: local(),
    at,
    end,
    high: local(),
    low: local(),
    word: local(),
    digits: local(),
    part: local(),
    find: local(),
    first: local(),
    record: local(),
    row: local(),
    rowEnd: local(),
    content: local(),
    position: local(),
    place: local(),
    limit: local(),
    going: local(),
    terminated: local(),
    mask: local(),
    flags: local(),
    words: local(),
    byte: local(),
    seen: local(),
    bytes: local(),
    rules: local(),
  });
  return {
    parameters: PARAMETERS,
    // The last two hold 16 bytes.
    locals: Array.from({ length: locals - PARAMETERS }, (_, index) => (index < locals - PARAMETERS - 2 ? I32 : V128)),
    body: [...words, ...rows],
    pages: Math.ceil(TABLE_AT / PAGE_BYTES),
    prepare: fillFunction,
  };
}
