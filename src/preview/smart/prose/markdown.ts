import { isUnderline } from "./heading.ts";

const HEADING = /^#{1,6} \S/;
const FENCE = /^\s*(`{3,}|~{3,})(.*)$/;
/** A definition of a link, which a logger's number in brackets is not. */
const LINK = /^\[[^\]]{1,80}\]:\s+(?:https?:|mailto:|[.#/<]|\w+[./])/;
/** More signs underline something. */
const LONGEST_FENCE = 5;
const LEAST_HEADINGS = 2;
/** Of the lines, those that may begin with a tag. */
const MOST_TAGGED = 0.5;

/** The lines without what a document quotes between fences, which says nothing of what it is, and without definitions of links. */
export function withoutQuotes(lines: readonly string[]): readonly string[] {
  let open = "";
  return lines.filter((line, at) => {
    const [, fence = "", rest = ""] = FENCE.exec(line) ?? [];
    if (open !== "") {
      // A longer fence may quote a shorter one.
      if (fence.startsWith(open) && rest === "") open = "";
      return false;
    }
    if (fence === "") return !LINK.test(line);
    if (fence.startsWith("`") ? rest.includes("`") : rest === "" && underlines(fence, lines[at - 1] ?? "")) return true;
    open = fence;
    return false;
  });
}

function underlines(line: string, before: string): boolean {
  return (before !== "" && line.length > LONGEST_FENCE) || isUnderline(before, line) !== undefined;
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
    if ((lines[at + 1] ?? "") === "") apart++;
  });
  return headings >= LEAST_HEADINGS && apart >= 0.75 * headings && tagged < MOST_TAGGED * filled;
}
