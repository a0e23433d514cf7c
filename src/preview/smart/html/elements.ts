import { copyText } from "../../lines/line-drawing.ts";
import { ZERO } from "../zero.ts";

/** What is known of an element by its name alone. */
export interface ElementInfo {
  /** In lower case. */
  readonly name: string;
  /** Ends the text before it. */
  readonly block: boolean;
  /** May hold an article. */
  readonly container: boolean;
  readonly cell: boolean;
  readonly pre: boolean;
  /** Its content may be no markup. */
  readonly raw: boolean;
  readonly void: boolean;
  readonly breaks: boolean;
  /** A second one ends the first. */
  readonly closesItself: boolean;
  /** Its classes tell of the page, not of its text. */
  readonly wholePage: boolean;
  /** How likely its text is what the page is about. */
  readonly weight: number;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const INLINE = words(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr picture",
);
const VOID = words("area base br col embed hr img input link meta param source track wbr");
const CONTAINER = words("div section article main td body blockquote ul ol table tbody");
const RAW = words("script style noscript template iframe textarea svg math object");
const CLOSES_ITSELF = words("p li td th tr option dt dd");
const WEIGHT: Readonly<Record<string, number>> = {
  nav: 0.1,
  footer: 0.15,
  aside: 0.25,
  header: 0.6,
  form: 0.3,
  button: 0.1,
  select: 0.05,
  option: 0.05,
  menu: 0.1,
  dialog: 0.2,
  figure: 0.7,
  figcaption: 0.6,
  label: 0.5,
  address: 0.4,
  article: 1.4,
  main: 1.4,
};

const PAGE = words(
  "html head body title p h1 h2 h3 h4 h5 h6 dl dt dd li tr th thead pre center frameset script style noscript template svg rss feed channel rdf:rdf item entry",
);

/** True for the elements that pages and feeds are made of; others hold data that only their names explain. */
export function isPageElement(name: string): boolean {
  return PAGE.has(name) || INLINE.has(name) || VOID.has(name) || CONTAINER.has(name) || name in WEIGHT;
}

const known = new Map<string, ElementInfo>();

/** The info of an element; names it has not heard of are blocks, as in XML. */
export function elementInfo(name: string): ElementInfo {
  const found = known.get(name);
  if (found !== undefined) return found;
  const info: ElementInfo = {
    name,
    block: !INLINE.has(name) && !VOID.has(name) && name !== "",
    container: CONTAINER.has(name),
    cell: name === "td" || name === "th",
    pre: name === "pre" || name === "listing" || name === "xmp",
    raw: RAW.has(name),
    void: VOID.has(name),
    breaks: name === "br",
    closesItself: CLOSES_ITSELF.has(name),
    wholePage: name === "html" || name === "body",
    weight: WEIGHT[name] ?? 1,
  };
  if (known.size < 1000) known.set(name, info);
  return info;
}

/** The bytes that names are made of, in lower case; 0 for others. */
const NAME_BYTE = new Uint8Array(256);
for (const char of "abcdefghijklmnopqrstuvwxyz0123456789:_-") {
  NAME_BYTE[char.charCodeAt(0)] = char.charCodeAt(0);
  NAME_BYTE[char.toUpperCase().charCodeAt(0)] = char.charCodeAt(0);
}

/** What was last found for names of one hash. */
const recent: (ElementInfo | undefined)[] = new Array(512).fill(undefined);

/** The info of the element whose name stands in these bytes from `from` on; undefined when none does. */
export function elementAt(bytes: Uint8Array, from: number, to: number): ElementInfo | undefined {
  let end = from;
  let hash = 0;
  for (; end < to; end++) {
    const lower = NAME_BYTE[bytes[end] as number] as number;
    if (lower === 0 || (end === from && lower < 97)) break;
    hash = (hash * 31 + lower) | 0;
  }
  if (end === from) return undefined;
  const found = recent[hash & 511];
  if (found !== undefined && isNamed(found.name, bytes, from, end)) return found;
  let name = "";
  for (let at = from; at < end; at++) name += String.fromCharCode(NAME_BYTE[bytes[at] as number] as number);
  const info = elementInfo(name);
  recent[hash & 511] = info;
  return info;
}

function isNamed(name: string, bytes: Uint8Array, from: number, end: number): boolean {
  if (name.length !== end - from) return false;
  for (let at = 0; at < name.length; at++)
    if (name.charCodeAt(at) !== NAME_BYTE[bytes[from + at] as number]) return false;
  return true;
}

const GOOD = /article|\bbody|content|entry|\bmain|page|post|story|text|blog|prose|paragraph|markdown/i;
const BAD =
  /\bnav|menu|foot|side-?bar|comment|promo|relat|share|social|\bads?\b|advert|sponsor|banner|cookie|consent|newsletter|subscri|breadcrumb|masthead|widget|modal|popup|outbrain|taboola|recommend|trending|popular|more-|teaser|caption|byline|tags?\b|skip|hidden|pagination|signup|sign-up|login|toolbar|disqus|rail\b/i;
const APART = /^(?:navigation|banner|complementary|contentinfo|dialog|search|menu)$/;
const HIDDEN = /\shidden(?:[\s=>]|$)|display:\s*none|aria-hidden="true"/i;
const TELLING = /\s(class|id|role|itemprop)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;
const MAX_KNOWN = 1000;

const knownTags = new Map<string, number>();
const knownValues = new Map<string, number>();

/** What the class, id and role in a start tag say: above 1 for an article, well below for menus and comments. */
export function attributeWeight(source: string): number {
  return remembered(knownTags, source, weighTag);
}

function weighTag(source: string): number {
  if (!source.includes("=") && !source.includes("hidden")) return 1;
  if (HIDDEN.test(source)) return 0.1;
  let weight = 1;
  for (const [, attribute, double, single, bare] of source.matchAll(TELLING)) {
    const value = double ?? single ?? bare ?? "";
    const property = attribute?.toLowerCase() === "itemprop";
    weight *= remembered(knownValues, property ? `=${value}` : value, () => weigh(value, property));
  }
  return weight;
}

/** Tags and their classes come again and again. */
function remembered(known: Map<string, number>, text: string, weigh: (text: string) => number): number {
  const found = known.get(text);
  if (found !== undefined) return found;
  const weight = weigh(text);
  if (known.size >= MAX_KNOWN) known.clear();
  if (text.length <= 200) known.set(copyText(text), weight);
  return weight;
}

function weigh(value: string, property: boolean): number {
  if (APART.test(value)) return 0.06;
  const names = value.split(/\s+/, 40);
  const bad = names.filter((name) => BAD.test(name));
  const good = names.some((name) => GOOD.test(name) && !BAD.test(name));
  if (good) return bad.length > 0 ? 1 : property ? 1.5 : 1.25;
  if (bad.length === 0) return 1;
  // "comment-content" is about comments, "post-body-tagged" may be anything.
  return bad.every((name) => GOOD.test(name)) ? 0.5 : 0.3;
}

/** An element that may hold an article; its credit is what the texts in it are worth. */
export interface Container {
  credit: number;
}

/** An element that is open, or was: the next at its depth takes its place. */
class OpenElement {
  info = elementInfo("");
  weight = ZERO;
  /** Of what kind a block in it is. */
  kind = "";
  /** What a block in it stands in; made with the first. */
  around: readonly Container[] | undefined = undefined;
  readonly parent: OpenElement | undefined;
  #inner: OpenElement | undefined = undefined;

  constructor(parent: OpenElement | undefined) {
    this.parent = parent;
  }

  /** The one that is open within this. */
  get inner(): OpenElement {
    this.#inner ??= new OpenElement(this);
    return this.#inner;
  }
}

const MAX_DEPTH = 300;
/** An end tag closes an element no farther out than this. */
const MAX_CLOSED = 39;
const MAX_AROUND = 5;
/** Menus that are never closed hold all that follows: what they say must not be lost. */
const MIN_WEIGHT = 0.01;

/** The elements around a place of a page. */
export class OpenElements {
  /** The innermost. */
  top = outermost();
  #depth = 1;
  /** Elements that are open below the deepest that is known. */
  #deeper = 0;

  /** `told` is what the start tag says of the texts within. */
  open(info: ElementInfo, told: number): void {
    if (info.closesItself && this.top.info.name === info.name) this.#pop();
    if (this.#depth >= MAX_DEPTH) {
      this.#deeper++;
      return;
    }
    const parent = this.top;
    const element = parent.inner;
    element.info = info;
    element.weight = Math.max(MIN_WEIGHT, Math.min(2, parent.weight * info.weight * told));
    element.kind = info.cell ? "tr" : info.block ? info.name : parent.kind;
    element.around = undefined;
    this.top = element;
    this.#depth++;
  }

  close({ name }: ElementInfo): void {
    if (this.#deeper > 0) {
      this.#deeper--;
      return;
    }
    let element = this.top;
    for (let up = 0; up < MAX_CLOSED && element.parent !== undefined; up++) {
      if (element.info.name === name) {
        while (this.top !== element) this.#pop();
        this.#pop();
        return;
      }
      element = element.parent;
    }
  }

  /** What may hold an article around here, the nearest first. */
  get around(): readonly Container[] {
    return aroundOf(this.top);
  }

  #pop(): void {
    if (this.top.parent === undefined) return;
    this.top = this.top.parent;
    this.#depth--;
  }
}

function outermost(): OpenElement {
  const element = new OpenElement(undefined);
  element.weight = 1;
  element.around = [{ credit: ZERO }];
  return element;
}

function aroundOf(element: OpenElement): readonly Container[] {
  const { info, parent, around } = element;
  if (around !== undefined || parent === undefined) return around ?? [];
  const outer = aroundOf(parent);
  element.around = info.container ? [{ credit: ZERO }, ...outer.slice(0, MAX_AROUND - 1)] : outer;
  return element.around;
}
