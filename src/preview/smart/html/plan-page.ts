import { cleanText } from "../../clean.ts";
import { HEADING, OPEN, OPEN_SHORT } from "../../mark.ts";
import { formatCount, formatPlural } from "../../omission.ts";
import { makeSelection, type Piece, type Selection } from "../analyzer.ts";
import type { PageBlock } from "./page-blocks.ts";
import { isHeading, linkDensity } from "./page-reservoir.ts";

/** Which blocks to show, the most wanted first, and how much of each. */
export interface PagePlan {
  readonly ranked: readonly PageBlock[];
  /** Characters shown of a block at most. */
  limitOf(block: PageBlock): number;
}

/** Blocks whose place is worth less than this share of the best are not part of the article. */
const ARTICLE = 0.4;
/** Blocks worth less than this share of the best are not part of what the page says, even where there is room. */
const NOISE = 0.02;
/** The same beside an article of some length. */
const NOISE_PLACE = 0.1;
const ARTICLE_CHARS = 800;
/** The beginning of a paragraph must say something. */
const MIN_CHARS = 110;
/** What it costs to cut a block: the count, and a word to its end. */
export const CUT_CHARS = 28;
const GAP_CHARS = 28;
const FIRST_PARAGRAPHS = 3;
const MOST_ASKED = 3;
const MOST_ANSWERS = 4;
/** Of the room, what one block that is asked for may take. */
const WANTED_PARTS = 6;
/** Blocks below a heading that is asked for. */
const MOST_BELOW = 2;
/** Blocks below the heading among which a page opens. */
const OPENING_WITHIN = 12;
/** What code, table rows and short items get of an article that does not fit. */
const FORMS_SHARE = 0.15;

/**
 * The title, then the article in order. Where it does not fit, the first paragraphs and those that the question asks
 * for are whole, and of the others there is the beginning; where even that is too much, of as many as fit, spread evenly.
 */
export function planPage(blocks: readonly PageBlock[], chars: number, answering: readonly PageBlock[] = []): PagePlan {
  const lead = blocks.filter(({ kind }) => kind === "title").slice(0, 1);
  lead.push(...blocks.filter(({ kind, placeWeight }) => kind === "h1" && placeWeight > 0.3).slice(0, 1));
  const rest = blocks.filter((block) => block.kind !== "title" && !lead.includes(block));
  const best = rest.reduce((most, block) => Math.max(most, block.place), 0);
  const opening = openingAfter(lead.at(-1), rest);
  const article = rest.filter((block) => block.place >= best * ARTICLE || block === opening);
  const room = chars - sumOf(lead, costOf) - 100 - GAP_CHARS * gapsIn(article);
  const top = rest.reduce((most, block) => Math.max(most, block.score), 0);
  const least = sumOf(article, costOf) > ARTICLE_CHARS ? best * NOISE_PLACE : 0;
  const answers = answering.slice(0, MOST_ANSWERS).flatMap((block) => [block, ...below(block, rest)]);
  const whole = new Set([...lead, ...answers, ...article]);
  const others = rest
    .filter((block) => !whole.has(block) && block.place >= least && block.score >= top * NOISE)
    .sort((a, b) => b.score - a.score || a.index - b.index);
  if (sumOf(article, costOf) > room) return planCut({ lead, article, rest, answers, beside: others, room });
  const most = Math.max(200, Math.floor(chars / 8));
  return { ranked: [...whole, ...others], limitOf: (block) => (whole.has(block) ? block.text.length : most) };
}

interface CutPage {
  readonly lead: readonly PageBlock[];
  readonly article: readonly PageBlock[];
  readonly rest: readonly PageBlock[];
  readonly answers: readonly PageBlock[];
  readonly beside: readonly PageBlock[];
  readonly room: number;
}

function planCut({ lead, article, rest, answers, beside, room }: CutPage): PagePlan {
  const told = article.filter(isTold);
  const first = told.filter((block) => !isHeading(block)).slice(0, FIRST_PARAGRAPHS);
  const mostAsked = rest.reduce((most, block) => Math.max(most, block.asked), 0);
  const asked = rest
    .filter((block) => block.asked > 0 && block.asked >= mostAsked * 0.7)
    .sort((a, b) => b.asked - a.asked || a.index - b.index)
    .slice(0, MOST_ASKED);
  const wanted = new Set([...answers, ...asked.flatMap((block) => [block, ...below(block, rest)])]);
  const whole = new Set([...wanted, ...first]);
  const others = told.filter((block) => !whole.has(block));
  const forms = article.filter((block) => !whole.has(block) && !isTold(block));
  const forForms = Math.min(
    room * FORMS_SHARE,
    sumOf(forms, (block) => Math.min(costOf(block), MIN_CHARS)),
  );
  const equal = waterLevel([...whole, ...others], room - forForms);
  const wholeLimit = Math.max(equal, 200, Math.floor(room / 14));
  const limitOf = (block: PageBlock): number =>
    wanted.has(block) ? Math.max(wholeLimit, Math.floor(room / WANTED_PARTS)) : wholeLimit;
  const left = room - forForms - sumOf([...whole], (block) => Math.min(costOf(block), limitOf(block) + CUT_CHARS));
  const level = Math.max(MIN_CHARS, waterLevel(others, left));
  return {
    ranked: [...new Set([...lead, ...whole, ...spread(withHeadings(others)).flat(), ...spread(forms), ...beside])],
    limitOf: (block) => (lead.includes(block) || whole.has(block) ? limitOf(block) : level),
  };
}

/** What a heading or a term that is asked for announces: the answer seldom says again what it is about. */
function below(block: PageBlock, blocks: readonly PageBlock[]): readonly PageBlock[] {
  const { index, kind } = block;
  if (!isHeading(block) && kind !== "dt") return [];
  const following = blocks.slice(blocks.findIndex((other) => other.index > index));
  const end = following.findIndex((other) => isHeading(other) || other.kind === "dt");
  return following.slice(0, Math.min(MOST_BELOW, end < 0 ? MOST_BELOW : end));
}

/** The paragraph with which the page opens, wherever it stands: galleries and boxes may part it from the rest. */
function openingAfter(heading: PageBlock | undefined, blocks: readonly PageBlock[]): PageBlock | undefined {
  if (heading?.kind !== "h1") return undefined;
  return blocks.find(
    (block) =>
      block.index > heading.index &&
      block.index <= heading.index + OPENING_WITHIN &&
      isParagraph(block) &&
      block.placeWeight > 0.5 &&
      linkDensity(block) < 0.3,
  );
}

/** How many characters each block may have so that all of them take `room`. */
function waterLevel(blocks: readonly PageBlock[], room: number): number {
  const costs = blocks.map(costOf).sort((a, b) => a - b);
  let left = room;
  for (let index = 0; index < costs.length; index++) {
    const share = left / (costs.length - index);
    if ((costs[index] as number) > share) return Math.floor(share) - CUT_CHARS;
    left -= costs[index] as number;
  }
  return Number.POSITIVE_INFINITY;
}

/** Every block together with the headings right before it. */
function withHeadings(blocks: readonly PageBlock[]): readonly (readonly PageBlock[])[] {
  const groups: PageBlock[][] = [];
  let headed = false;
  for (const block of blocks) {
    const last = groups.at(-1);
    if (headed && last !== undefined) last.push(block);
    else groups.push([block]);
    headed = isHeading(block);
  }
  return groups;
}

/** The same in an order of which every beginning is spread over the whole: first, last, middle, quarters. */
function spread<T>(items: readonly T[]): T[] {
  if (items.length < 3) return [...items];
  const order: T[] = [items[0] as T, items[items.length - 1] as T];
  let ranges: (readonly [number, number])[] = [[0, items.length - 1]];
  while (ranges.length > 0) {
    const halves: (readonly [number, number])[] = [];
    for (const [from, to] of ranges) {
      const middle = (from + to) >> 1;
      if (middle === from) continue;
      order.push(items[middle] as T);
      halves.push([from, middle], [middle, to]);
    }
    ranges = halves;
  }
  return order;
}

/** Headings and paragraphs tell the story; the rest is code, rows and short items. */
function isTold(block: PageBlock): boolean {
  return isHeading(block) || isParagraph(block);
}

function isParagraph(block: PageBlock): boolean {
  return (
    block.kind !== "pre" &&
    (block.text.length >= 80 || (block.text.length >= 40 && /[.!?。]["”’')]?$/.test(block.text))) &&
    block.prose > 0
  );
}

function gapsIn(blocks: readonly PageBlock[]): number {
  return blocks.filter((block, at) => block.index !== (blocks[at - 1]?.index ?? -1) + 1).length;
}

/** The characters that a whole block takes. */
function costOf(block: PageBlock): number {
  return block.text.length + 4;
}

function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

/** The page that is rendered. */
export interface PageFrame {
  /** All blocks of the page. */
  readonly blocks: number;
  readonly bytes: number;
}

/** Renders the chosen blocks in order, with exact counts of what stands between and beyond. */
export function renderPage(
  chosen: readonly PageBlock[],
  limitOf: (block: PageBlock) => number,
  frame: PageFrame,
): Selection {
  const left = frame.blocks - chosen.length;
  const lines = [
    `${HEADING}page text: ${formatPlural(frame.blocks, "block")} in ${formatPlural(frame.bytes, "byte")} of markup; ${formatCount(left)} left out]`,
  ];
  const pieces: Piece[] = [];
  let next = 0;
  let end = 0;
  const skip = (blocks: number, to: number): void => {
    if (blocks > 0) lines.push(`${OPEN} ${formatPlural(blocks, "block")}: bytes ${end}-${to} …`);
  };
  for (const block of [...chosen].sort((a, b) => a.index - b.index)) {
    skip(block.index - next, block.runs[0]?.start.byte ?? end);
    next = block.index + 1;
    end = block.runs.at(-1)?.end.byte ?? end;
    const shown = cutWell(block.text, limitOf(block));
    const rest = block.text.length + block.cut - shown.length;
    lines.push(
      cleanText(mark(block) + shown) + (rest > 0 ? ` ${OPEN_SHORT} ${formatPlural(rest, "character")} …` : ""),
    );
    const reason = block.kind === "" ? "text" : block.kind;
    for (const { start, end, textEnd } of block.runs) {
      if (textEnd > shown.length + 1) break;
      pieces.push({ start, end, reason, score: block.score });
    }
  }
  skip(frame.blocks - next, frame.bytes);
  return makeSelection(lines.join("\n"), pieces);
}

/** Headings and list items keep their form. */
function mark(block: PageBlock): string {
  const level = /^h([1-6])$/.exec(block.kind)?.[1];
  if (level !== undefined) return `${"#".repeat(Number(level))} `;
  if (block.kind === "title") return "# ";
  return block.kind === "li" ? "- " : "";
}

/** A rest that is no longer than its count is not cut off. */
const WORTH_CUTTING = 24;

/** About the first `chars` of a text, up to the end of a word. */
function cutWell(text: string, chars: number): string {
  if (text.length <= chars + WORTH_CUTTING) return text;
  const word = text.slice(chars, chars + WORTH_CUTTING / 2).search(/\s/);
  const cut = text.slice(0, chars + Math.max(0, word));
  const last = cut.charCodeAt(cut.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
}
