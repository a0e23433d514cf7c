import { declarationOf, FORM_CHARS, isFileHeading, kindOf, LineNumbers, opensBlock } from "./line-kind.ts";

/** Its multiples fall evenly between whole numbers, in step with nothing. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** So many lines, evenly spread but not evenly spaced: of a text that repeats itself, every kind of line is among them. */
function spread(lines: readonly string[], count: number): readonly string[] {
  if (lines.length <= count) return lines;
  const step = lines.length / count;
  return Array.from(
    { length: count },
    (_, index) => lines[Math.floor((index + ((index * GOLDEN) % 1)) * step)] as string,
  );
}

/** Languages that are told apart; C stands for C++ too, JavaScript for TypeScript. */
type Language =
  | "python"
  | "ruby"
  | "go"
  | "rust"
  | "kotlin"
  | "swift"
  | "php"
  | "javascript"
  | "java"
  | "csharp"
  | "c"
  | "shell"
  | "sql"
  | "perl"
  | "lua"
  | "scala"
  | "elixir"
  | "r"
  | "make"
  | "cmake";

/** Lines that hardly stand in another language, and lines that fit this one among others. */
const SIGNS: Readonly<Record<Language, readonly [telling: RegExp, fitting: RegExp]>> = {
  python: [
    /^\s*(?:(?:async )?def \w+\(.*|class \w+(?:\([^)]*\))?:|from [\w.]+ import .+|elif .+:|except\b.*:|if __name__|self\.\w+ = .*|with .+ as \w+:)\s*$/,
    /^\s*(?:import [\w.]+(?: as \w+)?|(?:if|for|while|try|else|finally)\b.*:|return\b.*|raise \w.*|pass|@[\w.]+.*|None|"""\S?.*|[\w.[\]"']+(?:, \w+)* [-+*/|]?= .+|[\w.]+\(.*[()])\s*$/,
  ],
  ruby: [
    /^\s*(?:def (?:self\.)?\w+[?!=]?(?:\(.*\))?|end|module [A-Z]\w*|class [A-Z][\w:]*(?: < [\w:]+)?|require(?:_relative)? ["'].*|attr_\w+ :.*|elsif .*|unless .*|.*\bdo(?: \|[^|]*\|)?)\s*$/,
    /^\s*(?:[@:]\w+.*|[\w.[\]]+ (?:\|\|)?[-+]?= .+|return\b.*|raise .*|include [A-Z].*|private|.* (?:unless|if) .*)\s*$/,
  ],
  go: [
    /^\s*(?:func (?:\([^)]*\) ?)?\w+(?:\[.*\])?\(.*|package \w+|type \w+ (?:struct|interface|func)\b.*|import \(|.*\w := .*|defer .*|if .*err != nil.*\{|go func\(.*)\s*$/,
    /^\s*(?:for .*\{|switch .*\{|case .*:|return\b.*|\}|var \w+ .*|"[\w./-]+")\s*$/,
  ],
  rust: [
    /^\s*(?:(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe |extern "C" )*fn \w+.*|use (?:crate|super|self|std|\w+::).*;|impl\b.*\{|#!?\[\w+.*\]|let mut .*|(?:pub )?mod \w+;|match .*\{|\w.*\)\?;|\/\/!.*|.*(?:&mut |&self\b|\bcrate::|-> (?:Result|Option|Self|Vec|Box|String|bool|&)|\bSome\(|\bOk\(|\bErr\(|\.unwrap\(|\w!\(|'static|let Some).*)\s*$/,
    /^\s*(?:let .*|pub .*|\}|\w+!\(.*|Some\(.*|Ok\(.*|=> .*)\s*$/,
  ],
  kotlin: [
    /^\s*(?:.*\bfun (?:<[^>]*> )?[\w.<>?`]+\(.*|(?:private |internal |override |lateinit |public |protected )*va[lr] \w+(?: ?[:=].*)?[^;]|companion object.*|data class .*|when ?\(.*\{|import [\w.]+[^;])\s*$/,
    /^\s*(?:package [\w.]+|override .*|\}|return\b.*[^;]|@\w+.*)\s*$/,
  ],
  swift: [
    /^\s*(?:.*\bfunc \w+(?:<[^>]*>)?\(.*|guard .*|extension \w+.*\{|protocol \w+.*\{|import (?:Foundation|UIKit|SwiftUI|NIO\w*|XCTest|\w+)|.*\binit\??\(.*\{|(?:@\w+ )?(?:public |private |internal |fileprivate |static )*(?:let|var) \w+(?:: .*| = .*)[^;]|if let .*|\.\w+\(.*)\s*$/,
    /^\s*(?:\}|return\b.*[^;]|case \..*|switch .*\{|self\..*[^;]|#if .*)\s*$/,
  ],
  php: [
    /^\s*(?:<\?php.*|\$\w+(?:->\w+)* ?[.+-]?= .*|(?:(?:public|private|protected|static|final|abstract) )*function &?\w+\(.*|namespace [\w\\]+;|use [\w\\]+(?: as \w+)?;|.*\$this->.*)\s*$/,
    /^\s*(?:return\b.*;|\}|foreach \(.*|\? .*)\s*$/,
  ],
  javascript: [
    /^\s*(?:(?:export )?(?:const|let|var) [\w${[].*|import .* from ["'].*|.*\brequire\(["'].*|export (?:default|const|function|class|interface|type|\{|\*).*|.*=>(?: [{(])?|(?:async )?function\*? ?[\w$]*\(.*\{|module\.exports.*|.*(?:===|!==).*|["']use strict["'];?|(?:describe|it|test)\(["'`].*|(?:declare |export )?interface \w+(?:<.*>)?(?: extends .*)? \{|declare .*|.*\w\)?\??: (?:string|number|boolean|void|any|unknown|never|Promise<.*|Record<.*)(?:\[\])?(?: \| .*)?[;,{]?)\s*$/,
    /^\s*(?:\}\)?;?|return\b.*|this\.\w+.*|\} = .*|(?:async |static |get |set )*[\w$]+\(.*\) \{|(?:readonly )?[\w$]+\??: .+[;,]?)\s*$/,
  ],
  java: [
    /^\s*(?:import (?:static )?[\w.]+(?:\.\*)?;|package [\w.]+;|(?:(?:public|private|protected|static|final|abstract|synchronized) )+[\w<>[\], ?.]+ \w+ ?(?:\(.*|=.*|;)|@Override|.*\bthrows \w+.*|(?:public |abstract |final )+(?:class|interface|enum|@interface) .*)\s*$/,
    /^\s*(?:\}|return\b.*;|final .*|[\w<>]+ \w+ = .*;|\w+\..*;|@\w+.*)\s*$/,
  ],
  csharp: [
    /^\s*(?:using (?:static )?[\w.]+(?: = .*)?;|namespace [\w.]+;?|.*\{ (?:get|set|init);.*|(?:(?:public|private|protected|internal|static|override|async|virtual|readonly|sealed|partial) )+[\w<>[\],? .]+ \w+(?:\(.*|.*=>.*|.*;)?|\[\w+(?:\(.*\))?\]|foreach \(var .*|var \w+ = .*;|\/\/\/ <\w+.*)\s*$/,
    /^\s*(?:\{|\}|return\b.*;|base\..*|else|if \(.*\))\s*$/,
  ],
  c: [
    /^\s*(?:#\s*(?:include\s*[<"].*|define\s+\w+.*|ifn?def .*|if .*|endif.*|elif .*|pragma .*)|.*\w->\w+.*|(?:static |inline |extern |const )*(?:struct|enum|union) \w+(?: \*?\w+.*)?[{;]?|typedef .*|.*\bstd::.*|template ?<.*|(?:static |inline |extern |const |unsigned )*(?:void|int|char|bool|size_t|uint\d+_t|long|double|auto)\b[ *&]+\w+.*|\w+::~?\w+\(.*|namespace \w* ?\{|using namespace .*)\s*$/,
    /^\s*(?:\{|\}|return\b.*;|if \(.*|for \(.*|while \(.*|\w[\w>.[\]*& -]* = .*;|\w+\(.*\)[;,]?|\w+:)\s*$/,
  ],
  shell: [
    /^(?:#!.*\b(?:ba|z|k|da)?sh\b.*|\s*(?:fi|done|esac|then|do|;;|(?:if|elif|while) \[\[? .*|local \w+.*|(?:export |readonly )\w+=.*|(?:function )?[\w-]+ ?\(\) ?\{|for \w+ in .*|[\w*|.-]+\)(?: .*;;)?|set -[a-z]+.*|\w+=(?:["$]|`).*|case .* in))\s*$/,
    /^\s*(?:echo .*|return .*|exit .*|\}|else|.*\$[{(\w].*|.* \|\|? .*)\s*$/,
  ],
  sql: [
    /^\s*(?:create (?:or replace )?(?:\w+ ){0,2}(?:table|view|index|function|procedure|trigger|type|domain|schema|sequence|extension|operator|cast|aggregate|policy|rule|role|user)\b.*|insert into .*|alter (?:table|sequence|type|index|function|operator|extension|view|role|database) .*|drop (?:table|view|index|function) .*|select(?: .*)?|(?:left |inner |right |full |cross )(?:outer )?join .*|grant \w+.* on .*|revoke .* from .*|copy \S+ .*from stdin;|(?:primary|foreign) key.*|(?:begin|start|commit)(?: transaction)?;|delete from .*|comment on .*|language \w+.*)\s*$/i,
    /^\s*(?:from .*|where .*|and .*|or .*|order by.*|group by.*|as\b.*|[\w".]+ (?:int|integer|bigint|smallint|text|varchar|character|numeric|boolean|timestamp|date|serial|uuid|jsonb?|real|double)\b.*|\);|\(.*\)[,;])\s*$/i,
  ],
  perl: [
    /^\s*(?:sub \w+\b.*|use (?:strict|warnings|vars|constant|parent|base|lib|utf8|v?5[\d.]*|[A-Z]\w*(?:::\w+)*)\b.*;|(?:my|our|local) [$@%(].*|package [\w:]+(?:;| \{)|.*[$@%)}] ?[=!]~ .*|=(?:head\d|cut|pod|item|over|back)\b.*|(?:(?:els)?if|unless|while) \(.*[$@%]\w.*\) ?\{|foreach? (?:my )?\$\w+.*|return(?: wantarray.*|;| [$@%\\].*)|.*[$}\]]\w*->[{[].*|1;|__(?:END|DATA)__)\s*$/,
    /^\s*(?:[{}]|\} ?else ?\{|[$@%]\w.*;|print\b.*;|die\b.*|push .*;|.* (?:if|unless) .*;|\w+\(.*\);|["'\w-]+ +=> .*,)\s*$/,
  ],
  lua: [
    /^\s*(?:local function \w+.*|local [\w, ]+ = .*|(?:local )?function [\w.:]+\(.*\)|.* = function ?\(.*\)|if .* then|elseif .* then|for [\w, ]+ (?:=|in) .* do|while .* do|repeat|until .*|end[,)]+|.* ~= .*|.* \.\. .*|[\w.]+:\w+\(.*\))\s*$/,
    /^\s*(?:end|else|.*\bnil(?: then)?|[\w.[\]"']+ = .+[^{;]|\}[,)]*)\s*$/,
  ],
  scala: [
    /^\s*(?:(?:(?:override|private|protected|implicit|final|lazy)(?:\[\w+\])? )*(?:def [\w$]+.*(?:=|\{|\)|[\w\]])|val [\w$(][^;]*|var \w+[^;]*)|(?:(?:sealed|abstract|final|case) )+(?:class|trait|object) \w+.*|object \w+.*|trait \w+.*|import [\w.]+\.(?:\{.*\}|_|\*|[A-Z]\w*)|case .* =>.*|.*\bextends [A-Z]\w+(?:\[.*\])?(?:\(.*\))? with .*)\s*$/,
    /^\s*(?:package [\w.]+|\}|\.\w+[({].*|@\w+.*|\* .*)\s*$/,
  ],
  elixir: [
    /^\s*(?:def(?:module|protocol|impl) [\w.]+.*\bdo|def(?:p|macrop?|guardp?)? [\w?!]+.*(?: do|, do: .*|,)|@(?:doc|spec|moduledoc|impl|type|typep|behaviour|callback)\b.*|(?:alias|import|require|use) [A-Z][\w.{}, ]*(?:, \w+: .*)?|\|> .*|\{:\w+, .*|with .* <- .*|cond do|case .* do|assert .* == .*|.*%\{.*|.*&\d.*)\s*$/,
    /^\s*(?:end|else|.* ->|\w+ = .+|:\w+.*|[A-Z][\w.]*\.\w+[?!]?\(.*)\s*$/,
  ],
  r: [
    /^\s*(?:[\w.]+ <- function ?\(.*|[\w.$[\]"@,() ]+ <- .*|(?:library|require)\([\w.]+\)|.*%[>%in]+%.*|.*\|>|#' .*|.*\b(?:TRUE|FALSE|NULL|NA_\w+)\b[,)].*)\s*$/,
    /^\s*(?:\}|\} else \{|[\w.]+\(.*[(),]|[\w.]+ = .*,|if \(.*\{|for \(\w+ in .*)\s*$/,
  ],
  make: [
    /^(?:\.(?:PHONY|SUFFIXES|DEFAULT|SECONDARY|DELETE_ON_ERROR)\w*:.*|\t[@-]?.*\$[({@<^*].*|ifn?(?:eq|def)\b.*|endif|endef|define \w+|(?:export |override )?[\w.-]+ ?[:?+]= ?.*|[\w.-]+\s*=.*\$[({]\w.*|[\w./%$(){} -]+:(?: .*)?\$[({].*)\s*$/,
    /^(?:[\w.-]+\s*=.*|[\w./%-]+:(?: [\w./%-]+)*|-?include .*)\s*$/,
  ],
  cmake: [
    /^\s*(?:cmake_\w+|project|add_\w+|target_\w+|find_\w+|set_(?:property|\w+_properties)|end(?:if|foreach|function|macro|while)|foreach|include_directories|get_\w+|mark_as_advanced|configure_file|string|list|file|install|message|option|unset)\s*\(.*$|^\s*set\s*\([A-Za-z_]\w*(?: .*)?$|^\s*(?:else)?if\s*\((?:NOT |DEFINED |TARGET |EXISTS |\w+ (?:STREQUAL|MATCHES|VERSION_\w+|AND|OR|IN_LIST)\b).*$/i,
    /^\s*(?:(?:NAMES|PATHS|HINTS|PRIVATE|PUBLIC|INTERFACE|VERSION|REQUIRED|COMMAND|OUTPUT|DEPENDS|DESTINATION|PROPERTIES|FILES)\b.*|"?\$\{\w+\}.*|\)|else\s*\(\)|include\s*\(.*|[\w.]+\(.*\))\s*$/,
  ],
};

/** Comments speak for other languages as often as for their own. */
const COMMENT = /^\s*(?:\/\/(?!!)|\*|\/\*|#(?!!|\[|\s*(?:include|define|if|ifn?def|endif|elif|pragma)\b)|--)/;
const LANGUAGES = Object.keys(SIGNS) as Language[];
const FITTING_WEIGHT = 0.3;
/** More than what sums of votes are off. */
const ROUNDING = 0.01;
/** So many lines, evenly spread, tell that something is source. */
const MAX_LINES = 120;

/** What the lines say of their language. */
interface LanguageGuess {
  /** The one that most lines speak for. */
  readonly language: Language;
  /** The share of lines that fit it, and of those that hardly fit another. */
  readonly share: number;
  readonly telling: number;
}

/** The language of the lines, of which about `most` are asked; comments and blank lines are not. */
export function guessLanguage(lines: readonly string[], most = MAX_LINES): LanguageGuess {
  const votes = new Map<Language, number>();
  const spoke = new Map<Language, number>();
  const told = new Map<Language, number>();
  let counted = 0;
  const step = Math.max(1, Math.floor(lines.length / most));
  const asked = spread(lines, Math.ceil(lines.length / step));
  let left = asked.length;
  /** The most votes of a language that is known by a line which hardly stands in another. */
  let lead = 0;
  for (const raw of asked) {
    left--;
    const line = raw.slice(0, 300);
    if (line.trim() === "" || COMMENT.test(line)) continue;
    counted++;
    for (const language of LANGUAGES) {
      // All lines that are left could not make it the best.
      if ((votes.get(language) ?? 0) + left + 1 < lead) continue;
      const [telling, fitting] = SIGNS[language];
      const vote = telling.test(line) ? 1 : fitting.test(line) ? FITTING_WEIGHT : 0;
      if (vote === 0) continue;
      votes.set(language, (votes.get(language) ?? 0) + vote);
      if (vote === 1) told.set(language, (told.get(language) ?? 0) + 1);
      if (told.has(language)) lead = Math.max(lead, (votes.get(language) ?? 0) - ROUNDING);
      spoke.set(language, (spoke.get(language) ?? 0) + 1);
    }
  }
  // What only fits fits many; a language needs lines that hardly stand in another, where any has such.
  const known = told.size > 0 ? LANGUAGES.filter((language) => told.has(language)) : LANGUAGES;
  let best: Language = told.size > 0 ? known[0]! : "c";
  for (const language of known) if ((votes.get(language) ?? 0) > (votes.get(best) ?? 0)) best = language;
  const shareOf = (counts: ReadonlyMap<Language, number>): number => (counts.get(best) ?? 0) / Math.max(1, counted);
  return { language: best, share: shareOf(spoke), telling: shareOf(told) };
}

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
