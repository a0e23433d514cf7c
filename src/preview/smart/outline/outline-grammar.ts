import { unitAt } from "../../../bytes/unit-at.ts";
import { copyText } from "../../lines/line-drawing.ts";
import { formatPlural } from "../../omission.ts";
import { type Grammar, type Item, type LineRole, PLAIN_LINE } from "../items/item-analyzer.ts";
import { commentEnd, indentOf, kindOf, type LineKind, nameIn, openingOf } from "./outline-line.ts";
import { RareValues } from "./rare-values.ts";

/** What lines are worth by how many others they stand under: the outer ones tell most. The last is that of all deeper ones. */
const DEPTH_RANKS: readonly number[] = [0.88, 0.7, 0.5, 0.36, 0.24, 0.16, 0.1];
const MOST_DEPTH = 40;
const HEADING = 0.92;
/** What each further name in the path of a section takes. */
const POINT_LOSS = 0.06;
/** What a line loses that opens nothing. */
const LEAF_LOSS = 0.05;
/** What a line loses that only opens something, and does not say what. */
const EMPTY_LOSS = 0.25;
const EMPTY = /^<[\w:.-]+>$/;
/** What each doubling of the lines that begin alike takes from the next, and the most that it takes. */
const AGAIN_LOSS = 0.04;
const MOST_LOSS = 0.3;
const LEAST_RANK = 0.02;
const MOST_NAMES = 20_000;
/** What is longer than so many lines is taken in parts, whatever its depth. */
const PART_LINES = 40;
const MOST_PART_LINES = 120;
/** Elements of a page come within so many lines, or not at all. */
const FIRST_LINES = 100;
/** Shown last. */
const COMMENT: LineRole = { rank: -1, aside: true };
/** What XML says of itself. */
const DECLARED = /^<[?!]/;

/** What each further line of a part at the margin takes, and the most that it takes. */
const LATER_LOSS = 0.06;
const MOST_LATER_LOSS = 0.18;
/** Where so many parts behind a blank line began with the same name, nothing else begins one. */
const LEAST_STANZAS = 2;

/** A part that begins with the same line as so many others is told by names and versions in it too. */
const REPEATED = 3;
const NAMING = /^(?:- )?["<]?(?:\w*name|id|\w*[iI]d|kind|title|key|type|version)\b/;
const LABEL_LINES = 4;
const PART_CHARS = 60;

const NAME_CHARS = 60;
const COLON = 58;
const EQUALS = 61;
/** What can be done on a page, and what it wants to be noticed. */
const NOTICED =
  /^(?:- |uid=\S+ )(?:button|checkbox|combobox|link|menuitem\w*|option|radio|searchbox|slider|spinbutton|switch|tab|textbox|heading|alert\w*|dialog|status)\b/;
const NOTICED_RANK = 0.85;
const ELEMENT_RANK = 0.6;
const NAMED_ELEMENT = /"|: \S/;
const MARK = / \[ref=(?:f\d+)?e\d+\]|^uid=\d+_\d+ /;
const ATTRIBUTE = / ([\w:-]{1,40})="([^"]{0,60})"/g;
/** Elements by which reports in XML tell what went wrong. */
const REPORTED = /^<(?:[\w-]*(?:fail|error|exception|violation|problem|bug|fault)\b)/i;
/** How a line says that something is wrong; not the name of a package, a file or a key. */
const STATED =
  /(?<![\w.@/-])(?:\w*BackOff|OOM\w*|Evicted|\w*[Ff]ail(?:ed|ures?)|FAIL(?:ED|URE)?|errors?|Error|Warning|fatal|denied|refused|critical|degraded|[Uu]nhealthy|NotReady|[Uu]n(?:able|available|reachable)|expired|timed out|[Ee]xit (?:[Cc]ode|[Ss]tatus)\W{1,9}[1-9]\d*)(?![\w@/.-])/;
/** Stands in all such lines; most have nothing of it. */
const MAY_STATE =
  /[Ff]ail|FAIL|[Ee]rror|[Ww]arning|xception|\*\*\*|Traceback|panic|BackOff|OOM|Evicted|fatal|fault|bug|problem|violation|denied|refused|critical|egraded|nhealthy|NotReady|nable|navailable|nreachable|expired|timed out|xit (?:[Cc]ode|[Ss]tatus)/;
/** More lines than so many that begin alike and say so make it the form of the file. */
const MOST_STATED = 10;
const STATED_SHARE = 0.03;
const STATED_RANK = 0.5;
/** What only a program that reports something prints, whatever stands around it. */
const LOGGED =
  /^(?:make(?:\[\d+\])?: \*\*\* |Traceback \(most recent call last\):|Exception in thread "|panic: |thread '.{1,80}' panicked at |[^\s:()]{1,200}[:(]\d+(?:[:,]\d+)?\)?: (?:fatal )?error\b)/;

/** Reads files of any format by their indentation and sections: the outer lines first, comments last. */
export class OutlineGrammar implements Grammar {
  readonly noun = "part";
  /** True once a line shows that this is what a program printed. */
  wrong = false;
  #lines = 0;
  /** True once an element of a page came. */
  #elements = false;
  #parts = 0;
  #tops = 0;
  #sections = 0;
  #sinceOpened = PART_LINES;
  #afterBlank = true;
  #began = false;
  /** What ends the comment that is being read. */
  #commentEnd: string | undefined;
  /** Indentations of the lines that the current one stands under. */
  #indents: number[] = [];
  /** How often lines of one depth began with a name. */
  readonly #names: Map<string, number>[] = [];
  /** How often parts began with the same line, and lines that state something wrong with the same word. */
  readonly #openings = new Map<string, number>();
  readonly #stated = new Map<string, number>();
  /** How often a part behind a blank line began with a name, and whether that makes it the form of the file. */
  readonly #stanzas = new Map<string, number>();
  #inStanzas = false;
  /** Lines of the current part that are no comment. */
  #texts = 0;
  readonly #values = new RareValues();

  read(line: string, next: string | undefined): LineRole {
    if (line === "") {
      this.#afterBlank = true;
      return PLAIN_LINE;
    }
    const afterBlank = this.#afterBlank;
    this.#afterBlank = false;
    this.#sinceOpened++;
    this.#lines++;
    const text = line.trimStart();
    const indent = indentOf(line);
    const kind = this.#kindOf(text);
    switch (kind) {
      case "section":
        this.#sections++;
        this.#indents = [];
        return this.#open((DEPTH_RANKS[0] as number) - POINT_LOSS * Math.min(4, text.split(".").length - 1), text);
      case "heading":
        return this.#open(HEADING, text);
      case "closer":
        return text.startsWith("---") ? this.#openNext() : PLAIN_LINE;
      case "comment":
        return this.#readComment(indent === 0 && afterBlank, text);
      default:
        return this.#readText(text, indent, next, afterBlank);
    }
  }

  /** Of parts that all begin with the same line, such as `[[package]]`, also what comes next. */
  label({ lines }: Item): string | undefined {
    const [first] = lines;
    if (first === undefined || (this.#openings.get(first.text.trim()) ?? 0) < REPEATED) return undefined;
    const below = lines.slice(1).map(({ text }) => text.trim());
    const names = below.filter((text) => NAMING.test(text));
    const parts = [first.text.trim(), ...(names.length > 0 ? names : below.filter((text) => kindOf(text) === "text"))];
    if (parts.length < 2) return undefined;
    return parts
      .slice(0, LABEL_LINES)
      .map((text) => text.slice(0, PART_CHARS).replace(/[\ud800-\udbff]$/, ""))
      .join(" · ");
  }

  names(line: string): boolean {
    return NAMING.test(line.trimStart());
  }

  standsOut(line: string): boolean {
    const text = line.trim();
    if (kindOf(text) !== "text") return false;
    const pairs = pairsIn(text);
    if (pairs.some(([name, value]) => this.#values.isRare(name, value))) return true;
    return (
      states(text) && (this.#stated.get(openingOf(text)) ?? 0) <= Math.max(MOST_STATED, STATED_SHARE * this.#parts)
    );
  }

  title(lines: number): string {
    return `outline: ${formatPlural(lines, "line")}, ${formatPlural(this.#parts, "part")}`;
  }

  #readText(text: string, indent: number, next: string | undefined, afterBlank: boolean): LineRole {
    const mayState = MAY_STATE.test(text);
    if (mayState && indent === 0 && LOGGED.test(text)) this.wrong = true;
    const stated = mayState && states(text);
    if (stated) count(this.#stated, openingOf(text));
    const element = (this.#lines < FIRST_LINES || this.#elements) && isElement(text);
    if (element) this.#elements = true;
    else if (text.startsWith("<")) for (const [name, value] of pairsIn(text)) this.#values.count(name, value);
    else {
      const end = nameEnd(text);
      this.#values.count(text.slice(0, end), text.slice(valueStart(text, end)));
    }
    const begins = indent === 0 && afterBlank;
    if (begins && count(this.#stanzas, openingOf(text)) + 1 === LEAST_STANZAS) this.#inStanzas = true;
    while ((this.#indents.at(-1) ?? -1) >= indent) this.#indents.pop();
    const depth = this.#indents.length + (this.#sections > 0 || (this.#inStanzas && !begins) ? 1 : 0);
    if (this.#indents.length < MOST_DEPTH) this.#indents.push(indent);
    const deeper = next !== undefined && next !== "" && indentOf(next) > indent;
    if (depth === 0 && !DECLARED.test(text)) this.#tops++;
    const rank = element
      ? this.#rankElement(text)
      : this.#rankText(text, depth, deeper) - (indent === 0 ? Math.min(MOST_LATER_LOSS, LATER_LOSS * this.#texts) : 0);
    this.#began = true;
    const long = this.#sinceOpened > PART_LINES;
    // Below a single root stands what others have at the margin.
    const outer = this.#inStanzas ? begins : depth === 0 || (depth === 1 && this.#tops === 1);
    if (outer ? deeper || afterBlank || long : long && (deeper || this.#sinceOpened > MOST_PART_LINES))
      return this.#open(Math.max(stated ? STATED_RANK : LEAST_RANK, rank), text);
    this.#texts++;
    return { rank: Math.max(stated ? STATED_RANK : LEAST_RANK, rank) };
  }

  #kindOf(text: string): LineKind {
    if (this.#commentEnd !== undefined) {
      if (text.includes(this.#commentEnd)) this.#commentEnd = undefined;
      return "comment";
    }
    const kind = kindOf(text);
    if (kind === "comment") this.#commentEnd = commentEnd(text);
    return kind;
  }

  #open(rank: number, text: string): LineRole {
    this.#parts++;
    this.#sinceOpened = 0;
    this.#texts = kindOf(text) === "text" ? 1 : 0;
    count(this.#openings, text);
    return { opens: true, rank };
  }

  /** A document of several begins with the next line. */
  #openNext(): LineRole {
    this.#indents = [];
    this.#afterBlank = true;
    return PLAIN_LINE;
  }

  /** The first lines of a file may all be comment, and say what it is. */
  #readComment(apart: boolean, text: string): LineRole {
    const first = !this.#began;
    this.#began = true;
    if (apart) return { ...this.#open(COMMENT.rank, text), aside: !first };
    return first ? { ...COMMENT, aside: false } : COMMENT;
  }

  #rankText(text: string, depth: number, deeper: boolean): number {
    this.#names[depth] ??= new Map();
    const again = count(this.#names[depth], nameIn(text));
    const lost = depth > 1 && EMPTY.test(text) ? EMPTY_LOSS : deeper ? 0 : LEAF_LOSS;
    const depthRank = DEPTH_RANKS[Math.min(depth, DEPTH_RANKS.length - 1)] as number;
    return depthRank - lost - Math.min(MOST_LOSS, AGAIN_LOSS * Math.log2(1 + again));
  }

  /** What a page says or offers once matters, however deep it is; what it has many times only a little. */
  #rankElement(text: string): number {
    if (!NAMED_ELEMENT.test(text)) return LEAST_RANK;
    this.#names[0] ??= new Map();
    const worth = NOTICED.test(text) ? NOTICED_RANK : ELEMENT_RANK;
    return worth / (1 + Math.log2(1 + count(this.#names[0], elementOf(text))));
  }
}

/** Names and their values: `Exit Code: 1`, `state = "x"`, `mtu 1500`, `<state>x</state>`, `<case state="x" time="1"/>`. */
function pairsIn(text: string): (readonly [name: string, value: string])[] {
  if (isElement(text)) return [];
  if (!text.startsWith("<")) {
    const end = nameEnd(text);
    return [[text.slice(0, end), text.slice(valueStart(text, end))]];
  }
  const opening = openingOf(text);
  const attributes = text.includes('="') ? [...text.matchAll(ATTRIBUTE)] : [];
  if (attributes.length === 0) return [[opening, text.slice(opening.length)]];
  return attributes.map(([, name = "", value = ""]) => [`${opening} ${name}`, value]);
}

/** Where the name ends that a line gives a value to: at a colon or an equals sign, else behind its first word. */
function nameEnd(text: string): number {
  const most = Math.min(text.length, NAME_CHARS);
  for (let at = 0; at < most; at++) {
    const unit = text.charCodeAt(at);
    if (unit === COLON || unit === EQUALS) return at;
  }
  return openingOf(text).length;
}

function valueStart(text: string, end: number): number {
  let start = end;
  while (isBetween(unitAt(text, start))) start++;
  return start;
}

/** A blank, a colon or an equals sign. */
function isBetween(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === COLON || unit === EQUALS;
}

/** True where a line states that something is wrong. */
function states(text: string): boolean {
  return STATED.test(text) || REPORTED.test(text);
}

/** True for an element of a page, with the mark that tools which drive a browser give it. */
export function isElement(text: string): boolean {
  return text.startsWith("uid=") || text.includes(" [ref=");
}

/** An element without its mark and its numbers, which many are alike. */
function elementOf(text: string): string {
  return text.slice(0, 200).replace(MARK, "").replaceAll(/\d+/g, "0");
}

/** Counts a name, unless there are too many, and says how often it came before. */
function count(counts: Map<string, number>, name: string): number {
  const before = counts.get(name) ?? 0;
  if (before > 0) counts.set(name, before + 1);
  else if (counts.size < MOST_NAMES) counts.set(copyText(name), 1);
  return before;
}
