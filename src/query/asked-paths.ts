import { readQuestion } from "./question.ts";
import { partsOf } from "./read-words.ts";
import { kindOf, stem } from "./words.ts";

/** What a question says of a path as a name, beyond the words that they share. */
export interface AskedPath {
  /** The share of the words of the file's name that the question says. */
  readonly covered: number;
  /** How rare among all paths a folder or file is that the question writes whole; 0 when it writes none, 1 at most. */
  readonly named: number;
}

/** A name may be written as so many words. */
const MOST_WORDS = 3;

/** Reads paths by a question: `dhcp server: …` names `src/dhcp/` and `dhcp-server.c`. */
export function askedPaths(query: string, paths: Iterable<string>): ReadonlyMap<string, AskedPath> {
  const names = readQuestion(query).tokens.map(({ words }) => words.map((word) => word.parts));
  const words = new Set(
    names
      .flat(2)
      .filter((word) => kindOf(word) === undefined)
      .map(stem),
  );
  const written = writtenNames(names);
  const parts = new Map<string, { readonly own: readonly string[]; readonly folders: ReadonlySet<string> }>();
  const frequency = new Map<string, number>();
  // The same few folders stand in all paths.
  const folderNames = new Map<string, string>();
  const folderName = (folder: string): string => {
    const known = folderNames.get(folder);
    if (known !== undefined) return known;
    const name = flatten(partsOf(folder));
    folderNames.set(folder, name);
    return name;
  };
  for (const path of paths) {
    if (parts.has(path)) continue;
    const folders = path.split(/[/\\]/);
    const own = partsOf((folders.pop() ?? "").replace(/\.\w+$/, ""));
    const said = new Set([...folders.map(folderName), flatten(own)].filter((part) => written.has(part)));
    for (const part of said) frequency.set(part, (frequency.get(part) ?? 0) + 1);
    parts.set(path, { own, folders: said });
  }
  const most = Math.log(parts.size + 1.1);
  return new Map(
    [...parts].map(([path, { own, folders }]) => {
      const covered = own.filter((word) => words.has(stem(word))).length / Math.max(1, own.length);
      const rarities = [...folders].map((part) => 1 - Math.log(frequency.get(part) ?? 1) / most);
      return [path, { covered, named: Math.max(0, ...rarities) }];
    }),
  );
}

/** Every token, and every run of a few words, as one name without what joins them. */
function writtenNames(tokens: readonly (readonly (readonly string[])[])[]): ReadonlySet<string> {
  const words = tokens.flat().map(flatten);
  const runs = words.flatMap((_, start) =>
    Array.from({ length: MOST_WORDS }, (_, more) => words.slice(start, start + more + 1)),
  );
  const whole = tokens.map((token) => token.map(flatten));
  const telling = [...runs, ...whole].filter((run) => run.some((word) => kindOf(word) === undefined));
  return new Set(telling.map(flatten).filter((name) => name.length > 1));
}

function flatten(parts: readonly string[]): string {
  return parts.join("");
}
