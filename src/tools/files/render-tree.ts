import { onOneLine } from "../../gate/quote-word.ts";
import { formatPlural } from "../../preview/omission.ts";

/** A tree as text, and how many files are not in it. */
export interface RenderedTree {
  readonly text: string;
  /** Files left out since there are too many. */
  readonly hiddenFiles: number;
  /** Files left out since they lie too deep. */
  readonly deepFiles: number;
}

/** Paths of files below a folder as a tree, folders first. */
export function renderTree(
  root: string,
  paths: readonly string[],
  { maxDepth, maxFiles }: { readonly maxDepth: number; readonly maxFiles: number },
): RenderedTree {
  const lines = [`${root}/`];
  const budget = { files: maxFiles, hiddenFiles: 0, deepFiles: 0 };
  addFolder(lines, buildTree(paths), "", maxDepth, budget);
  const { hiddenFiles, deepFiles } = budget;
  return { text: lines.join("\n"), hiddenFiles, deepFiles };
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: string[];
  total: number;
}

function buildTree(paths: readonly string[]): Folder {
  const top: Folder = { folders: new Map(), files: [], total: 0 };
  for (const path of paths) {
    const parts = path.split("/");
    let folder = top;
    folder.total++;
    for (const name of parts.slice(0, -1)) {
      const next = folder.folders.get(name) ?? { folders: new Map(), files: [], total: 0 };
      folder.folders.set(name, next);
      folder = next;
      folder.total++;
    }
    folder.files.push(parts.at(-1) as string);
  }
  return top;
}

interface Budget {
  files: number;
  hiddenFiles: number;
  deepFiles: number;
}

function addFolder(lines: string[], folder: Folder, indent: string, depth: number, budget: Budget): void {
  const inner = `${indent}  `;
  for (const name of [...folder.folders.keys()].sort()) {
    const child = folder.folders.get(name) as Folder;
    if (depth <= 1) {
      lines.push(`${inner}${onOneLine(name)}/ (${formatPlural(child.total, "file")})`);
      budget.deepFiles += child.total;
    } else {
      lines.push(`${inner}${onOneLine(name)}/`);
      addFolder(lines, child, inner, depth - 1, budget);
    }
  }
  const files = folder.files.sort();
  const room = Math.min(files.length, budget.files);
  budget.files -= room;
  budget.hiddenFiles += files.length - room;
  for (const name of files.slice(0, room)) lines.push(`${inner}${onOneLine(name)}`);
  if (room < files.length) lines.push(`${inner}… ${formatPlural(files.length - room, "file")} more`);
}
