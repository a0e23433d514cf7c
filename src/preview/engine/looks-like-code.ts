import { guessLanguage } from "./language.ts";
import { declarationOf, FORM_CHARS, isFileHeading, kindOf, opensBlock } from "./line-kind.ts";
import { LineNumbers } from "./line-numbers.ts";
import { spread } from "./spread.ts";

/** So many lines, evenly spread, tell most outputs apart from source. */
const SAMPLE_LINES = 80;
/** Lines of source are short; a minified file has few and long ones. */
const LONG_LINE = 300;
const TIMED =
  /^\s*[[<(]?\d{4}[-/]\d\d[-/]\d\d|^\s*[[<(]?\d\d:\d\d:\d\d|^\[?(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|FATAL)\b[\]: ]|^[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:|^\[\s*\d+(?:\/\d+|\s*%|\.\d+)\]|^\$ /;
/** What a line of source has more often than a line of anything else, whatever the language. */
const CODE_LIKE =
  /[{};:,(\\]$|^\s*(?:[})\]]|#|\/\/|\*|\/\*|@\w|(?:end|fi|done|then|else|esac|return|import|from|use|def|class|fun|func|fn|let|const|var|if|elif|for|while|public|private|static|struct|package|module|require|local|echo|function|sub|my|our|val|case|trait|object|create|insert|select|library|endif|endfunction|defp?|defmodule)\b)|^\s+\S+ [:+-]?= |\w\(.*\)$|^\s*\w+=["'$`]|"?\$[{(]/;
/** What a compiler says of the source that it quotes, and the sign below the quoted place. */
const DIAGNOSED =
  /^[^\s:(]{1,200}(?::\d+(?::\d+)?:|\(\d+(?:,\d+)?\):?)\s*(?:fatal )?(?:error|warning|note)\b|^\s*[~^]+\s*$/i;
const FENCE = /^ {0,3}```/;
const CHANGED = /^[+-](?![+-])|^@@ /;

const READ_LINES = 800;
/** Of the lines, those that must fit a language, and those that must hardly fit another. */
const LEAST_SHARE = 0.15;
const LEAST_TELLING = 0.02;
const PROGRAM = /^(?:#!\s*\/\S+|<\?php)/;

/** True for the source of a program, from its first lines; numbers before the lines and headings of files may be there. */
export function looksLikeCode(lines: readonly string[]): boolean {
  const numbers = new LineNumbers();
  const bare = lines.map((line) => {
    if (isFileHeading(line)) numbers.restart();
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
  if (share(sampled, (line) => DIAGNOSED.test(line)) > 0.2) return false;
  if (filled.filter((line) => FENCE.test(line)).length > 2) return false;
  return readsAsCode(bare, filled);
}

function share(lines: readonly string[], test: (line: string) => boolean): number {
  return lines.filter(test).length / Math.max(1, lines.length);
}

/** True when lines, and these without blank ones, declare or import something in a language that they fit. */
function readsAsCode(lines: readonly string[], filled: readonly string[]): boolean {
  const guess = guessLanguage(filled);
  if (PROGRAM.test(filled[0] ?? "") && guess.telling > 0) return true;
  if (guess.share >= 0.5 && guess.telling >= 0.3) return true;
  if (guess.share < LEAST_SHARE || guess.telling < LEAST_TELLING) return false;
  const { coded, imports, declared } = countForms(lines.slice(0, READ_LINES));
  if (declared > 0 && declared / Math.max(1, coded) >= 0.008 && guess.share >= 0.2) return true;
  // A file may begin with long tables; what it imports or includes stands before them.
  return imports >= 3 && guess.telling >= 0.05;
}

function countForms(lines: readonly string[]): Readonly<Record<"coded" | "imports" | "declared", number>> {
  const counts = { coded: 0, imports: 0, declared: 0 };
  const formed = lines.map((line) => line.slice(0, FORM_CHARS).trim());
  formed.forEach((line, index) => {
    const kind = kindOf(line);
    if (kind === "blank" || kind === "comment") return;
    counts.coded++;
    if (kind === "import") counts.imports++;
    if (kind === "code" && declarationOf(line, () => opensBlock(formed, index)) !== undefined) counts.declared++;
  });
  return counts;
}
