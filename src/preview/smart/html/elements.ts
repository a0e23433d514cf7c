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
