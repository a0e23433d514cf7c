const HEADING = /^#{1,6} \S/;
const FENCE = /^\s*(`{3,}|~{3,})(.*)$/;
/** A definition of a link, which a logger's number in brackets is not. */
const LINK = /^\[[^\]]{1,80}\]:\s+(?:https?:|mailto:|[.#/<]|\w+[./])/;
const LEAST_HEADINGS = 2;
/** Of the lines, those that may begin with a tag. */
const MOST_TAGGED = 0.5;

/** The lines without what a document quotes between fences, which says nothing of what it is, and without definitions of links. */
export function withoutQuotes(lines: readonly string[]): readonly string[] {
  let open = "";
  return lines.filter((line) => {
    const [, fence = "", rest = ""] = FENCE.exec(line) ?? [];
    if (open !== "") {
      // A longer fence may quote a shorter one.
      if (fence.startsWith(open) && rest === "") open = "";
      return false;
    }
    if (fence === "" || (fence.startsWith("`") && rest.includes("`"))) return !LINK.test(line);
    open = fence;
    return false;
  });
}

/**
 * True for Markdown, whatever it quotes and however much of it is lists, tables and tags: unlike comments of settings and
 * scripts, most headings have a blank line, or what is quoted, behind them.
 */
export function isMarkdown(looked: readonly string[]): boolean {
  const lines = withoutQuotes(looked);
  let headings = 0;
  let apart = 0;
  let tagged = 0;
  let filled = 0;
  lines.forEach((line, at) => {
    if (line !== "") filled++;
    if (/^\s*<[!/a-z]/i.test(line)) tagged++;
    if (!HEADING.test(line)) return;
    headings++;
    const next = lines[at + 1] ?? "";
    if (next === "" || HEADING.test(next)) apart++;
  });
  return headings >= LEAST_HEADINGS && apart >= 0.75 * headings && tagged < MOST_TAGGED * filled;
}
