import type { Relevance, Tally } from "../../../query/relevance.ts";
import { cleanText } from "../../clean.ts";
import type { Position } from "../analyzer.ts";
import { copyText } from "../lines/held-line.ts";
import { attributeWeight } from "./attribute-weight.ts";
import { decodeEntities } from "./decode-entities.ts";
import { elementInfo, type OpenElement } from "./elements.ts";
import type { HtmlSink } from "./html-scanner.ts";
import { proseWorth } from "./prose-worth.ts";
import { LONG_CHARS, type PlacedText, splitText } from "./split-text.ts";

/** A region of the source whose text is shown, and how long the block's text is after it. */
export interface Run {
  readonly start: Position;
  readonly end: Position;
  readonly textEnd: number;
}

/** One paragraph, heading, list item, table row or preformatted text. */
export interface PageBlock {
  readonly kind: string;
  readonly index: number;
  text: string;
  /** Characters beyond those that `text` holds. */
  cut: number;
  runs: Run[];
  linkChars: number;
  /** Ids of the elements around, the nearest first. */
  readonly around: readonly number[];
  /** What tags, classes and ids around say: about 1 for an article, 0 for a menu. */
  readonly placeWeight: number;
  tally: Tally | undefined;
  /** How much it reads like running text. */
  prose: number;
  /** How surely it belongs to what the page is about, whatever its length. */
  place: number;
  /** How much it answers the question. */
  asked: number;
  score: number;
}

const MAX_BLOCK_CHARS = 4000;
const MAX_RUNS = 200;
const MAX_DEPTH = 300;
const MAX_AROUND = 5;
/** A row whose cells so far hold more than this is no row of a table but a layout. */
const LONG_CELL = 160;
/** Text in scripts counts only where the page itself has none. */
const SCRIPT_WEIGHT = 0.02;
const SCRIPT_AROUND = [-1];
/** Menus that are never closed hold all that follows: what they say must not be lost. */
const MIN_WEIGHT = 0.01;
const ROOT: OpenElement = { name: "", id: 0, weight: 1, info: elementInfo("") };

/** Turns tags and texts into blocks, without a tree: an element is known only while it is open. */
export class PageBlocks implements HtmlSink {
  readonly #relevance: Relevance;
  readonly #done: (block: PageBlock) => void;
  readonly #open: OpenElement[] = [ROOT];
  /** The name of the first element. */
  root = "";
  #ids = 0;
  #count = 0;
  #deeper = 0;
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

  text(raw: string, start: Position, end: Position): void {
    if (this.#preformatted > 0) {
      this.#addPreformatted(raw, start, end);
      return;
    }
    const long = (this.#block?.text.length ?? 0) > LONG_CHARS;
    if (long && /[.!?。]["'”’)]?\s*$/.test(this.#block?.text.slice(-4) ?? "")) this.flush();
    const [first, ...parts] = splitText({ raw, start, end });
    if (first !== undefined) this.#addText(first);
    for (const part of parts) {
      this.flush();
      this.#addText(part);
    }
  }

  scriptText(text: string, start: Position, end: Position): void {
    this.flush();
    this.#block = this.#newBlock("script", SCRIPT_AROUND, SCRIPT_WEIGHT);
    this.#addText({ raw: text, start, end });
    this.flush();
  }

  tag(source: string): void {
    const closes = source.startsWith("/");
    const name = nameOf(source, closes ? 1 : 0);
    if (name === "") return;
    if (closes) this.#closeElement(name);
    else this.#openElement(name, source);
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
    block.text = copyText(block.kind === "pre" ? block.text.trimEnd() : block.text.trim());
    block.tally = this.#relevance.tally(block.text);
    this.#relevance.observe(block.tally);
    block.prose = proseWorth(block);
    this.#done(block);
  }

  #addText({ raw, start, end }: PlacedText): void {
    const spaced = isEvenlySpaced(raw) ? raw : raw.replace(/\s+/g, " ");
    const text = raw.includes("&") ? withoutTags(decodeEntities(spaced), raw) : spaced;
    if (text.trim() === "") {
      if (this.#block !== undefined && !this.#block.text.endsWith(" ")) this.#append(" ");
      return;
    }
    const block = this.#block ?? this.#begin();
    this.#append(block.text === "" || block.text.endsWith(" ") ? text.replace(/^ /, "") : text, start, end);
  }

  #addPreformatted(raw: string, start: Position, end: Position): void {
    const text = decodeEntities(raw);
    if (this.#block !== undefined) this.#append(text, start, end);
    else if (text.trim() !== "") {
      this.#begin();
      this.#append(text.replace(/^(?:[ \t]*\r?\n)+/, ""), start, end);
    }
  }

  #openElement(name: string, source: string): void {
    if (this.root === "") this.root = name;
    const info = elementInfo(name);
    if (info.breaks) this.#lineBreak();
    if (info.void || source.endsWith("/")) return;
    if (info.cell) this.#beginCell();
    else if (info.block) this.flush();
    if (name === "a") this.#links++;
    if (info.pre) this.#preformatted++;
    const top = this.#open[this.#open.length - 1] ?? ROOT;
    if (top.name === name && info.closesItself) this.#open.pop();
    if (this.#open.length >= MAX_DEPTH) {
      this.#deeper++;
      return;
    }
    const parent = this.#open[this.#open.length - 1] ?? ROOT;
    const told = info.block && !info.wholePage ? attributeWeight(source) : 1;
    const weight = Math.max(MIN_WEIGHT, Math.min(2, parent.weight * info.weight * told));
    this.#open.push({ name, id: ++this.#ids, weight, info });
  }

  #closeElement(name: string): void {
    const info = elementInfo(name);
    if (name === "a" && this.#links > 0) this.#links--;
    if (info.block && !info.cell) this.flush();
    if (info.pre && this.#preformatted > 0) this.#preformatted--;
    if (this.#deeper > 0) {
      this.#deeper--;
      return;
    }
    for (let depth = this.#open.length - 1; depth > 0 && depth > this.#open.length - 40; depth--) {
      if (this.#open[depth]?.name !== name) continue;
      while (this.#open.length > depth) this.#open.pop();
      return;
    }
  }

  #beginCell(): void {
    if ((this.#block?.text.length ?? 0) > LONG_CELL) this.flush();
    this.#cell = this.#block !== undefined;
  }

  #begin(): PageBlock {
    const around: number[] = [];
    let kind = this.#preformatted > 0 ? "pre" : "";
    for (let depth = this.#open.length - 1; depth >= 0 && around.length < MAX_AROUND; depth--) {
      const element = this.#open[depth] as OpenElement;
      if (element.info.block && kind === "") kind = element.info.cell ? "tr" : element.name;
      if (element.info.container || depth === 0) around.push(element.id);
    }
    // Feeds give every entry a title.
    if (kind === "title" && this.#titled) kind = "h3";
    this.#titled ||= kind === "title";
    this.#broken = 0;
    this.#block = this.#newBlock(kind, around, (this.#open[this.#open.length - 1] ?? ROOT).weight);
    return this.#block;
  }

  #newBlock(kind: string, around: readonly number[], placeWeight: number): PageBlock {
    const index = this.#count++;
    return {
      kind,
      index,
      text: "",
      cut: 0,
      runs: [],
      linkChars: 0,
      around,
      placeWeight,
      tally: undefined,
      prose: 0,
      place: 0,
      asked: 0,
      score: 0,
    };
  }

  /** Adds text to the block; without a place it is only blank. */
  #append(text: string, start?: Position, end?: Position): void {
    const block = this.#block;
    if (block === undefined) return;
    const joined = this.#cell && block.text !== "" ? ` | ${text}` : text;
    this.#cell = false;
    const room = Math.max(0, MAX_BLOCK_CHARS - block.text.length);
    const added = joined.length <= room ? joined : joined.slice(0, room);
    block.text += added;
    block.cut += joined.length - added.length;
    if (start === undefined || end === undefined) return;
    if (this.#links > 0) block.linkChars += added.length;
    if (block.runs.length < MAX_RUNS && block.cut === 0) block.runs.push({ start, end, textEnd: block.text.length });
  }

  #lineBreak(): void {
    if (this.#block === undefined) return;
    if (this.#block.kind === "pre") this.#append("\n");
    else if (this.#broken === this.#block.runs.length) this.flush();
    else if (!this.#block.text.endsWith(" ")) this.#append(" ");
    this.#broken = this.#block?.runs.length ?? 0;
  }
}

/** The name of an element, in lower case; empty when there is none. */
function nameOf(source: string, from: number): string {
  let end = from;
  let capital = false;
  for (let unit = source.charCodeAt(end); isNameUnit(unit, end === from); unit = source.charCodeAt(++end)) {
    capital ||= unit >= 65 && unit <= 90;
  }
  const name = source.slice(from, end);
  return capital ? name.toLowerCase() : name;
}

function isNameUnit(unit: number, first: boolean): boolean {
  if ((unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90)) return true;
  return !first && ((unit >= 48 && unit <= 58) || unit === 95 || unit === 45);
}

/** True when no white space stands in the text but single blanks. */
function isEvenlySpaced(text: string): boolean {
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit <= 32 ? unit !== 32 || before === 32 : unit >= 128) return false;
    before = unit;
  }
  return true;
}

/** Feeds hold markup as text. */
function withoutTags(text: string, raw: string): string {
  if (!/&lt;\/?(?:p|div|br|a|img|span|b|i|em|strong|ul|li)\b/i.test(raw)) return text;
  return text.replace(/<\/?[a-z][^<>]{0,1000}>/gi, " ").replace(/ {2,}/g, " ");
}
