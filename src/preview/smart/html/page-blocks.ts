import type { Position } from "../analyzer.ts";
import { copyText } from "../lines/held-line.ts";
import type { Relevance, Tally } from "../lines/relevance.ts";
import { decodeEntities } from "./decode-entities.ts";
import { type ElementInfo, elementInfo, type OpenElement } from "./elements.ts";
import type { HtmlSink } from "./html-scanner.ts";

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
  score: number;
}

const MAX_BLOCK_CHARS = 4000;
const MAX_RUNS = 200;
const MAX_DEPTH = 300;
const ROOT: OpenElement = { name: "", id: 0, weight: 1, info: elementInfo("") };

/** Turns tags and texts into blocks, without a tree: an element is known only while it is open. */
export class PageBlocks implements HtmlSink {
  readonly #relevance: Relevance;
  readonly #done: (block: PageBlock) => void;
  readonly #open: OpenElement[] = [ROOT];
  #ids = 0;
  #count = 0;
  #deeper = 0;
  #block: PageBlock | undefined;
  #links = 0;
  /** A cell has ended within the current row. */
  #cell = false;
  /** How many texts the block held at its last line break; a second one without text between ends the block. */
  #broken = 0;

  constructor(relevance: Relevance, done: (block: PageBlock) => void) {
    this.#relevance = relevance;
    this.#done = done;
  }

  text(raw: string, start: Position, end: Position): void {
    const top = this.#open[this.#open.length - 1] ?? ROOT;
    const pre = top.info.pre || this.#block?.kind === "pre";
    const text = decodeEntities(pre ? raw : raw.replace(/\s+/g, " "));
    if (text.trim() === "") {
      if (this.#block !== undefined && !pre && !this.#block.text.endsWith(" ")) this.#append(" ");
      else if (pre && this.#block !== undefined) this.#append(text);
      return;
    }
    const block = this.#block ?? this.#begin(top);
    const before = block.text.length;
    this.#append(block.text === "" || block.text.endsWith(" ") ? text.replace(pre ? /^\n/ : /^ /, "") : text);
    if (this.#links > 0) block.linkChars += block.text.length - before;
    if (block.runs.length < MAX_RUNS && block.cut === 0) block.runs.push({ start, end, textEnd: block.text.length });
  }

  tag(source: string): void {
    const name = /^\/?([A-Za-z][\w:-]*)/.exec(source)?.[1]?.toLowerCase();
    if (name === undefined) return;
    if (source.startsWith("/")) this.#closeElement(name);
    else this.#openElement(name, source);
  }

  /** Ends the block that is being gathered. */
  flush(): void {
    const block = this.#block;
    this.#block = undefined;
    this.#cell = false;
    if (block === undefined) return;
    block.text = copyText(block.kind === "pre" ? block.text.trimEnd() : block.text.trim());
    block.tally = this.#relevance.tally(block.text);
    this.#relevance.observe(block.tally);
    if (block.text !== "") this.#done(block);
  }

  #openElement(name: string, source: string): void {
    const info = elementInfo(name);
    if (info.breaks) this.#lineBreak();
    if (info.void || source.endsWith("/")) return;
    if (info.cell) this.#cell = this.#block !== undefined;
    else if (info.block) this.flush();
    if (name === "a") this.#links++;
    const top = this.#open[this.#open.length - 1] ?? ROOT;
    if (top.name === name && info.closesItself) this.#open.pop();
    if (this.#open.length >= MAX_DEPTH) {
      this.#deeper++;
      return;
    }
    const parent = this.#open[this.#open.length - 1] ?? ROOT;
    const weight = Math.max(0, Math.min(2, parent.weight * info.weight * attributeWeight(source, info)));
    this.#open.push({ name, id: ++this.#ids, weight, info });
  }

  #closeElement(name: string): void {
    const info = elementInfo(name);
    if (name === "a" && this.#links > 0) this.#links--;
    if (info.block && !info.cell) this.flush();
    if (this.#deeper > 0) {
      this.#deeper--;
      return;
    }
    for (let depth = this.#open.length - 1; depth > 0 && depth > this.#open.length - 40; depth--) {
      if (this.#open[depth]?.name !== name) continue;
      this.#open.length = depth;
      return;
    }
  }

  #begin(top: OpenElement): PageBlock {
    const containers: number[] = [];
    let kind = "";
    for (let depth = this.#open.length - 1; depth >= 0 && containers.length < 4; depth--) {
      const element = this.#open[depth] as OpenElement;
      if (element.info.block && kind === "") kind = element.info.cell ? "tr" : element.name;
      if (element.info.container || depth === 0) containers.push(element.id);
    }
    this.#broken = 0;
    this.#block = {
      kind,
      index: this.#count++,
      text: "",
      cut: 0,
      runs: [],
      linkChars: 0,
      around: containers,
      placeWeight: top.weight,
      tally: undefined,
      score: 0,
    };
    return this.#block;
  }

  #append(text: string): void {
    const block = this.#block;
    if (block === undefined) return;
    const joined = this.#cell && block.text !== "" ? ` | ${text}` : text;
    this.#cell = false;
    const room = MAX_BLOCK_CHARS - block.text.length;
    if (joined.length <= room) block.text += joined;
    else {
      block.text += joined.slice(0, Math.max(0, room));
      block.cut += joined.length - Math.max(0, room);
    }
  }

  #lineBreak(): void {
    if (this.#block === undefined) return;
    if (this.#block.kind === "pre") this.#append("\n");
    else if (this.#broken === this.#block.runs.length) this.flush();
    else if (!this.#block.text.endsWith(" ")) this.#append(" ");
    this.#broken = this.#block?.runs.length ?? 0;
  }
}

const GOOD = /article|\bbody|content|entry|\bmain|page|post|story|text|blog|prose|paragraph|markdown/i;
const BAD =
  /\bnav|menu|foot|side-?bar|comment|promo|relat|share|social|\bads?\b|advert|sponsor|banner|cookie|consent|newsletter|subscri|breadcrumb|masthead|widget|modal|popup|outbrain|taboola|recommend|trending|popular|more-|teaser|caption|byline|tags?\b|skip|hidden|pagination|signup|sign-up|login|toolbar|disqus|rail\b/i;

/** What class, id and role say about an element. */
function attributeWeight(source: string, info: ElementInfo): number {
  if (!info.container && !info.block) return 1;
  if (/\shidden(?:[\s=>]|$)|display:\s*none|aria-hidden="true"/i.test(source)) return 0.1;
  let weight = 1;
  for (const [, attribute, value] of source.matchAll(/\s(class|id|role|itemprop)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi)) {
    const good = GOOD.test(value ?? "");
    const bad = BAD.test(value ?? "");
    if (good && !bad) weight *= attribute === "itemprop" ? 1.5 : 1.25;
    else if (bad && !good) weight *= 0.3;
    if (/^"?(?:navigation|banner|complementary|contentinfo|dialog|search|menu)"?$/.test(value ?? "")) weight *= 0.2;
  }
  return weight;
}
