import type { Relevance } from "../../../query/relevance.ts";
import { gapMarker, showLine } from "../../lines/line-drawing.ts";
import { scatter } from "../../lines/reservoir.ts";
import { HEADING, OPEN, OPEN_SHORT } from "../../mark.ts";
import { formatPlural } from "../../omission.ts";
import { makeSelection, type Piece, type Selection } from "../analyzer.ts";
import type { Grammar, Item, ItemLine } from "./item-analyzer.ts";

/** One line, or the label of an item with its most telling line, that competes for room. */
export interface ItemCandidate {
  readonly item: Item;
  readonly line: ItemLine;
  readonly label?: string | undefined;
  readonly value: number;
}

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
/** Of a line that stands out; the lines that it stands under come right behind it. */
const OUTSTANDING = 1.3;
const OUTSTANDING_ASKED = 2.3;
const NAMES = 2;

/** The first items say what the rest is like. */
export const FIRST_ITEMS = 3;

/** Every line that may be shown, best first; plain lines come last and in order, so that no room is left over. */
export function rankItems(
  items: readonly Item[],
  relevance: Relevance,
  grammar: Grammar,
  total: number,
): ItemCandidate[] {
  const candidates: ItemCandidate[] = [];
  const firstCounts = grammar.firstCounts === true;
  const usual = items.reduce((sum, { lines }) => sum + lines.length, 0) / Math.max(1, items.length);
  const scores = items.map((item) => scoreOf(item, item.lines.length / usual, relevance));
  const best = scores.reduce((most, { score }) => Math.max(most, score), 0);
  const whole = wholeItems(items, scores, best);
  const title = relevance.empty || firstCounts ? undefined : titleOf(items);
  items.forEach((item, index) => {
    const { score, ownBest } = scores[index] as ItemScore;
    const share = best > 0 ? score / best : 0;
    const raised = outstanding(item.lines, grammar, relevance.empty ? OUTSTANDING : OUTSTANDING_ASKED);
    if (whole.has(item)) {
      offerWhole(item, share, ownBest, relevance, raised, candidates);
      return;
    }
    const first = item.index < FIRST_ITEMS ? 0.2 - 0.05 * item.index : item.index === total - 1 ? 0.2 : 0;
    const place = firstCounts ? placeValue(item.index, total) : item.rank + first;
    const label = raised.size > 0 ? undefined : grammar.label?.(item);
    if (label !== undefined) {
      const line = item.lines.reduce((most, other) => (other.rank > most.rank ? other : most));
      candidates.push({ item, line, label, value: place + share });
      return;
    }
    item.lines.forEach((line, at) => {
      const own = ownBest === 0 ? 0 : relevance.score(line.tally) / ownBest;
      const spread = firstCounts ? place * line.rank : line.rank - 0.04 * scatter(line.line);
      const edge = at === 0 && !firstCounts ? first : 0;
      const plain = own > 0 ? 0.4 + share + 0.3 * own : line.rank > 0 ? spread + edge + 0.3 * share : line.rank;
      candidates.push({ item, line, value: Math.max(plain, raised.get(line) ?? 0) });
    });
  });
  const worthOf = ({ line, value }: ItemCandidate): number => (line === title ? TITLE_VALUE : value);
  return candidates.sort((a, b) => worthOf(b) - worthOf(a) || a.line.line - b.line.line);
}

/** The values of lines that stand out, of those they stand under, and of the names of their item. */
function outstanding(lines: readonly ItemLine[], grammar: Grammar, value: number): ReadonlyMap<ItemLine, number> {
  const values = new Map<ItemLine, number>();
  if (grammar.standsOut === undefined) return values;
  lines.forEach((line, at) => {
    if (line.rank < 0 || grammar.standsOut?.(line.text) !== true) return;
    values.set(line, value);
    const indent = line.text.search(/\S/);
    const parent = lines.slice(0, at).findLast(({ text }) => text.search(/\S/) < indent);
    const names = lines.filter(({ text }) => grammar.names?.(text) === true).slice(0, NAMES);
    for (const beside of [lines[0], parent, ...names]) {
      if (beside !== undefined && !values.has(beside)) values.set(beside, value - 0.01);
    }
  });
  return values;
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

function scoreOf(item: Item, length: number, relevance: Relevance): ItemScore {
  if (item.tally === undefined) return { score: 0, ownBest: 0 };
  const ownBest = item.lines.reduce((most, { tally }) => Math.max(most, relevance.score(tally)), 0);
  return { score: relevance.score(item.tally, length) + 0.5 * ownBest, ownBest };
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
  raised: ReadonlyMap<ItemLine, number>,
  candidates: ItemCandidate[],
): void {
  const own = item.lines.map(({ tally }) => (ownBest === 0 ? 0 : relevance.score(tally) / ownBest));
  const usual = item.lines.length <= SHORT ? 0.2 : 0;
  item.lines.forEach((line, at) => {
    let near = usual;
    for (let other = Math.max(0, at - AROUND); other <= at + AROUND; other++)
      near = Math.max(near, (own[other] ?? 0) * (other === at ? 1 : 0.5 - 0.05 * Math.abs(other - at)));
    const head = at === 0 ? 0.6 : line.rank >= 1 ? 0.55 : 0.3 * line.rank;
    const value = 1 + share + Math.max(near, head) - 0.0001 * at;
    candidates.push({ item, line, value: Math.max(value, raised.get(line) ?? 0) });
  });
}

/** The first items, and the last one, which tells how far the text reaches. */
function placeValue(index: number, total: number): number {
  if (index === total - 1) return 0.999;
  return 1 - (0.9 * index) / (index + 200);
}

interface ItemsFrame {
  readonly title: string;
  readonly noun: string;
  readonly lineChars: number;
  /** Lines and items of the whole text. */
  readonly lines: number;
  readonly items: number;
}

/** What stands in the text, from one line of the output to another. */
interface Drawn {
  readonly candidate: ItemCandidate;
  readonly from: number;
  readonly to: number;
}

/** The chosen lines and labels in the order of the text, each with what is left out after it. */
export function drawItems(chosen: readonly ItemCandidate[], frame: ItemsFrame): Selection {
  const drawn = chosen.map((candidate): Drawn => {
    const { item, line, label } = candidate;
    return label === undefined
      ? { candidate, from: line.line, to: line.line }
      : { candidate, from: item.firstLine, to: item.lastLine };
  });
  drawn.sort((a, b) => a.from - b.from);
  const pieces: Piece[] = [];
  const text = [`${HEADING}${frame.title}]`];
  let before: Drawn | undefined;
  for (const next of drawn) {
    addGap(before, next, frame, text);
    const { line, label, value } = next.candidate;
    const shown = showLine(line, frame.lineChars);
    for (const { start, end } of shown.regions) {
      const { line: at, byte, char, inLine } = start;
      const score = Math.round(value * 100) / 10;
      pieces.push({ start: { line: at, byte, char, inLine }, end, reason: frame.noun, score });
    }
    text.push(label === undefined ? shown.text : drawLabel(label, next, frame.lineChars));
    before = next;
  }
  addGap(before, undefined, frame, text);
  return makeSelection(text.join("\n"), pieces);
}

function drawLabel(label: string, { from, to }: Drawn, lineChars: number): string {
  const cut = label.slice(0, lineChars).replace(/[\ud800-\udbff]$/, "");
  if (to > from) return `${cut} ${OPEN_SHORT} ${from}-${to} …`;
  return label.length > cut.length ? `${cut} …` : cut;
}

/** Says what is left out between two, at the end of the line before; beside labels in a line of its own, with a count. */
function addGap(before: Drawn | undefined, next: Drawn | undefined, frame: ItemsFrame, text: string[]): void {
  const from = (before?.to ?? 0) + 1;
  const following = next?.candidate.label === undefined ? next?.candidate.line : next.candidate.item.lines[0];
  const to = (next === undefined ? frame.lines : next.from - 1) - (following?.blanks ?? 0);
  if (to < from) return;
  const range = from === to ? `${from}` : `${from}-${to}`;
  const labelled = before?.candidate.label !== undefined;
  if (labelled || next?.candidate.label !== undefined) {
    const items = (next?.candidate.item.index ?? frame.items) - (before?.candidate.item.index ?? -1) - 1;
    if (items > 0) text.push(`${OPEN} ${formatPlural(items, frame.noun)}: lines ${range} …`);
    else if (!labelled) text.push(`${OPEN} lines ${range} …`);
  } else if (before === undefined) text.push(gapMarker(from, to));
  else text[text.length - 1] = `${text.at(-1)} ${OPEN_SHORT} ${range} …`;
}
