import { parseJson } from "../../../bytes/json/parse-json.ts";

const OPENING = /^\s*(?:\{\s*(?:"|\})|\[\s*(?:[{["\]]|(?:-?\d[\d.eE+-]*|true|false|null)\s*[,\]]))/;

/** The value of a text that is one JSON object or array; undefined otherwise. */
export function parseJsonText(text: string): unknown {
  return OPENING.test(text) ? parseJson(text) : undefined;
}

/** Whether a text that starts like this is one JSON document; a first line that is a document by itself means JSON lines. */
export function looksLikeJson(head: string): boolean {
  if (!OPENING.test(head)) return false;
  const newline = head.indexOf("\n");
  return newline < 0 || parseJson(head.slice(0, newline)) === undefined;
}

/** The indentation that a JSON text was written with. */
export function indentOf(text: string): number {
  return /^\s*[{[]\r?\n( +)/.exec(text)?.[1]?.length ?? 0;
}
