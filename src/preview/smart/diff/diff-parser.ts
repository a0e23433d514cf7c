/** What one line of a diff is. */
export type DiffLine = "message" | "commit" | "file" | "header" | "hunk" | "added" | "removed" | "context" | "note";

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)/;
const COMBINED_HUNK = /^(@@@+) -.* \+\d+(?:,\d+)? @@@+(.*)/;
const FILE = /^(?:diff (?:--git|--cc|--combined|-)|Index: )/;
const COMMIT = /^(?:commit [0-9a-f]{7,64}\b|From [0-9a-f]{40} )/;
const EXTENDED =
  /^(?:index [0-9a-f]|(?:old|new|deleted file|new file) mode |(?:rename|copy) (?:from|to) |(?:dis)?similarity index |Binary files |GIT binary patch|literal \d|delta \d|={20}|Property changes on|retrieving revision|RCS file)/;

/** Tells line by line what a unified diff holds; keeps nothing but the place it is at. */
export class DiffParser {
  /** Path of the file that the current line belongs to; empty outside of files. */
  path = "";
  /** What the hunk header says about its surroundings, such as a function's name. */
  section = "";
  /** "new", "deleted", "renamed", "binary" or nothing, as the file's header says. */
  change = "";
  #place: "outside" | "header" | "hunk" | "combined" | "after" = "outside";
  #oldLeft = 0;
  #newLeft = 0;
  #parents = 1;

  next(text: string): DiffLine {
    if (this.#place === "hunk") {
      const inside = this.#insideHunk(text);
      if (inside !== undefined) return inside;
    }
    const hunk = text.startsWith("@@") ? this.#hunk(text) : undefined;
    if (hunk !== undefined) return hunk;
    if (FILE.test(text)) return this.#file(text);
    if (this.#place === "combined") return this.#insideCombined(text);
    if (text.startsWith("--- ") || text.startsWith("+++ ")) return this.#pathLine(text);
    if (COMMIT.test(text)) {
      this.#place = "outside";
      this.path = "";
      return "commit";
    }
    if (this.#place === "header" && EXTENDED.test(text)) return this.#extended(text);
    if (this.#place === "header" && /^[A-Za-z0-9+/`{|}~!@#$%^&*()<>?=;_-]{2,66}$/.test(text)) return "header";
    return text.startsWith("\\ ") ? "note" : "message";
  }

  #insideHunk(text: string): DiffLine | undefined {
    if (this.#oldLeft <= 0 && this.#newLeft <= 0) {
      if (text.startsWith("\\ ")) return "note";
      this.#place = "after";
      return undefined;
    }
    switch (text.charCodeAt(0)) {
      case 43:
        this.#newLeft--;
        return "added";
      case 45:
        this.#oldLeft--;
        return "removed";
      case 92:
        return "note";
      case 32:
      case 9:
      case 13:
        break;
      default:
        // Some tools strip the blank of an empty context line; anything else ends a hunk that was cut short.
        if (text !== "") {
          this.#place = "after";
          return undefined;
        }
    }
    this.#oldLeft--;
    this.#newLeft--;
    return "context";
  }

  #insideCombined(text: string): DiffLine {
    if (COMMIT.test(text)) {
      this.#place = "outside";
      this.path = "";
      return "commit";
    }
    const marks = text.slice(0, this.#parents);
    if (marks.includes("+")) return "added";
    return marks.includes("-") ? "removed" : "context";
  }

  #hunk(text: string): DiffLine | undefined {
    const match = HUNK.exec(text);
    if (match !== null) {
      this.#oldLeft = Number(match[2] ?? 1);
      this.#newLeft = Number(match[4] ?? 1);
      this.section = (match[5] ?? "").trim();
      this.#place = "hunk";
      return "hunk";
    }
    const combined = COMBINED_HUNK.exec(text);
    if (combined === null) return undefined;
    this.#parents = (combined[1] ?? "").length - 1;
    this.section = (combined[2] ?? "").trim();
    this.#place = "combined";
    return "hunk";
  }

  #file(text: string): DiffLine {
    this.#place = "header";
    this.change = "";
    this.section = "";
    this.path = pathOfFileLine(text);
    return "file";
  }

  #pathLine(text: string): DiffLine {
    const path = bareName(text.slice(4));
    if (this.#place === "header") {
      if (path !== "/dev/null") this.path = path;
      return "header";
    }
    return text.startsWith("--- ") && path !== "" ? this.#file(`Index: ${path}`) : "message";
  }

  #extended(text: string): DiffLine {
    if (text.startsWith("new file")) this.change = "new";
    else if (text.startsWith("deleted file")) this.change = "deleted";
    else if (text.startsWith("rename to ")) this.change = "renamed";
    else if (text.startsWith("Binary files ") || text.startsWith("GIT binary")) this.change = "binary";
    return "header";
  }
}

function pathOfFileLine(text: string): string {
  if (text.startsWith("Index: ")) return text.slice(7).trim();
  const git = / "?b\/(.+?)"?$/.exec(text);
  return git?.[1] ?? text.slice(text.lastIndexOf(" ") + 1);
}

function bareName(name: string): string {
  const path = name
    .replace(/\t.*$/, "")
    .replace(/^"(.*)"$/, "$1")
    .trimEnd();
  return /^[abciow12]\//.test(path) ? path.slice(2) : path;
}
