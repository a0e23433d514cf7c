const OPENING = /^\s*(?:\{\s*(?:"|\})|\[\s*(?:[{["\]]|(?:-?\d[\d.eE+-]*|true|false|null)\s*[,\]]))/;

/** The value of a text that is one JSON object or array; undefined otherwise. */
export function parseJsonText(text: string): { readonly value: unknown } | undefined {
  if (!OPENING.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Whether a text that starts like this is one JSON document; a first line that is a document by itself means JSON lines. */
export function looksLikeJson(head: string): boolean {
  if (!OPENING.test(head)) return false;
  const newline = head.indexOf("\n");
  if (newline < 0) return true;
  try {
    JSON.parse(head.slice(0, newline));
    return false;
  } catch {
    return true;
  }
}

/** The indentation that a JSON text was written with. */
export function indentOf(text: string): number {
  return /^\s*[{[]\r?\n( +)/.exec(text)?.[1]?.length ?? 0;
}
