import type { Relevance, Tally } from "../../../query/relevance.ts";
import { cleanText } from "../../clean.ts";
import type { Position } from "../analyzer.ts";
import { ZERO } from "../zero.ts";
import { attributeWeight } from "./attribute-weight.ts";
import { decodeEntities } from "./decode-entities.ts";
import type { ElementInfo } from "./elements.ts";
import type { HtmlSink } from "./html-sink.ts";
import { type Container, OpenElements } from "./open-elements.ts";
import { proseWorth } from "./prose-worth.ts";
import { Run } from "./run.ts";
import { LONG_CHARS, splitText } from "./split-text.ts";
import { ODD, PLAIN, REFERENCE, SPACE, UNEVEN, WIDE } from "./text-kind.ts";

const NO_RUNS: Run[] = [];
const ONE_RUN: readonly Run[] = [new Run()];

/**
 * One paragraph, heading, list item, table row or preformatted text. A class, since an engine that sees the first objects of a
 * literal stay, as blocks do until memory runs short, makes all later ones among those that stay.
 */
export class PageBlock {
  readonly kind: string;
  readonly index: number;
  /** May share the text that it was cut from. */
  text = "";
  /** Characters beyond those that `text` holds. */
  cut = 0;
  /** The regions of the source that its text comes from. */
  runs: Run[] = NO_RUNS;
  linkChars = 0;
  /** What may hold an article around it, the nearest first. */
  readonly around: readonly Container[];
  /** What tags, classes and ids around say: about 1 for an article, 0 for a menu. */
  readonly placeWeight: number;
  tally: Tally | undefined = undefined;
  /** How much it reads like running text. */
  prose = ZERO;
  /** How surely it belongs to what the page is about, whatever its length. */
  place = ZERO;
  /** How much it answers the question. */
  asked = ZERO;
  score = ZERO;

  constructor(kind: string, index: number, around: readonly Container[], placeWeight: number) {
    this.kind = kind;
    this.index = index;
    this.around = around;
    this.placeWeight = placeWeight;
  }
}

const MAX_BLOCK_CHARS = 4000;
const MAX_RUNS = 200;
/** A row whose cells so far hold more than this is no row of a table but a layout. */
const LONG_CELL = 160;
/** Text in scripts counts only where the page itself has none. */
const SCRIPT_WEIGHT = 0.02;
/** White space that is not even, or bytes that may be such. */
const UNEVENLY = UNEVEN | SPACE | WIDE;
/** What a terminal may show nothing of. */
const UNSHOWN = ODD | REFERENCE | WIDE;

/** Turns tags and texts into blocks, without a tree: an element is known only while it is open. */
export class PageBlocks implements HtmlSink {
  readonly #relevance: Relevance;
  readonly #done: (block: PageBlock) => void;
  readonly #open = new OpenElements();
  readonly #scripts: readonly Container[] = [{ credit: ZERO }];
  /** The name of the first element. */
  root = "";
  #count = 0;
  #block: PageBlock | undefined;
  #links = 0;
  #preformatted = 0;
  #titled = false;
  /** A cell has ended within the current row. */
  #cell = false;
  /** How many texts the block held at its last line break; a second one without text between ends the block. */
  #broken = 0;
  /** True when the block holds what a terminal may show nothing of. */
  #unshown = false;

  constructor(relevance: Relevance, done: (block: PageBlock) => void) {
    this.#relevance = relevance;
    this.#done = done;
  }

  get keepsBlanks(): boolean {
    return this.#preformatted > 0;
  }

  text(raw: string, kinds: number, run: Run): void {
    if (this.#preformatted > 0) {
      this.#addPreformatted(raw, run);
      return;
    }
    this.#endLong();
    if (raw.length <= LONG_CHARS) {
      this.#addText(raw, kinds, run);
      return;
    }
    splitText({ raw, start: run.start, end: run.end }).forEach((part, index) => {
      if (index > 0) this.flush();
      this.#addText(part.raw, kinds, Run.between(part.start, part.end));
    });
  }

  blank(): void {
    this.#endLong();
    this.#addBlank();
  }

  scriptText(text: string, start: Position, end: Position): void {
    this.flush();
    this.#block = this.#newBlock("script", this.#scripts, SCRIPT_WEIGHT);
    this.#unshown = true;
    this.#addText(text, UNEVENLY | UNSHOWN, Run.between(start, end));
    this.flush();
  }

  /** Ends the block that is being gathered. */
  flush(): void {
    const block = this.#block;
    this.#block = undefined;
    this.#cell = false;
    if (block === undefined) return;
    // What a terminal would show nothing of is no block.
    if (this.#unshown && cleanText(block.text).trim() === "") {
      this.#count--;
      return;
    }
    block.text = block.kind === "pre" ? block.text.trimEnd() : block.text.trim();
    block.tally = this.#relevance.tally(block.text);
    this.#relevance.observe(block.tally);
    block.prose = proseWorth(block);
    this.#done(block);
  }

  /** A block that is long enough ends with its sentence. */
  #endLong(): void {
    const block = this.#block;
    if (block === undefined || block.text.length <= LONG_CHARS) return;
    if (/[.!?。]["'”’)]?\s*$/.test(block.text.slice(-4))) this.flush();
  }

  #addText(raw: string, kinds: number, run: Run): void {
    const spaced = (kinds & UNEVENLY) === 0 ? raw : raw.replace(/\s+/g, " ");
    const text = (kinds & REFERENCE) === 0 ? spaced : withoutTags(decodeEntities(spaced), raw);
    if ((kinds & (PLAIN | REFERENCE)) !== PLAIN && text.trim() === "") {
      this.#addBlank();
      return;
    }
    const block = this.#block ?? this.#begin();
    if ((kinds & UNSHOWN) !== 0) this.#unshown = true;
    const joined = text.charCodeAt(0) === 32 && (block.text === "" || block.text.endsWith(" ")) ? text.slice(1) : text;
    this.#append(joined, run);
  }

  #addBlank(): void {
    if (this.#block !== undefined && !this.#block.text.endsWith(" ")) this.#append(" ");
  }

  #addPreformatted(raw: string, run: Run): void {
    const text = decodeEntities(raw);
    if (this.#block === undefined && text.trim() === "") return;
    if (this.#block === undefined) {
      this.#begin();
      this.#append(text.replace(/^(?:[ \t]*\r?\n)+/, ""), run);
    } else this.#append(text, run);
    this.#unshown = true;
  }

  open(info: ElementInfo, closed: boolean, source: (() => string) | undefined): void {
    if (this.root === "") this.root = info.name;
    if (info.breaks) this.#lineBreak();
    if (info.void || closed) return;
    if (info.cell) this.#beginCell();
    else if (info.block) this.flush();
    if (info.name === "a") this.#links++;
    if (info.pre) this.#preformatted++;
    const told = info.block && !info.wholePage && source !== undefined ? attributeWeight(source()) : 1;
    this.#open.open(info, told);
  }

  close(info: ElementInfo): void {
    if (info.name === "a" && this.#links > 0) this.#links--;
    if (info.block && !info.cell) this.flush();
    if (info.pre && this.#preformatted > 0) this.#preformatted--;
    this.#open.close(info);
  }

  #beginCell(): void {
    if ((this.#block?.text.length ?? 0) > LONG_CELL) this.flush();
    this.#cell = this.#block !== undefined;
  }

  #begin(): PageBlock {
    let kind = this.#preformatted > 0 ? "pre" : this.#open.top.kind;
    // Feeds give every entry a title.
    if (kind === "title" && this.#titled) kind = "h3";
    this.#titled ||= kind === "title";
    this.#broken = 0;
    this.#block = this.#newBlock(kind, this.#open.around, this.#open.top.weight);
    return this.#block;
  }

  #newBlock(kind: string, around: readonly Container[], placeWeight: number): PageBlock {
    this.#unshown = false;
    return new PageBlock(kind, this.#count++, around, placeWeight);
  }

  /** Adds text to the block; without a place it is only blank. */
  #append(text: string, run?: Run): void {
    const block = this.#block;
    if (block === undefined) return;
    const joined = this.#cell && block.text !== "" ? ` | ${text}` : text;
    this.#cell = false;
    const room = Math.max(0, MAX_BLOCK_CHARS - block.text.length);
    const added = joined.length <= room ? joined : joined.slice(0, room);
    block.text += added;
    block.cut += joined.length - added.length;
    if (run === undefined) return;
    if (this.#links > 0) block.linkChars += added.length;
    if (block.runs.length >= MAX_RUNS || block.cut > 0) return;
    run.textEnd = block.text.length;
    // Most blocks have one, and an array that is added to makes room for many; a literal would be made where objects stay.
    if (block.runs === NO_RUNS) {
      block.runs = ONE_RUN.slice();
      block.runs[0] = run;
    } else block.runs.push(run);
  }

  #lineBreak(): void {
    if (this.#block === undefined) return;
    if (this.#block.kind === "pre") this.#append("\n");
    else if (this.#broken === this.#block.runs.length) this.flush();
    else if (!this.#block.text.endsWith(" ")) this.#append(" ");
    this.#broken = this.#block?.runs.length ?? 0;
  }
}

/** Feeds hold markup as text. */
function withoutTags(text: string, raw: string): string {
  if (!/&lt;\/?(?:p|div|br|a|img|span|b|i|em|strong|ul|li)\b/i.test(raw)) return text;
  return text.replace(/<\/?[a-z][^<>]{0,1000}>/gi, " ").replace(/ {2,}/g, " ");
}
