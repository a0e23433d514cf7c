/** Characters that would start a new line inside a word, or control a terminal. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** A word as a POSIX shell takes it, on one line and in quotes where it needs them. */
export function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  // A substitution loses newlines at the end.
  if (word.search(CONTROL) === -1 || word.endsWith("\n")) return quote(word);
  const format = word
    .replaceAll("\\", "\\\\")
    .replaceAll("%", "%%")
    .replaceAll(CONTROL, inOctal)
    .replace(/^-/, inOctal);
  return `"$(printf ${quote(format)})"`;
}

function inOctal(character: string): string {
  return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

/** A path as text; control characters are escaped so that it cannot start lines of its own. */
export function onOneLine(location: string): string {
  return location.search(CONTROL) === -1 ? location : JSON.stringify(location);
}
