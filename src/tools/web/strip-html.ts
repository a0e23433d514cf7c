const SILENT = new Set(["script", "style", "noscript", "template", "svg", "iframe", "head", "title"]);
const BREAKS = new Set(["br", "p", "div", "li", "tr", "pre", "section", "article", "blockquote", "ul", "ol", "table"]);
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** The text of a page in one pass, however it is nested: no tree, no article, only tags taken away. */
export function stripHtml(html: string): string {
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

/** The place after the next `wanted`; the end when there is none. */
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
