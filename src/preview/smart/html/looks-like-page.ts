import { isMarkdown } from "../prose/looks-like-prose.ts";
import type { Sample } from "../sample.ts";
import { isPageElement } from "./elements.ts";

/** Data that stands in lines has so many characters in one, on average, and is shown with its tags. */
const LONGEST_LINES = 300;

/** HTML, feeds and other XML in few lines. */
export function looksLikePage(sample: Sample): boolean {
  if (!sample.opening.startsWith("<") || !looksLikeMarkup(sample.text)) return false;
  return !isMarkdown(sample.looked.slice(0, sample.lines.length).map((line) => line.trimEnd()));
}

/** XML that is no page and stands in lines. */
export function looksLikeTaggedData(sample: Sample): boolean {
  const { looked, text } = sample;
  return text.length < LONGEST_LINES * looked.length && looksLikePage(sample) && isData(text);
}

function looksLikeMarkup(start: string): boolean {
  if (!/^<(?:!doctype|html|\?xml|!--|svg|rss|feed|[a-z][\w:-]{0,40}(?:\s[^<>]{0,400})?\/?>)/i.test(start)) return false;
  return (start.slice(0, 8000).match(/<\/?[a-z!?]/gi)?.length ?? 0) >= 4;
}

/** True where tags are none of a page's. */
function isData(start: string): boolean {
  return !isPageElement(/<([a-z][\w:-]*)/i.exec(start.replace(/<!--.*?-->/gs, ""))?.[1]?.toLowerCase() ?? "");
}
