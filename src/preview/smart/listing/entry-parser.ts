/** One entry of a listing. */
export interface Entry {
  /** Path as far as the listing tells it, folders first, `/` between. */
  readonly path: string;
  /** Bytes; -1 when the listing does not say. */
  readonly size: number;
  readonly folder: boolean;
}

const GIT_TREE = /^\d{6} (blob|tree|commit) [0-9a-f]{40,64}\s+(\d+|-)?\t?(.*)$/;
const LONG = /[-dlbcps][rwxsStT-]{9}[.+@]?\s+\d+\s+\S+\s+\S+\s+(\d+)\s+\S+\s+\d+\s+[\d:]+\s/y;
const LONG_BEGINS = "-dlbcps";
const SIZED = /^\s{0,12}(\d{1,15})(?:\.\d+)?([KMGT]?)B?(?:\t| +(?=\S+$))(.*)$/;
const STATUS = /^(?:[ MADRCU?!]{2}|[MADRCTU]\d{0,3}\t) ?(\S.*)$/;
const BRANCH = /^([│| \u00a0]{0,400})(?:├|└|\||`|\+)(?:──|--|─)\s(.*)$/;
const SECTION = /^(\S[^\t]{0,400}):$/;
const TOTAL = /^total \d+/;
const SMALL_T = 116;
const UNITS: Readonly<Record<string, number>> = { K: 1024, M: 1048576, G: 1073741824, T: 1099511627776 };

/** Reads listings of find, ls, ls -R, ls -l, tree, du, git ls-files, git ls-tree, git status and plain paths. */
export class EntryParser {
  #section = "";
  #tree: string[] = [];
  #root = "";

  /** The entry on this line; undefined for a line that holds none. */
  next(text: string): Entry | undefined {
    const first = text.charCodeAt(0);
    if (text === "" || (first === SMALL_T && TOTAL.test(text))) return undefined;
    if (isBranchUnit(first) || (first === 32 && BRANCH.test(text))) return this.#branch(text);
    const section = text.endsWith(":") ? SECTION.exec(text)?.[1] : undefined;
    if (section !== undefined) {
      this.#section = `${section.replace(/\/$/, "")}/`;
      return { path: this.#section, size: -1, folder: true };
    }
    return this.#listed(text);
  }

  #listed(text: string): Entry {
    if (text.includes("\t") || text.includes(" ")) {
      const first = text.charAt(0);
      const tree = isDigit(first) ? GIT_TREE.exec(text) : null;
      if (tree !== null) return entry(tree[3] ?? "", Number(tree[2] ?? -1), tree[1] === "tree");
      if (LONG_BEGINS.includes(first)) {
        LONG.lastIndex = 0;
        const long = LONG.exec(text);
        if (long !== null) {
          const arrow = text.indexOf(" -> ", LONG.lastIndex);
          const name = text.slice(LONG.lastIndex, arrow < 0 ? text.length : arrow);
          return entry(this.#section + name, Number(long[1]), first === "d");
        }
      }
      const sized = isDigit(first) || first.trim() === "" ? SIZED.exec(text) : null;
      if (sized !== null) return entry(sized[3] ?? "", Number(sized[1]) * (UNITS[sized[2] ?? ""] ?? 1), false);
      const status = STATUS.exec(text);
      if (status !== null) return entry(status[1] ?? "", -1, false);
    }
    this.#root = text;
    return entry(text.includes("/") ? text : this.#section + text, -1, text.endsWith("/"));
  }

  #branch(text: string): Entry {
    const match = BRANCH.exec(text);
    const depth = Math.min(200, Math.ceil((match?.[1]?.length ?? 0) / 4));
    const name = (match?.[2] ?? text).replace(/^\[[^\]]*\]\s+/, "").split(" -> ")[0] ?? "";
    this.#tree.length = Math.min(this.#tree.length, depth);
    while (this.#tree.length < depth) this.#tree.push("");
    const parents = this.#tree.filter((parent) => parent !== "");
    this.#tree.push(name.replace(/\/$/, ""));
    const root = this.#root === "" || this.#root === "." ? [] : [this.#root.replace(/\/$/, "")];
    return entry([...root, ...parents, name].join("/"), -1, name.endsWith("/"));
  }
}

function entry(path: string, size: number, folder: boolean): Entry {
  const normal = path.includes("\\") && !path.includes("/") ? path.replaceAll("\\", "/") : path;
  return { path: normal.startsWith("./") ? normal.slice(2) : normal, size: Number.isNaN(size) ? -1 : size, folder };
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

function isBranchUnit(unit: number): boolean {
  return unit === 0x251c || unit === 0x2514 || unit === 0x2502 || unit === 124 || unit === 96 || unit === 43;
}
