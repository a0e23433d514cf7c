import { cleanText } from "../clean.ts";
import { decode } from "../raw-lines.ts";
import { looksLikeJson } from "./looks-like-json.ts";

/** What an output looks like. */
export type Shape =
  | "log"
  | "test run"
  | "trace"
  | "diff"
  | "grep"
  | "listing"
  | "json"
  | "html"
  | "csv"
  | "code"
  | "prose";

const MAX_LINES = 400;
const LINE_CHARS = 400;

const MATCH = /^(?!\d+[-:.])(?:[a-zA-Z]:[\\/])?(?=[^\s:]*[./\\a-z])[\w.@+~()/\\-]{1,300}?[:-]\d{1,7}[:-]/;
const HEADED_MATCH = /^\d{1,7}[:-](?!\d\d[-:T ])/;
const DIAGNOSTIC = /:\d+:\d+: |\b(?:error|warning|note)\b:|^\s+(?:at |\^)/;
const PATH = /^(?:\.{0,2}\/)?[\w.@+~[\](){}$#=,&%!-]+(?:[/\\][\w.@+~[\](){}$#=,&%! -]+)*[/\\*@|]?$/;
const LONG_LISTING =
  /^(?:[bcdlps-][rwxsStT-]{9}[.+@]?\s|\d{6} (?:blob|tree|commit) [0-9a-f]{40}|total \d+$|[│├└| `]+[─-]{2} )/;
const CODE =
  /[{};]\s*$|^\s*(?:import |from \S+ import|export |const |let |var |def |class |function |fn |pub |func |package |#include|using |public |private |protected |return\b|if ?\(|for ?\(|\/\/|\/\*|\* |# |--|@\w+)/;
const LOGGED =
  /^\[?\d{4}[-/]\d\d[-/]\d\d|^\d\d[-/]\d\d[ -]|^<?\d+>?[\s:]|^\[?\d\d:\d\d:\d\d|^\[\s*\d|^(?:\[)?(?:INFO|DEBUG|WARN|ERROR|TRACE|info|error|warn)\b|^[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:|^[^\t]{1,80}\t[^\t]{1,80}\t\ufeff?\d{4}-\d\d-\d\dT|\.\.\.|^\$ |^> /;

/** Guesses the shape from the beginning of an output; what has no clear shape is a log. */
export function detectShape(beginning: Uint8Array): Shape {
  const text = cleanText(decode(beginning)).replace(/^\ufeff/, "");
  const start = text.trimStart();
  if (looksLikeJson(start)) return "json";
  if (/^<(?:!doctype|html|\?xml|!--|svg|rss|feed|[a-z][\w:-]{0,40}(?:\s[^<>]{0,400})?\/?>)/i.test(start)) {
    if ((start.slice(0, 8000).match(/<\/?[a-z!?]/gi)?.length ?? 0) >= 4) return "html";
  }
  const lines = text
    .slice(0, MAX_LINES * LINE_CHARS)
    .split("\n", MAX_LINES)
    .map((line) => line.slice(0, LINE_CHARS).trimEnd());
  if (looksLikeDiff(lines)) return "diff";
  const filled = lines.filter((line) => line !== "");
  if (filled.length < 4) return "log";
  const share = (pattern: RegExp): number => filled.filter((line) => pattern.test(line)).length / filled.length;

  const diagnostics = share(DIAGNOSTIC);
  if (share(MATCH) > 0.8 && diagnostics < 0.3) return "grep";
  const headings = filled.filter((line) => PATH.test(line) && !HEADED_MATCH.test(line)).length / filled.length;
  if (share(HEADED_MATCH) > 0.5 && headings > 0 && headings + share(HEADED_MATCH) > 0.9) return "grep";
  if (share(LONG_LISTING) > 0.7 || looksLikePaths(filled)) return "listing";
  const logged = share(LOGGED);
  const titled = !/\d{2}/.test(filled[0] ?? "");
  if (diagnostics < 0.3 && (logged < 0.5 || titled) && looksLikeTable(filled)) return "csv";
  if (logged < 0.1 && share(CODE) > 0.55) return "code";
  if (logged < 0.1 && looksLikeProse(filled)) return "prose";
  return "log";
}

function looksLikeDiff(lines: readonly string[]): boolean {
  const first = lines.findIndex((line) => /^(?:diff --git |diff -|Index: \S|--- \S|\*\*\* \S)/.test(line));
  if (
    first < 0 ||
    !lines
      .slice(first, first + 40)
      .some((line) => /^(?:@@ |\*{15}|Binary files|similarity index|new file|deleted file|rename )/.test(line))
  )
    return false;
  const before = lines.slice(0, first);
  const introduced =
    first <= 2 ||
    before.every((line, index) => (index === 0 ? /^(?:commit |From )[0-9a-f]{7}/.test(line) : !/^[$+] /.test(line)));
  const after = lines.slice(first).filter((line) => line !== "");
  const inside = after.filter((line) =>
    /^(?:[ +\-@\\!*]|diff |index |new |deleted |old |similarity |rename |copy |Index|Binary|=+$|commit |Author|Date|\d+\.\d)/.test(
      line,
    ),
  );
  return introduced && inside.length / after.length > 0.9;
}

function looksLikePaths(lines: readonly string[]): boolean {
  const paths = lines.filter((line) => PATH.test(line));
  if (paths.length / lines.length < 0.92) return false;
  return paths.filter((line) => /[/\\]|\.\w{1,5}$/.test(line)).length / lines.length > 0.6;
}

function looksLikeTable(lines: readonly string[]): boolean {
  const rows = lines.slice(0, 60);
  for (const delimiter of ["\t", ",", ";", "|"]) {
    const counts = rows.map((line) => line.replace(/"(?:[^"]|"")*"/g, "").split(delimiter).length - 1);
    const usual = counts[0] ?? 0;
    if (usual < (delimiter === "\t" ? 1 : 2)) continue;
    if (counts.filter((count) => count === usual).length / counts.length > 0.9) return true;
  }
  return false;
}

const SENTENCE = /(?:\p{L}+[,;:]? ){6,}.{0,200}[.,;:!?\p{L}]["')]?$/u;

function looksLikeProse(lines: readonly string[]): boolean {
  let sentences = lines.length;
  // Most outputs are not prose, which a few of their lines show.
  for (const line of lines) if (!SENTENCE.test(line) && --sentences / lines.length <= 0.7) return false;
  return true;
}
