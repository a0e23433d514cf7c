import type { PageBlock } from "./page-blocks.ts";

const HEADINGS: ReadonlySet<string> = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);
const STOPS = /[,.;:!?]\s|[.!?]["”’']?$|[。、，]/g;

/** True for a heading of any level. */
export function isHeading(block: PageBlock): boolean {
  return HEADINGS.has(block.kind);
}

/** The share of a block's text that is links. */
export function linkDensity(block: PageBlock): number {
  return Math.min(1, block.linkChars / Math.max(1, block.text.length));
}

/** How much a block reads like running text. */
export function proseWorth(block: PageBlock): number {
  const { text } = block;
  if (text.length < 25 || isHeading(block) || block.kind === "title") return 0;
  const stops = (text.match(STOPS) ?? []).length;
  return (Math.min(3, text.length / 150) + Math.min(2, stops * 0.25)) * (1 - linkDensity(block)) ** 2;
}
