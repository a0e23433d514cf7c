import { copyText } from "../../lines/line-drawing.ts";
import { formatPlural } from "../../omission.ts";
import { rankAt } from "../items/depth-rank.ts";
import { type Grammar, type LineRole, PLAIN_LINE } from "../items/item.ts";
import type { Report } from "../log/mere-words.ts";
import { OddValues } from "../records/odd-values.ts";
import { commentEnd, indentOf, nameIn, type OutlineLine, openingOf, readOutlineLine } from "./outline-line.ts";

const MOST_DEPTH = 40;
const HEADING = 0.92;
/** What a line loses that opens nothing. */
const LEAF_LOSS = 0.05;
/** What a line loses that only opens something, and does not say what. */
const EMPTY_LOSS = 0.25;
const EMPTY = /^<[\w:.-]+>$/;
/** What each doubling of the lines that begin alike takes from the next, and the most that it takes. */
const AGAIN_LOSS = 0.04;
const MOST_LOSS = 0.3;
const MOST_NAMES = 20_000;
const MOST_ODD = 200;
/** What is longer than so many lines is taken in parts, whatever its depth. */
const PART_LINES = 40;
const COMMENT: LineRole = { opens: false, rank: 0.02, aside: true };
/** What XML says of itself. */
const DECLARED = /^<[?!]/;

/** Elements by which reports in XML tell what went wrong. */
const REPORTED = /^<(?:[\w-]*(?:fail|error|exception|warning|violation|problem|bug|issue|fault)|message\b|result\b)/i;
/** How a line of a program or of settings ends, and a sentence does not. */
const WRITTEN = /[{}[\](),;"'>=\\]$/;
const LEAST_WRITTEN = 0.2;
/** How a report says that something is wrong; not the name of a package. */
const STATED =
  /(?<![\w.@/-])(?:fail(?:ed|ures?|ing|s)?|errors?|fatal|denied|refused|critical|degraded|unhealthy|unable|cannot|could not|timed out)(?![\w@/.-])/i;
/** More lines than so many, and a share of all, that begin alike make it the form of the file. */
const LEAST_ALIKE = 3;
const ALIKE = 0.005;
/** Of the lines of a manual's source, those that are macros. */
const MACROS = 0.15;

/** Reads files of any format by their indentation: the outer lines first, comments last. */
export class OutlineGrammar implements Grammar {
  readonly noun = "part";
  readonly firstCounts = false;
  readonly looksAhead = true;
  readonly wrong = false;
  #parts = 0;
  #tops = 0;
  #sinceOpened = PART_LINES;
  #afterBlank = true;
  #began = false;
  /** What ends the comment that is being read. */
  #commentEnd: string | undefined;
  /** Indentations of the lines that the current one stands under. */
  #indents: number[] = [];
  /** How often lines of one depth began with a name. */
  readonly #names: Map<string, number>[] = [];
  /** How often lines began as they do, at any depth. */
  readonly #openings = new Map<string, number>();
  readonly #values = new OddValues();
  /** Lines with a value that hardly any other of their name has. */
  readonly #odd = new Set<string>();
  #texts = 0;
  #lines = 0;
  /** Comments, and lines that end as those of files do. */
  #written = 0;

  read(text: string, next: string | undefined): LineRole {
    if (text === "") {
      this.#afterBlank = true;
      return PLAIN_LINE;
    }
    const afterBlank = this.#afterBlank;
    this.#afterBlank = false;
    this.#sinceOpened++;
    this.#lines++;
    const said = text.trim();
    const indent = indentOf(text);
    const kind = this.#kindOf(said);
    if (kind === "heading") return this.#open(HEADING);
    if (kind === "closer") return PLAIN_LINE;
    if (kind === "comment") return this.#readComment(indent === 0 && afterBlank);
    this.#texts++;
    if (WRITTEN.test(said)) this.#written++;
    const opening = openingOf(said);
    count(this.#openings, opening);
    if (this.#values.take(opening, said.slice(opening.length)) && this.#odd.size < MOST_ODD)
      this.#odd.add(copyText(said));
    while ((this.#indents.at(-1) ?? -1) >= indent) this.#indents.pop();
    const depth = this.#indents.length;
    if (depth < MOST_DEPTH) this.#indents.push(indent);
    const deeper = next !== undefined && next.trim() !== "" && indentOf(next) > indent;
    if (depth === 0 && !DECLARED.test(said)) this.#tops++;
    const lost = (depth > 1 && EMPTY.test(said) ? EMPTY_LOSS : deeper ? 0 : LEAF_LOSS) + this.#againLoss(depth, said);
    const rank = Math.max(0.02, rankAt(depth) - lost);
    // Below a single root stands what others have at the margin.
    const outer = depth === 0 || (depth === 1 && this.#tops === 1);
    this.#began = true;
    const long = this.#sinceOpened > PART_LINES;
    if (outer ? deeper || afterBlank || long : deeper && long) return this.#open(rank);
    return { opens: false, rank };
  }

  /** Comments, and lines that begin as many others do; where hardly a line ends as those of files do, no report at all. */
  explains({ text, formed }: Report): boolean {
    const said = text.trim();
    if (readOutlineLine(said) !== "text") return true;
    if ((this.#openings.get(".") ?? 0) > MACROS * this.#texts) return true;
    if (this.#written <= LEAST_WRITTEN * this.#lines) return !formed && !STATED.test(said);
    if (this.#odd.has(said)) return false;
    if (!formed) return true;
    if (REPORTED.test(said)) return false;
    if (indentOf(text) > 0 && WRITTEN.test(said)) return true;
    return (this.#openings.get(openingOf(said)) ?? 0) > Math.max(LEAST_ALIKE, ALIKE * this.#texts);
  }

  end(): void {}

  label(): undefined {
    return undefined;
  }

  title(lines: number): string {
    return `outline: ${formatPlural(lines, "line")}, ${formatPlural(this.#parts, "part")}`;
  }

  #kindOf(said: string): OutlineLine {
    if (this.#commentEnd !== undefined) {
      if (said.includes(this.#commentEnd)) this.#commentEnd = undefined;
      return "comment";
    }
    const kind = readOutlineLine(said);
    if (kind === "comment") this.#commentEnd = commentEnd(said);
    return kind;
  }

  #open(rank: number): LineRole {
    this.#parts++;
    this.#sinceOpened = 0;
    return { opens: true, rank };
  }

  /** The first lines of a file may all be comment, and say what it is. */
  #readComment(apart: boolean): LineRole {
    const first = !this.#began;
    this.#began = true;
    this.#written++;
    if (apart) return { ...this.#open(COMMENT.rank), aside: !first };
    return first ? { ...COMMENT, aside: false } : COMMENT;
  }

  #againLoss(depth: number, said: string): number {
    this.#names[depth] ??= new Map();
    const before = count(this.#names[depth], nameIn(said));
    return before === 0 ? 0 : Math.min(MOST_LOSS, AGAIN_LOSS * Math.log2(1 + before));
  }
}

/** Counts a name, unless there are too many, and says how often it came before. */
function count(counts: Map<string, number>, name: string): number {
  const before = counts.get(name) ?? 0;
  if (before > 0) counts.set(name, before + 1);
  else if (counts.size < MOST_NAMES) counts.set(copyText(name), 1);
  return before;
}
