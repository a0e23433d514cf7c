/** Longest line that is shown whole, in bytes; of a longer one the part around the match, or its beginning. */
export const GREP_LINE_BYTES = 1000;
/** A match over many lines is shown up to here. */
const GREP_MATCH_CHARS = 4000;

/** A line without its line ending, as it is shown. */
export function showLine(line: string): string {
  const text = line.replace(/\r$/, "");
  return text.length <= GREP_LINE_BYTES ? text : `${text.slice(0, GREP_LINE_BYTES).replace(/[\ud800-\udbff]$/, "")} …`;
}

/** The lines of a match as they are shown: none too long, and not too many of them. */
export function showLines(text: string): string {
  const shown: string[] = [];
  let room = GREP_MATCH_CHARS;
  const lines = text.split("\n");
  for (const line of lines) {
    const short = showLine(line);
    room -= short.length + 1;
    if (room < 0 && shown.length > 0) break;
    shown.push(short);
  }
  const left = lines.length - shown.length;
  return shown.join("\n") + (left === 0 ? "" : `\n… ${left} more ${left === 1 ? "line" : "lines"}`);
}

/** True when the first line of a shown text is only a part of it. */
export function beginsCut(text: string): boolean {
  return Buffer.byteLength(text.split("\n", 1)[0] as string) > GREP_LINE_BYTES;
}
