/**
 * Above these, finding the article could take minutes: its time grows with the cube of the depth. Real pages stay far
 * below.
 */
const MAX_DEPTH = 100;
const MAX_TAGS = 30_000;
/** Most links listed after the article. */
const MAX_LINKS = 100;
const NOISE = "script,style,noscript,template,svg,iframe";

export interface ReadablePage {
  readonly title: string;
  /** The main article, then the links outside of it. */
  readonly text: string;
  /** True when the page is too large or too deeply nested for that, and `text` is all of its text. */
  readonly stripped: boolean;
}

/** Turns a page into Markdown or plain text: the main article first, the page's other links after it. */
export async function readHtml(html: string, url: string, format: "markdown" | "text"): Promise<ReadablePage> {
  if (countTags(html) > MAX_TAGS) return stripPage(html);
  const [{ parseHTML }, { Readability }] = await Promise.all([import("linkedom"), import("@mozilla/readability")]);
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
  if (isDeeperThan(document, MAX_DEPTH)) return stripPage(html);
  for (const noise of document.querySelectorAll(NOISE)) noise.remove();
  makeAbsolute(document, "a", "href", url);
  makeAbsolute(document, "img", "src", url);
  const pageTitle = document.querySelector("title")?.textContent?.trim() ?? "";
  document.querySelector("title")?.remove();
  const links = [...document.querySelectorAll("a[href]")].map((link) => ({
    href: link.getAttribute("href") ?? "",
    label: (link.textContent ?? "").replace(/\s+/g, " ").trim(),
  }));
  const wholeBody = document.body?.innerHTML ?? html;
  const article = new Readability(document.cloneNode(true) as never).parse();
  const content = article?.content ?? wholeBody;
  const title = article?.title?.trim() || pageTitle;
  const main = format === "markdown" ? await toMarkdown(content) : toPlain(parseHTML, content);
  const heading = format === "markdown" ? `# ${title}` : title;
  const firstLine = main.split("\n", 1)[0] ?? "";
  const isTitled = title === "" || firstLine.replace(/^#+/, "").trim() === title;
  const shown = hrefsOf(content);
  const others = links.filter(({ href, label }) => /^https?:/.test(href) && label !== "" && !shown.has(href));
  const parts = [isTitled ? "" : heading, main, listLinks(others, format)];
  return { title, text: `${parts.filter((part) => part !== "").join("\n\n")}\n`, stripped: false };
}

/** All text of a page, in a time that grows only with its length. */
export function stripPage(html: string): ReadablePage {
  return { title: "", text: `${stripHtml(html)}\n`, stripped: true };
}

function countTags(html: string): number {
  let count = 0;
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at + 1)) count++;
  return count;
}

function isDeeperThan(document: PageDocument, limit: number): boolean {
  let level = [...(document.documentElement?.children ?? [])];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((element) => [...element.children]);
  }
  return false;
}

function hrefsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => (href as string).replaceAll("&amp;", "&")));
}

type PageDocument = ReturnType<typeof import("linkedom").parseHTML>["document"];

interface Link {
  readonly href: string;
  readonly label: string;
}

function listLinks(links: readonly Link[], format: "markdown" | "text"): string {
  const unique = [...new Map(links.map((link) => [link.href, link])).values()];
  if (unique.length === 0) return "";
  const lines = unique
    .slice(0, MAX_LINKS)
    .map(({ href, label }) => (format === "markdown" ? `- [${label}](${href})` : `- ${label}: ${href}`));
  const more = unique.length > MAX_LINKS ? [`- … ${unique.length - MAX_LINKS} more links`] : [];
  return [
    format === "markdown" ? "## Other links on the page" : "Other links on the page:",
    "",
    ...lines,
    ...more,
  ].join("\n");
}

async function toMarkdown(html: string): Promise<string> {
  const { default: TurndownService } = await import("turndown");
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  return service.turndown(html).trim();
}

function toPlain(parseHTML: typeof import("linkedom").parseHTML, html: string): string {
  const broken = html.replace(/<(?:br|\/p|\/div|\/li|\/h[1-6]|\/tr|\/pre|\/section|\/blockquote)\b[^>]*>/gi, "$&\n");
  const text = parseHTML(`<html><body>${broken}</body></html>`).document.body?.textContent ?? "";
  return text
    .replace(/[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function makeAbsolute(document: PageDocument, selector: string, attribute: string, base: string): void {
  for (const element of document.querySelectorAll(selector)) {
    const given = element.getAttribute(attribute);
    if (given !== null && URL.canParse(given, base)) element.setAttribute(attribute, new URL(given, base).href);
  }
}

const SILENT = new Set(["script", "style", "noscript", "template", "svg", "iframe", "head", "title"]);
const BREAKS = new Set(["br", "p", "div", "li", "tr", "pre", "section", "article", "blockquote", "ul", "ol", "table"]);
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** The text of a page in one pass, however it is nested: no tree, no article, only tags taken away. */
function stripHtml(html: string): string {
  const lower = html.toLowerCase();
  const parts: string[] = [];
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf("<", at);
    if (open === -1) {
      parts.push(html.slice(at));
      break;
    }
    parts.push(html.slice(at, open));
    if (lower.startsWith("<!--", open)) {
      at = after(lower, "-->", open);
      continue;
    }
    const name = /^<\/?([a-z][a-z0-9]*)/.exec(lower.slice(open, open + 20))?.[1];
    if (name === undefined) {
      const isMarkup = /[!?/]/.test(lower.charAt(open + 1));
      if (!isMarkup) parts.push("<");
      at = isMarkup ? after(lower, ">", open) : open + 1;
      continue;
    }
    if (BREAKS.has(name) || /^h[1-6]$/.test(name)) parts.push("\n");
    const isSilent = SILENT.has(name) && lower[open + 1] !== "/";
    at = after(lower, ">", isSilent ? after(lower, `</${name}`, open) : open);
  }
  return decodeEntities(parts.join(""))
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** The position after the next `wanted`; the end if there is none. */
function after(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found === -1 ? text.length : found + wanted.length;
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,5}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).replace(/\p{Surrogate}/gu, "\ufffd") : whole;
  });
}
