import { cleanText } from "../../clean.ts";
import { HEADING, OPEN, OPEN_SHORT } from "../../mark.ts";
import { formatCount, formatPlural } from "../../omission.ts";
import { makeSelection, type Piece, type Selection } from "../analyzer.ts";
import type { PageBlock } from "./page-blocks.ts";

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
