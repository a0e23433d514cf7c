import { latePattern } from "./late-pattern.ts";
import { saysNothing } from "./question-terms.ts";
import { splitIdentifier, stem } from "./words.ts";

const BETWEEN_WORDS = latePattern(String.raw`[^\p{L}\p{N}]+`, "u");
const NO_LETTER = latePattern(String.raw`[^\p{L}\p{N}]`, "gu");

/** What a question says of a path as a name, beyond the words that they share. */
export interface AskedPath {
  /** The share of the words of the file's name that the question says. */
  readonly covered: number;
  /** How rare among all paths a folder or file is that the question writes whole; 0 when it writes none, 1 at most. */
  readonly named: number;
}

const TOKEN = latePattern(String.raw`[\p{L}\p{N}_$]+(?:[-.][\p{L}\p{N}_$]+)*`, "gu");
/** A name may be written as so many words. */
const MOST_WORDS = 3;
const MAX_QUERY_CHARS = 4000;

/** Reads paths by a question: `dhcp server: …` names `src/dhcp/` and `dhcp-server.c`. */
export function askedPaths(query: string, paths: Iterable<string>): ReadonlyMap<string, AskedPath> {
  const tokens = [...query.slice(0, MAX_QUERY_CHARS).matchAll(TOKEN())].map(([token]) => token);
  const words = new Set(
    tokens
      .flatMap(wordsOf)
      .filter((word) => !saysNothing(word))
      .map(stem),
  );
  const names = writtenNames(tokens);
  const parts = new Map<string, { readonly name: string; readonly folders: ReadonlySet<string> }>();
  const frequency = new Map<string, number>();
  for (const path of paths) {
    if (parts.has(path)) continue;
    const folders = path.split(/[/\\]/);
    const name = (folders.pop() ?? "").replace(/\.\w+$/, "");
    const said = new Set([...folders, name].map(flatten).filter((part) => names.has(part)));
    for (const part of said) frequency.set(part, (frequency.get(part) ?? 0) + 1);
    parts.set(path, { name, folders: said });
  }
  const most = Math.log(parts.size + 1.1);
  return new Map(
    [...parts].map(([path, { name, folders }]) => {
      const own = wordsOf(name).map(stem);
      const covered = own.filter((word) => words.has(word)).length / Math.max(1, own.length);
      const rarities = [...folders].map((part) => 1 - Math.log(frequency.get(part) ?? 1) / most);
      return [path, { covered, named: Math.max(0, ...rarities) }];
    }),
  );
}

/** Every run of a few words as one name, without what joins them. */
function writtenNames(tokens: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  tokens.forEach((_, index) => {
    for (let count = 1; count <= MOST_WORDS; count++) {
      const run = tokens.slice(index, index + count).map(flatten);
      const name = run.join("");
      if (name.length > 1 && run.some((word) => !saysNothing(word))) names.add(name);
    }
  });
  return names;
}

function flatten(text: string): string {
  return text.toLowerCase().replace(NO_LETTER(), "");
}

function wordsOf(name: string): string[] {
  return name.split(BETWEEN_WORDS()).flatMap(splitIdentifier);
}
