import type { PageBlock } from "./page-blocks.ts";

const STOPS = /[,.;:!?]\s|[.!?]["”’']?$|[。、，]/g;
/** More stops count no more. */
const MOST_STOPS = 8;

/** True for a heading of any level. */
export function isHeading(block: PageBlock): boolean {
  const { kind } = block;
  return kind.length === 2 && kind.charCodeAt(0) === 104 && kind.charCodeAt(1) >= 49 && kind.charCodeAt(1) <= 54;
}

/** The share of a block's text that is links. */
export function linkDensity(block: PageBlock): number {
  return Math.min(1, block.linkChars / Math.max(1, block.text.length));
}

/** How much a block reads like running text. */
export function proseWorth(block: PageBlock): number {
  const { text } = block;
  if (text.length < 25 || isHeading(block) || block.kind === "title") return 0;
  let stops = 0;
  STOPS.lastIndex = 0;
  while (stops < MOST_STOPS && STOPS.test(text)) stops++;
  return (Math.min(3, text.length / 150) + stops * 0.25) * (1 - linkDensity(block)) ** 2;
}
