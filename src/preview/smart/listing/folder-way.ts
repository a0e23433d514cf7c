import { folderKind, type PathKind } from "../../lines/path-kind.ts";
import { depthWeight } from "./listing-ranking.ts";

/** What is known of a folder by its path alone. */
export interface ListedFolder {
  /** With a slash at the end. */
  readonly path: string;
  readonly kind: PathKind;
  readonly depth: number;
  /** What its entries are worth beside those at the top. */
  readonly weight: number;
  /** How many blanks its path has. */
  readonly blanks: number;
}

const MOST_FOLDERS = 64;

export const TOP: ListedFolder = { path: "", kind: "source", depth: 0, weight: depthWeight(0), blanks: 0 };

/** The folders on the way to the one that is listed: the next that is will hang on one of them, as a rule. */
export class FolderWay {
  readonly #way: ListedFolder[] = [TOP];

  to(path: string): ListedFolder {
    // A path may be written with other slashes, of which the kind makes nothing.
    if (path.includes("\\")) return this.#below(TOP, path, path.replaceAll("\\", "/"));
    let above = this.#way.at(-1) as ListedFolder;
    while (path.slice(0, above.path.length) !== above.path) {
      this.#way.pop();
      above = this.#way.at(-1) as ListedFolder;
    }
    if (above.path.length === path.length) return above;
    const folder = this.#below(above, path, path);
    if (this.#way.length < MOST_FOLDERS) this.#way.push(folder);
    return folder;
  }

  #below(above: ListedFolder, path: string, spelled: string): ListedFolder {
    const from = above.path.length;
    const depth = above.depth + countOf("/", path, from);
    return {
      path,
      kind: folderKind(spelled, from, above.kind),
      depth,
      weight: depthWeight(depth),
      blanks: above.blanks + countOf(" ", path, from),
    };
  }
}

/** How often a character stands in a text from a place on. */
export function countOf(character: string, text: string, from = 0): number {
  let count = 0;
  for (let at = text.indexOf(character, from); at >= 0; at = text.indexOf(character, at + 1)) count++;
  return count;
}
