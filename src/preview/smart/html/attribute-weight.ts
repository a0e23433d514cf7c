import { copyText } from "../../lines/held-line.ts";

const GOOD = /article|\bbody|content|entry|\bmain|page|post|story|text|blog|prose|paragraph|markdown/i;
const BAD =
  /\bnav|menu|foot|side-?bar|comment|promo|relat|share|social|\bads?\b|advert|sponsor|banner|cookie|consent|newsletter|subscri|breadcrumb|masthead|widget|modal|popup|outbrain|taboola|recommend|trending|popular|more-|teaser|caption|byline|tags?\b|skip|hidden|pagination|signup|sign-up|login|toolbar|disqus|rail\b/i;
const APART = /^(?:navigation|banner|complementary|contentinfo|dialog|search|menu)$/;
const HIDDEN = /\shidden(?:[\s=>]|$)|display:\s*none|aria-hidden="true"/i;
const TELLING = /\s(class|id|role|itemprop)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;
const MAX_KNOWN = 1000;

const knownTags = new Map<string, number>();
const knownValues = new Map<string, number>();

/** What the class, id and role in a start tag say: above 1 for an article, well below for menus and comments. */
export function attributeWeight(source: string): number {
  return remembered(knownTags, source, weighTag);
}

function weighTag(source: string): number {
  if (!source.includes("=") && !source.includes("hidden")) return 1;
  if (HIDDEN.test(source)) return 0.1;
  let weight = 1;
  for (const [, attribute, double, single, bare] of source.matchAll(TELLING)) {
    const value = double ?? single ?? bare ?? "";
    const property = attribute?.toLowerCase() === "itemprop";
    weight *= remembered(knownValues, property ? `=${value}` : value, () => weigh(value, property));
  }
  return weight;
}

/** Tags and their classes come again and again. */
function remembered(known: Map<string, number>, text: string, weigh: (text: string) => number): number {
  const found = known.get(text);
  if (found !== undefined) return found;
  const weight = weigh(text);
  if (known.size >= MAX_KNOWN) known.clear();
  if (text.length <= 200) known.set(copyText(text), weight);
  return weight;
}

function weigh(value: string, property: boolean): number {
  if (APART.test(value)) return 0.06;
  const names = value.split(/\s+/, 40);
  const bad = names.filter((name) => BAD.test(name));
  const good = names.some((name) => GOOD.test(name) && !BAD.test(name));
  if (good) return bad.length > 0 ? 1 : property ? 1.5 : 1.25;
  if (bad.length === 0) return 1;
  // "comment-content" is about comments, "post-body-tagged" may be anything.
  return bad.every((name) => GOOD.test(name)) ? 0.5 : 0.3;
}
