/** `… && eval 'LINE' < /dev/null && pwd -P >| FILE`, as Claude Code starts a line. */
const EVALUATED = /(?:^|[;&\s])eval (?=['"][\s\S]*pwd -P >\|)/;
/** `shopt -u …; { LINE; }; __code=$?; …`, as Gemini CLI and its kin do. */
const BRACED = /^(?:shopt -u [^;\n]*;\s*)?\{\s+([\s\S]*?)[;\s]*\}; __code=\$\?;/;
/** One word of a POSIX shell, in parts. */
const PART = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\;&|<>]+)/y;

/** The line that a host's model asked for, without what the host's shell tool puts around it. */
export function unframeLine(line: string): string {
  const evaluated = EVALUATED.exec(line);
  const word = evaluated === null ? "" : firstWord(line.slice(evaluated.index + evaluated[0].length));
  return word || BRACED.exec(line)?.[1] || line.replace(/^shopt -u [^;\n]*;\s*/, "");
}

/** The word that a shell text begins with, without its quotes. */
function firstWord(text: string): string {
  let word = "";
  PART.lastIndex = 0;
  for (let part = PART.exec(text); part !== null; part = PART.exec(text)) {
    const [, single, double, escaped, plain] = part;
    word += single ?? double?.replaceAll(/\\([$`"\\!\n])/g, "$1") ?? escaped ?? plain ?? "";
  }
  return word;
}
