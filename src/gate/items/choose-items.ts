import type { Strategy } from "../../limits/types.ts";
import { Fit, lineCost } from "../../preview/fit.ts";
import type { Room } from "../../preview/pieces.ts";
import { Relevance } from "../../query/relevance.ts";

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
export function chooseItems(lines: readonly string[], room: Room, choice: ItemChoice): readonly number[] {
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
