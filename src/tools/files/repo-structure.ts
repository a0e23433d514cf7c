import { z } from "zod";
import { closing } from "../../artifacts/byte-source.ts";
import { onOneLine } from "../../gate/quote-word.ts";
import { formatPlural, pluralOf } from "../../preview/omission.ts";
import { defineTool } from "../registry/define-tool.ts";
import { roomToGrow, WORTH_IT } from "../registry/tool-run.ts";
import { listFiles } from "./list-files.ts";

const STRUCTURE_MAX_DEPTH = 3;
const STRUCTURE_MAX_FILES = 500;

/** Shows a repository as a tree. */
export const repoStructureTool = defineTool({
  name: "RepoStructure",
  aliases: ["get_repo_structure"],
  description: `Show directories and files as a tree, ${STRUCTURE_MAX_DEPTH} levels deep and at most ${STRUCTURE_MAX_FILES} files unless max_depth and max_files say otherwise. Respects .gitignore.`,
  readOnly: true,
  parameters: z.strictObject({
    path: z.string().default(".").describe("Directory, relative to the root."),
    max_depth: z.int().min(1).default(STRUCTURE_MAX_DEPTH).describe("Levels to show."),
    max_files: z.int().min(1).default(STRUCTURE_MAX_FILES).describe("Most files to show."),
  }),
  async execute({ path: given, max_depth: maxDepth, max_files: maxFiles }, run) {
    const directory = await run.sandbox.openDirectory(given);
    return closing(directory.handle, async () => {
      const paths: string[] = [];
      const shortcoming = await listFiles(run, directory, { onPath: (name) => paths.push(name) });
      const tree = renderTree(directory.relative, paths, { maxDepth, maxFiles });
      const { hiddenFiles, deepFiles } = tree;
      const shown = paths.length - hiddenFiles - deepFiles;
      const cut = hiddenFiles > 0;
      const data = {
        tree: tree.text,
        truncated: cut || deepFiles > 0,
        ...shortcoming.data,
      };
      const parts = { path: directory.relative, stats: { total_files: paths.length, shown_files: shown } };
      const text = `Showed ${shown} of ${paths.length} ${pluralOf(paths.length, "file")} below '${directory.relative}'.`;
      const because = [
        ...(deepFiles > 0 ? [`${formatPlural(deepFiles, "file")} deeper than ${formatPlural(maxDepth, "level")}`] : []),
        ...(cut ? [`${formatPlural(hiddenFiles, "file")} left out after the first ${maxFiles}`] : []),
        ...shortcoming.because,
      ];
      if (because.length === 0) return run.success({ tree: data.tree, truncated: false }, text, parts);
      const growth = roomToGrow(data.tree, await run.limits());
      const wider = {
        path: directory.relative,
        max_depth: deepFiles > 0 ? maxDepth + 2 : maxDepth,
        max_files: Math.max(maxFiles, Math.min(paths.length, Math.floor(shown * growth))),
      };
      const next =
        growth > WORTH_IT && (cut || deepFiles > 0)
          ? `RepoStructure ${JSON.stringify(wider)} shows more; or give a path further down.`
          : "Give a path further down to see more.";
      return run.partial(data as typeof data & { truncated: true }, text, { because: because.join("; "), next }, parts);
    });
  },
});

/** A tree as text, and how many files are not in it. */
interface RenderedTree {
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
