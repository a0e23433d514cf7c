import { guessLanguage } from "./language.ts";
import { SourcePage } from "./source-page.ts";
import { SourceParser } from "./source-parser.ts";
import { SourceText } from "./source-text.ts";

const READ_LINES = 800;
/** Of the lines, those that must fit a language, and those that must hardly fit another. */
const LEAST_SHARE = 0.15;
const LEAST_TELLING = 0.02;
const PROGRAM = /^(?:#!\s*\/\S+|<\?php)/;

/** True when lines, and these without blank ones, declare or import something in a language that they fit. */
export function readsAsCode(lines: readonly string[], filled: readonly string[]): boolean {
  const guess = guessLanguage(filled);
  if (PROGRAM.test(filled[0] ?? "") && guess.telling > 0) return true;
  if (guess.share >= 0.5 && guess.telling >= 0.3) return true;
  if (guess.share < LEAST_SHARE || guess.telling < LEAST_TELLING) return false;
  const parser = new SourceParser(guess.language);
  const page = new SourcePage(lines.length);
  const text = new SourceText(lines.join("\n"));
  let start = 0;
  for (const { length } of lines) {
    page.add(text, start, start + length);
    start += length + 1;
  }
  let imports = 0;
  for (let index = 0; index < Math.min(lines.length, READ_LINES); index++)
    if (parser.read(page, index, index + 1) === "import") imports++;
  const declared = parser.declared / Math.max(1, parser.coded);
  if (parser.declared > 0 && declared >= 0.008 && guess.share >= 0.2 && guess.telling >= LEAST_TELLING) return true;
  // A file may begin with long tables; what it imports or includes stands before them.
  return imports >= 3 && guess.telling >= 0.05;
}
