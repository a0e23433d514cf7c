import type { Relevance } from "../../../query/relevance.ts";
import { scatter } from "../../lines/reservoir.ts";
import type { Item, ItemCandidate, ItemLine } from "./item.ts";

/** Items that are shown whole when the question asks for them, at most. */
const WHOLE_ITEMS = 8;
/** How near an item must come to the best one. */
const NEAR = 0.45;
/** Lines around one that holds a word of the question. */
const AROUND = 4;
/** An item up to so many lines is read as one. */
const SHORT = 60;

const TITLE_RANK = 0.86;
/** Above whatever else a line may be worth. */
const TITLE_VALUE = 4;

/** The first items say what the rest is like. */
export const FIRST_ITEMS = 3;

/** Every line that may be shown, best first. */
export function rankItems(
  items: readonly Item[],
  relevance: Relevance,
  firstCounts: boolean,
  total: number,
): ItemCandidate[] {
  const candidates: ItemCandidate[] = [];
  const scores = relevance.empty ? undefined : items.map((item) => scoreOf(item, relevance));
  const best = scores === undefined ? 0 : Math.max(0, ...scores.map(({ score }) => score));
  const whole = wholeItems(items, scores ?? [], best);
  const title = scores === undefined || firstCounts ? undefined : titleOf(items);
  items.forEach((item, index) => {
    const { score = 0, ownBest = 0 } = scores?.[index] ?? {};
    const share = best > 0 ? score / best : 0;
    if (whole.has(item)) {
      offerWhole(item, share, ownBest, relevance, candidates);
      return;
    }
    const first = item.index < FIRST_ITEMS ? 0.2 - 0.05 * item.index : 0;
    const place = firstCounts ? placeValue(item.index, total) : item.rank + first - 0.04 * scatter(item.firstLine);
    if (item.label !== undefined) {
      candidates.push({ item, line: undefined, value: place + share });
      return;
    }
    for (const line of item.lines) {
      const own = ownBest === 0 ? 0 : relevance.score(line.tally) / ownBest;
      if (own > 0) candidates.push({ item, line, value: 0.4 + share + 0.3 * own });
      else if (line.rank > 0) {
        const value = firstCounts ? place * line.rank : line.rank - 0.04 * scatter(line.held.line);
        candidates.push({ item, line, value: value + 0.3 * share });
      }
    }
  });
  const worthOf = (candidate: ItemCandidate): number =>
    candidate.line !== undefined && candidate.line === title ? TITLE_VALUE : candidate.value;
  return candidates.sort((a, b) => worthOf(b) - worthOf(a) || lineOf(a) - lineOf(b));
}

/** What a text is called stays to be seen, whatever is asked of it. */
function titleOf([first, second]: readonly Item[]): ItemLine | undefined {
  if (first?.index !== 0) return undefined;
  return [...first.lines, ...(second?.lines ?? [])].find(({ rank }) => rank >= TITLE_RANK);
}

interface ItemScore {
  readonly score: number;
  /** The score of its best line. */
  readonly ownBest: number;
}

function scoreOf(item: Item, relevance: Relevance): ItemScore {
  if (item.tally === undefined) return { score: 0, ownBest: 0 };
  const ownBest = Math.max(0, ...item.lines.map(({ tally }) => relevance.score(tally)));
  return { score: relevance.score(item.tally) + 0.5 * ownBest, ownBest };
}

function wholeItems(items: readonly Item[], scores: readonly ItemScore[], best: number): ReadonlySet<Item> {
  if (best === 0) return new Set();
  const near = items
    .map((item, index) => ({ item, score: scores[index]?.score ?? 0 }))
    .filter(({ score }) => score >= NEAR * best)
    .sort((a, b) => b.score - a.score);
  return new Set(near.slice(0, WHOLE_ITEMS).map(({ item }) => item));
}

function offerWhole(
  item: Item,
  share: number,
  ownBest: number,
  relevance: Relevance,
  candidates: ItemCandidate[],
): void {
  const hits = item.lines.flatMap(({ tally }, at) => (tally === undefined ? [] : [at]));
  item.lines.forEach((line, at) => {
    const own = ownBest === 0 ? 0 : relevance.score(line.tally) / ownBest;
    const distance = Math.min(...hits.map((hit) => Math.abs(hit - at)));
    const near = distance <= AROUND ? 0.5 - 0.05 * distance : item.lines.length <= SHORT ? 0.2 : 0;
    const head = at === 0 ? 0.6 : line.rank >= 1 ? 0.55 : 0.3 * line.rank;
    candidates.push({ item, line, value: 1 + share + Math.max(own, near, head) - 0.0001 * at });
  });
}

/** The first items, and the last one, which tells how far the text reaches. */
function placeValue(index: number, total: number): number {
  if (index === total - 1) return 0.999;
  return 1 - (0.9 * index) / (index + 200);
}

function lineOf({ item, line }: ItemCandidate): number {
  return line?.held.line ?? item.firstLine;
}
