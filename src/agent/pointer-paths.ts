/** A text that may be the path of a pointer, and where it begins. */
export interface PathCandidate {
  readonly path: string;
  readonly begin: number;
}

const MAX_PATH_CHARS = 1_024;
/** Beginnings that are tried for one pointer. */
const MAX_CANDIDATES = 32;
const CLOSING: Readonly<Record<string, string>> = {
  "`": "`",
  '"': '"',
  "'": "'",
  "”": "“",
  "’": "‘",
  "」": "「",
  "』": "『",
  "》": "《",
};
const UNSPACED = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/;
const BREAK = /[\s`"'“”‘’「」『』《》()[\]{}<>|,;，。；、：*=]/;

/**
 * What may be the path that ends here, longest first. Paths hold blanks and letters of any language, and prose in some
 * languages has no blanks before them, so only a look at the files can tell which it is.
 */
export function pathCandidates(answer: string, from: number, end: number): readonly PathCandidate[] {
  const line = Math.max(from, answer.lastIndexOf("\n", end - 1) + 1, end - MAX_PATH_CHARS);
  const opening = CLOSING[answer.charAt(end - 1)];
  if (opening !== undefined) {
    const begin = answer.lastIndexOf(opening, end - 2) + 1;
    return begin > line ? candidate(answer, begin, end - 1) : [];
  }
  const found: PathCandidate[] = [];
  for (let begin = end - 1; begin >= line && found.length < MAX_CANDIDATES; begin--) {
    if (begin === line || isBoundary(answer.charAt(begin - 1), answer.charAt(begin))) {
      found.unshift(...candidate(answer, begin, end));
    }
  }
  return found;
}

/** A path has a letter and a slash or a dot, so that times, ports and URLs are not meant; an artifact's id is one too. */
function candidate(answer: string, begin: number, end: number): PathCandidate[] {
  const path = answer.slice(begin, end);
  if (path !== path.trim() || path.includes("://") || path.startsWith("//")) return [];
  const isPath = (/[/\\.]/.test(path) && /[\p{L}_]/u.test(path)) || /^0[0-9a-z]{21}$/.test(path);
  return isPath ? [{ path, begin }] : [];
}

/** True between words, where another script begins, and between any two signs of a script that has no blanks. */
function isBoundary(before: string, after: string): boolean {
  if (BREAK.test(after)) return false;
  return BREAK.test(before) || UNSPACED.test(before) || before > "\x7f" !== after > "\x7f";
}
