import type { Relevance, Tally } from "../../../query/relevance.ts";
import { cleanText } from "../../clean.ts";
import type { Position } from "../analyzer.ts";
import { ZERO } from "../zero.ts";
import { attributeWeight, type Container, type ElementInfo, OpenElements } from "./elements.ts";
import type { HtmlSink } from "./html-scanner.ts";
import { proseWorth } from "./page-reservoir.ts";
import { LONG_CHARS, type PlacedText, splitText } from "./script-strings.ts";

/** A region of the source whose text is shown. */
export interface Run {
  readonly start: Position;
  readonly end: Position;
  /** Length of the block's text after it. */
  readonly textEnd: number;
}

const NO_RUNS: Run[] = [];

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
/** What may be white space other than single blanks. */
const UNEVEN = /[\t-\r\u0080-\uffff]| {2}/;

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

  constructor(relevance: Relevance, done: (block: PageBlock) => void) {
    this.#relevance = relevance;
    this.#done = done;
  }

  get keepsBlanks(): boolean {
    return this.#preformatted > 0;
  }

  text(raw: string, start: Position, end: Position): void {
    const whole = { raw, start, end };
    if (this.#preformatted > 0) {
      this.#addPreformatted(whole);
      return;
    }
    this.#endLong();
    splitText(whole).forEach((part, index) => {
      if (index > 0) this.flush();
      this.#addText(part);
    });
  }

  blank(): void {
    this.#endLong();
    this.#addBlank();
  }

  scriptText(text: string, start: Position, end: Position): void {
    this.flush();
    this.#block = this.#newBlock("script", this.#scripts, SCRIPT_WEIGHT);
    this.#addText({ raw: text, start, end });
    this.flush();
  }

  /** Ends the block that is being gathered. */
  flush(): void {
    const block = this.#block;
    this.#block = undefined;
    this.#cell = false;
    if (block === undefined) return;
    // What a terminal would show nothing of is no block.
    if (cleanText(block.text).trim() === "") {
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

  #addText(part: PlacedText): void {
    const { raw } = part;
    const spaced = UNEVEN.test(raw) ? raw.replace(/\s+/g, " ") : raw;
    const text = raw.includes("&") ? withoutTags(decodeEntities(spaced), raw) : spaced;
    if (text.trim() === "") {
      this.#addBlank();
      return;
    }
    const block = this.#block ?? this.#begin();
    const joined = text.charCodeAt(0) === 32 && (block.text === "" || block.text.endsWith(" ")) ? text.slice(1) : text;
    this.#append(joined, part);
  }

  #addBlank(): void {
    if (this.#block !== undefined && !this.#block.text.endsWith(" ")) this.#append(" ");
  }

  #addPreformatted(part: PlacedText): void {
    const text = decodeEntities(part.raw);
    if (this.#block !== undefined) this.#append(text, part);
    else if (text.trim() !== "") {
      this.#begin();
      this.#append(text.replace(/^(?:[ \t]*\r?\n)+/, ""), part);
    }
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
    return new PageBlock(kind, this.#count++, around, placeWeight);
  }

  /** Adds text to the block; without a part of the source it is only blank. */
  #append(text: string, part?: PlacedText): void {
    const block = this.#block;
    if (block === undefined) return;
    const joined = this.#cell && block.text !== "" ? ` | ${text}` : text;
    this.#cell = false;
    const room = Math.max(0, MAX_BLOCK_CHARS - block.text.length);
    const added = joined.length <= room ? joined : joined.slice(0, room);
    block.text += added;
    block.cut += joined.length - added.length;
    if (part === undefined) return;
    if (this.#links > 0) block.linkChars += added.length;
    if (block.runs.length >= MAX_RUNS || block.cut > 0) return;
    if (block.runs === NO_RUNS) block.runs = [];
    block.runs.push({ start: part.start, end: part.end, textEnd: block.text.length });
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

/** Each name with what it stands for. */
const NAMED = new Map(
  "amp& lt< gt> quot\" apos' mdash— ndash– hellip… lsquo‘ rsquo’ ldquo“ rdquo” sbquo‚ bdquo„ laquo« raquo» bull• middot· copy© reg® trade™ deg° times× euro€ pound£ yen¥ cent¢ sect§ para¶ larr← rarr→ agraveà aacuteá acircâ aumlä aringå aeligæ ccedilç egraveè eacuteé ecircê eumlë iacuteí ntildeñ oacuteó ocircô oumlö oslashø uacuteú uumlü szligß AumlÄ OumlÖ UumlÜ EacuteÉ"
    .split(" ")
    .map((each) => [each.replace(/[^A-Za-z]+$/, ""), each.replace(/^[A-Za-z]+/, "")] as const),
);
for (const blank of ["nbsp", "ensp", "emsp", "thinsp"]) NAMED.set(blank, " ");
for (const nothing of ["shy", "zwnj", "zwj"]) NAMED.set(nothing, "");

/** Text with the common character references replaced; unknown ones stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED.get(name as string) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    const valid = code > 31 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return valid ? String.fromCodePoint(code) : " ";
  });
}
