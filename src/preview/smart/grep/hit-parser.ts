import { isDigit } from "../../../bytes/is-digit.ts";
/** One line of search results, taken apart. */
export interface Hit {
  readonly kind: "match" | "context" | "heading" | "separator" | "other";
  /** Path of the file it belongs to; empty when the results name none. */
  readonly path: string;
  /** Its line in the file; 0 when the results do not tell. */
  readonly number: number;
  /** Where the file's own text begins in the line. */
  readonly textAt: number;
}

const MAX_PATH = 500;
const NUMBERED_ONLY = /^\d{1,9}([:-])/;
const CONTEXT = /^((?:[A-Za-z]:)?[^\s:][^:]{0,400}?)-\d{1,9}-/;
const PATH_LIKE = /^(?:[A-Za-z]:)?[^\s:*?"<>|()=;,]{1,400}$/;
const HEADING = /^(?:[A-Za-z]:)?[^\s:*?"<>|=;,{}()]{1,400}$/;

/** Takes apart results of grep, ripgrep, git grep, ag and the like; remembers only the file it is in. */
export class HitParser {
  #path = "";
  #underHeading = false;
  #blank = true;

  next(text: string): Hit {
    const hit = this.#read(text);
    this.#blank = text === "" || hit.kind === "separator";
    if (hit.kind === "match" || hit.kind === "heading") this.#path = hit.path;
    return hit;
  }

  #read(text: string): Hit {
    if (text === "--" || text === "") return this.#other("separator");
    if (this.#underHeading || this.#path === "") {
      const numbered = NUMBERED_ONLY.exec(text);
      if (numbered !== null) {
        const kind = numbered[1] === ":" ? "match" : "context";
        return { kind, path: this.#path, number: Number.parseInt(text, 10), textAt: numbered[0].length };
      }
    }
    const colon = colonAfterPath(text);
    if (colon > 0) {
      const match = this.#afterPath(text, colon);
      if (match !== undefined) {
        this.#underHeading = false;
        return match;
      }
    }
    const context = this.#context(text);
    if (context !== undefined) return context;
    if (this.#blank && HEADING.test(text) && /[./\\]/.test(text)) {
      this.#underHeading = true;
      return { kind: "heading", path: text, number: 0, textAt: 0 };
    }
    return this.#other("other");
  }

  #afterPath(text: string, colon: number): Hit | undefined {
    let at = colon + 1;
    while (isDigit(text.charCodeAt(at)) && at - colon < 10) at++;
    if (at > colon + 1 && text.charCodeAt(at) === 58) {
      // A column may follow the line number.
      let column = at + 1;
      while (isDigit(text.charCodeAt(column)) && column - at < 7) column++;
      const textAt = column > at + 1 && text.charCodeAt(column) === 58 ? column + 1 : at + 1;
      return { kind: "match", path: text.slice(0, colon), number: Number(text.slice(colon + 1, at)), textAt };
    }
    const path = text.slice(0, colon);
    const known = path === this.#path && !this.#underHeading;
    if (!known && (!PATH_LIKE.test(path) || !/[./\\]/.test(path) || /^https?$/.test(path))) return undefined;
    return { kind: "match", path, number: 0, textAt: colon + 1 };
  }

  #context(text: string): Hit | undefined {
    const path = this.#path;
    if (path !== "" && text.startsWith(path) && text.charCodeAt(path.length) === 45) {
      const numbered = NUMBERED_ONLY.exec(text.slice(path.length + 1, path.length + 12));
      const textAt = path.length + 1 + (numbered?.[0].length ?? 0);
      return { kind: "context", path, number: Number.parseInt(numbered?.[0] ?? "0", 10), textAt };
    }
    const match = CONTEXT.exec(text.slice(0, MAX_PATH));
    if (match === null || !PATH_LIKE.test(match[1] ?? "")) return undefined;
    const found = match[1] ?? "";
    return {
      kind: "context",
      path: found,
      number: Number.parseInt(match[0].slice(found.length + 1), 10),
      textAt: match[0].length,
    };
  }

  #other(kind: "separator" | "other"): Hit {
    return { kind, path: this.#path, number: 0, textAt: 0 };
  }
}

function colonAfterPath(text: string): number {
  const colon = text.indexOf(":");
  const drive = colon === 1 && (text.charCodeAt(2) === 92 || text.charCodeAt(2) === 47);
  const at = drive ? text.indexOf(":", 2) : colon;
  return at <= MAX_PATH ? at : -1;
}
