import { guessLanguage } from "./language.ts";
import { isHeadingAt } from "./line-forms.ts";
import { LineNumbers } from "./line-numbers.ts";
import { SourcePage } from "./source-page.ts";
import { SourceParser } from "./source-parser.ts";
import { spread } from "./spread.ts";

/** So many lines, evenly spread, tell most outputs apart from source. */
const SAMPLE_LINES = 80;
const READ_LINES = 800;
/** Of the lines, those that must fit a language, and those that must hardly fit another. */
const LEAST_SHARE = 0.15;
const LEAST_TELLING = 0.02;
/** Lines of source are short; a minified file has few and long ones. */
const LONG_LINE = 300;
const TIMED =
  /^\s*[[<(]?\d{4}[-/]\d\d[-/]\d\d|^\s*[[<(]?\d\d:\d\d:\d\d|^\[?(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|FATAL)\b[\]: ]|^[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:|^\[\s*\d+(?:\/\d+|\s*%|\.\d+)\]|^\$ /;
/** What a line of source has more often than a line of anything else, whatever the language. */
const CODE_LIKE =
  /[{};:,(\\]$|^\s*(?:[})\]]|#|\/\/|\*|\/\*|@\w|(?:end|fi|done|then|else|esac|return|import|from|use|def|class|fun|func|fn|let|const|var|if|elif|for|while|public|private|static|struct|package|module|require|local|echo|function|sub|my|our|val|case|trait|object|create|insert|select|library|endif|endfunction|defp?|defmodule)\b)|^\s+\S+ [:+-]?= |\w\(.*\)$|^\s*\w+=["'$`]|"?\$[{(]/;
const PROGRAM = /^(?:#!\s*\/\S+|<\?php)/;
const FENCE = /^ {0,3}```/;
const CHANGED = /^[+-](?![+-])|^@@ /;

/** True for the source of a program, from its first lines; numbers before the lines and headings of files may be there. */
export function looksLikeCode(lines: readonly string[]): boolean {
  const numbers = new LineNumbers();
  const bare = lines.map((line) => {
    if (isHeadingAt(line, 0, line.length)) numbers.restart();
    return line
      .slice(numbers.width(line))
      .slice(0, LONG_LINE + 1)
      .trimEnd();
  });
  const filled = bare.filter((line) => line !== "");
  if (filled.length < 4) return false;
  const sampled = spread(filled, SAMPLE_LINES);
  if (share(sampled, (line) => line.length > LONG_LINE) > 0.2) return false;
  // The smaller pattern first: of most logs the other need not be compiled.
  if (share(sampled, (line) => TIMED.test(line)) > 0.2 || share(sampled, (line) => CODE_LIKE.test(line)) < 0.3)
    return false;
  if (share(sampled, (line) => CHANGED.test(line)) > 0.3) return false;
  if (filled.filter((line) => FENCE.test(line)).length > 2) return false;
  const guess = guessLanguage(filled);
  if (PROGRAM.test(filled[0] ?? "") && guess.telling > 0) return true;
  if (guess.share >= 0.5 && guess.telling >= 0.3) return true;
  if (guess.share < LEAST_SHARE || guess.telling < LEAST_TELLING) return false;
  const parser = new SourceParser(guess.language);
  const page = new SourcePage(bare.length);
  for (const line of bare) page.add(line, 0, line.length);
  let imports = 0;
  for (let index = 0; index < Math.min(bare.length, READ_LINES); index++)
    if (parser.read(page, index, index + 1) === "import") imports++;
  const declared = parser.declared / Math.max(1, parser.coded);
  if (parser.declared > 0 && declared >= 0.008 && guess.share >= 0.2 && guess.telling >= LEAST_TELLING) return true;
  // A file may begin with long tables; what it imports or includes stands before them.
  return imports >= 3 && guess.telling >= 0.05;
}

function share(lines: readonly string[], test: (line: string) => boolean): number {
  return lines.filter(test).length / Math.max(1, lines.length);
}
