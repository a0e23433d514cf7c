/** One element of a page as browser tools for models print it. */
export interface SnapshotLine {
  readonly depth: number;
  /** `button`, `heading`, …; `text` for plain text, `property` for what belongs to the element above. */
  readonly role: string;
  readonly name: string;
  /** Something about its state that a person would see: disabled, checked, expanded, … */
  readonly state: boolean;
}

/** `- button "Send" [disabled] [ref=…]: text`, as Playwright's snapshots have it. */
const PLAYWRIGHT = /^(\s*)- (?:'|")?([a-z/][\w/-]*)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)['"]?(?::\s?(.*))?$/i;
/** `uid=1_18 button "Send" disableable disabled`, as those of Chrome DevTools have it. */
const DEVTOOLS = /^(\s*)uid=\d+_\d+(?: ([A-Za-z]\w*))?(?: "((?:[^"\\]|\\.)*)")?(.*)$/;
const STATE = /\b(?:disabled|checked|expanded|collapsed|selected|pressed|invalid|required|focused|active)\b/;

/** Reads a line of an accessibility snapshot; undefined for one of something else. */
export function readSnapshotLine(text: string): SnapshotLine | undefined {
  const devtools = DEVTOOLS.exec(text);
  if (devtools) {
    const [, indent = "", role = "text", name = "", rest = ""] = devtools;
    return { depth: indent.length >> 1, role: role === "StaticText" ? "text" : role, name, state: STATE.test(rest) };
  }
  const playwright = PLAYWRIGHT.exec(text);
  if (!playwright) return undefined;
  const [, indent = "", role = "", name, marks = "", inner = ""] = playwright;
  return {
    depth: indent.length >> 1,
    role: role.startsWith("/") ? "property" : role,
    name: name ?? inner,
    state: STATE.test(marks),
  };
}

const MARKED = /\[ref=(?:f\d+)?e\d+\]|^\s*uid=\d+_\d+ /;

/** True for a snapshot of a page: elements with the marks by which a model names them. */
export function looksLikeSnapshot(filled: readonly string[]): boolean {
  const marked = filled.filter((line) => MARKED.test(line)).length;
  if (marked < 4) return false;
  const elements = filled.filter((line) => readSnapshotLine(line) !== undefined).length;
  return marked / filled.length > 0.3 && elements / filled.length > 0.7;
}
