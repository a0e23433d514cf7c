import { isDigit } from "../../../bytes/is-digit.ts";
import { unitAt } from "../../../bytes/unit-at.ts";
import { copyText } from "../../lines/line-drawing.ts";
import { folderKind, type PathKind } from "../../lines/paths.ts";
import { depthWeight } from "./listing-ranking.ts";

/** One entry of a listing. Reused for the next: copy what you keep. */
interface Entry {
  /** The folder that it stands in, folders before it too, each with `/` behind; the same text as before in the same folder. */
  parent: string;
  /** What the path is after that, perhaps with a `/` at its end. */
  name: string;
  /** Bytes; -1 when the listing does not say. */
  size: number;
  folder: boolean;
  /** True when the folder is named by an earlier line. */
  told: boolean;
  /** True for a line that names the folder of those below it. */
  heading: boolean;
  /** True when the line says nothing but the path. */
  plain: boolean;
}

const GIT_TREE = /^\d{6} (blob|tree|commit) [0-9a-f]{40,64}\s+(\d+|-)?\t?(.*)$/;
/** A line of `ls -l` up to its size, and what stands between that and the name. */
const LONG = /[-dlbcps][rwxsStT-]{9}[.+@]?\s+\d+\s+\S+\s+\S+\s+(?=\d)/y;
const LONG_DATE = /\s+\S+\s+\d+\s+[\d:]+\s/y;
const MODE_CHARS = 10;
const SIZED = /^\s{0,12}(\d{1,15})(?:\.\d+)?([KMGT]?)B?(?:\t| +(?=\S+$))(.*)$/;
const STATUS = /^(?:[ MADRCU?!]{2}|[MADRCTU]\d{0,3}\t) ?(\S.*)$/;
const BRANCH = /^([│| \u00a0]{0,400})(?:├|└|\||`|\+)(?:─[─┬]|--|─)\s(.*)$/;
const MOST_PARENTS = 100;
const SECTION = /^(\S[^\t]{0,400}):$/;
const TOTAL = /^total \d+/;
const TAB = 9;
const BLANK = 32;
const PLUS = 43;
const POINT = 46;
const ZERO = 48;
const COLON = 58;
const AT = 64;
const SMALL_D = 100;
const SMALL_T = 116;
const UNITS: Readonly<Record<string, number>> = { K: 1024, M: 1048576, G: 1073741824, T: 1099511627776 };

/** Reads listings of find, ls, ls -R, ls -l, tree, du, git ls-files, git ls-tree, git status and plain paths. */
export class EntryParser {
  readonly #entry: Entry = {
    parent: "",
    name: "",
    size: -1,
    folder: false,
    told: false,
    heading: false,
    plain: true,
  };
  #section = "";
  /** The section as paths begin with it. */
  #inSection = "";
  readonly #tree: { readonly column: number; readonly name: string }[] = [];
  #root = "";

  /** The entry on this line; undefined for a line that holds none. */
  next(text: string): Entry | undefined {
    if (text === "") return undefined;
    const first = text.charCodeAt(0);
    if (first === SMALL_T && TOTAL.test(text)) return undefined;
    if (isBranchUnit(first) || (first === 32 && BRANCH.test(text))) return this.#branch(text);
    const section = text.charCodeAt(text.length - 1) === COLON ? SECTION.exec(text)?.[1] : undefined;
    if (section === undefined) return this.#listed(text, first);
    this.#section = `${section.replace(/\/$/, "")}/`;
    this.#inSection = copyText(normalPath(this.#section));
    const entry = this.#split(this.#inSection, -1, true);
    entry.heading = true;
    return entry;
  }

  #listed(text: string, first: number): Entry {
    const long = endsMode(unitAt(text, MODE_CHARS)) ? this.#long(text) : undefined;
    if (long !== undefined) return long;
    if (text.includes(" ") || text.includes("\t")) {
      const tree = isDigit(first) ? GIT_TREE.exec(text) : null;
      if (tree !== null) return this.#row(tree[3] ?? "", Number(tree[2] ?? -1), tree[1] === "tree");
      const sized = isDigit(first) || text.charAt(0).trim() === "" ? SIZED.exec(text) : null;
      if (sized !== null) return this.#row(sized[3] ?? "", Number(sized[1]) * (UNITS[sized[2] ?? ""] ?? 1), false);
      const status = STATUS.exec(text);
      if (status !== null) return this.#row(status[1] ?? "", -1, false);
    }
    this.#root = text;
    return this.#below(text.includes("/") ? "" : this.#section, text, -1, text.endsWith("/"));
  }

  #long(text: string): Entry | undefined {
    LONG.lastIndex = 0;
    if (!LONG.test(text)) return undefined;
    const from = LONG.lastIndex;
    let to = from;
    let size = 0;
    for (let unit = unitAt(text, to); isDigit(unit); unit = unitAt(text, ++to)) size = 10 * size + unit - ZERO;
    LONG_DATE.lastIndex = to;
    if (!LONG_DATE.test(text)) return undefined;
    const start = LONG_DATE.lastIndex;
    const arrow = text.indexOf(" -> ", start);
    const name = text.slice(start, arrow < 0 ? text.length : arrow);
    const entry = this.#below(this.#section, name, size, text.charCodeAt(0) === SMALL_D);
    entry.plain = false;
    return entry;
  }

  /** `tree`, `npm ls`: a folder is known by where its name begins. */
  #branch(text: string): Entry {
    const match = BRANCH.exec(text);
    const written = match?.[2] ?? text;
    const column = text.length - written.length;
    const name = written.replace(/^\[[^\]]*\]\s+/, "").split(" -> ")[0] ?? "";
    while ((this.#tree.at(-1)?.column ?? -1) >= column) this.#tree.pop();
    const parents = this.#tree.map((parent) => parent.name);
    if (this.#tree.length < MOST_PARENTS) this.#tree.push({ column, name: name.replace(/\/$/, "") });
    const root = this.#root === "" || this.#root === "." ? [] : [this.#root.replace(/\/$/, "")];
    const entry = this.#at([...root, ...parents, name].join("/"), -1, name.endsWith("/"));
    entry.told = true;
    entry.plain = name === written;
    return entry;
  }

  /** An entry below what an earlier line said. */
  #below(section: string, name: string, size: number, folder: boolean): Entry {
    const simple = section !== "" && name !== "" && !name.includes("/");
    const entry = simple ? this.#fill(this.#inSection, name, size, folder) : this.#at(section + name, size, folder);
    entry.told = section !== "";
    return entry;
  }

  /** An entry on a line that says more than its path. */
  #row(path: string, size: number, folder: boolean): Entry {
    const entry = this.#at(path, size, folder);
    entry.plain = false;
    return entry;
  }

  #at(path: string, size: number, folder: boolean): Entry {
    return this.#split(normalPath(path), size, folder);
  }

  #split(path: string, size: number, folder: boolean): Entry {
    const end = path.lastIndexOf("/", path.length - 2) + 1;
    const { parent: before } = this.#entry;
    const parent = path.slice(0, end);
    // Not asked by `startsWith`, which takes three times as long.
    return this.#fill(parent === before ? before : copyText(parent), path.slice(end), size, folder);
  }

  #fill(parent: string, name: string, size: number, folder: boolean): Entry {
    const entry = this.#entry;
    entry.parent = parent;
    entry.name = name;
    entry.size = Number.isNaN(size) ? -1 : size;
    entry.folder = folder;
    entry.told = false;
    entry.heading = false;
    entry.plain = true;
    return entry;
  }
}

function normalPath(path: string): string {
  const normal = path.includes("\\") && !path.includes("/") ? path.replaceAll("\\", "/") : path;
  return unitAt(normal, 0) === 46 && unitAt(normal, 1) === 47 ? normal.slice(2) : normal;
}

/** True for what may stand behind the mode in a line of `ls -l`. */
function endsMode(unit: number): boolean {
  return unit === BLANK || unit === TAB || unit === PLUS || unit === POINT || unit === AT;
}

function isBranchUnit(unit: number): boolean {
  return unit === 0x251c || unit === 0x2514 || unit === 0x2502 || unit === 124 || unit === 96 || unit === 43;
}

/** What is known of a folder by its path alone. */
interface ListedFolder {
  /** With a slash at the end. */
  readonly path: string;
  readonly kind: PathKind;
  readonly depth: number;
  /** What its entries are worth beside those at the top. */
  readonly weight: number;
  /** How many blanks its path has. */
  readonly blanks: number;
}

const MOST_FOLDERS = 64;

export const TOP: ListedFolder = { path: "", kind: "source", depth: 0, weight: depthWeight(0), blanks: 0 };

/** The folders around the one that is listed: the next folder is usually below one of them. */
export class PathStack {
  readonly #stack: ListedFolder[] = [TOP];

  to(path: string): ListedFolder {
    // A path may be written with other slashes, of which the kind makes nothing.
    if (path.includes("\\")) return this.#below(TOP, path, path.replaceAll("\\", "/"));
    let above = this.#stack.at(-1) as ListedFolder;
    while (path.slice(0, above.path.length) !== above.path) {
      this.#stack.pop();
      above = this.#stack.at(-1) as ListedFolder;
    }
    if (above.path.length === path.length) return above;
    const folder = this.#below(above, path, path);
    if (this.#stack.length < MOST_FOLDERS) this.#stack.push(folder);
    return folder;
  }

  #below(above: ListedFolder, path: string, spelled: string): ListedFolder {
    const from = above.path.length;
    const depth = above.depth + countOf("/", path, from);
    return {
      path,
      kind: folderKind(spelled, from, above.kind),
      depth,
      weight: depthWeight(depth),
      blanks: above.blanks + countOf(" ", path, from),
    };
  }
}

/** How often a character stands in a text from a place on. */
export function countOf(character: string, text: string, from = 0): number {
  let count = 0;
  for (let at = text.indexOf(character, from); at >= 0; at = text.indexOf(character, at + 1)) count++;
  return count;
}
