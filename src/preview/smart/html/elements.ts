/** What is known of an element by its name alone. */
export interface ElementInfo {
  /** Ends the text before it. */
  readonly block: boolean;
  /** May hold an article. */
  readonly container: boolean;
  readonly cell: boolean;
  readonly pre: boolean;
  readonly void: boolean;
  readonly breaks: boolean;
  /** A second one ends the first. */
  readonly closesItself: boolean;
  /** Its classes tell of the page, not of its text. */
  readonly wholePage: boolean;
  /** How likely its text is what the page is about. */
  readonly weight: number;
}

/** An element that is open. */
export interface OpenElement {
  readonly name: string;
  readonly id: number;
  readonly weight: number;
  readonly info: ElementInfo;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const INLINE = words(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr picture",
);
const VOID = words("area base br col embed hr img input link meta param source track wbr");
const CONTAINER = words("div section article main td body blockquote ul ol table tbody");
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
    block: !INLINE.has(name) && !VOID.has(name) && name !== "",
    container: CONTAINER.has(name),
    cell: name === "td" || name === "th",
    pre: name === "pre" || name === "listing" || name === "xmp",
    void: VOID.has(name),
    breaks: name === "br",
    closesItself: CLOSES_ITSELF.has(name),
    wholePage: name === "html" || name === "body",
    weight: WEIGHT[name] ?? 1,
  };
  if (known.size < 1000) known.set(name, info);
  return info;
}
