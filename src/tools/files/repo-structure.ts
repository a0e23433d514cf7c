import { z } from "zod";
import { closing } from "../../artifacts/byte-source.ts";
import { formatPlural, pluralOf } from "../../preview/omission.ts";
import { defineTool } from "../registry/define-tool.ts";
import { roomToGrow, WORTH_IT } from "../registry/fits-whole.ts";
import { listFiles } from "./list-files.ts";
import { renderTree } from "./render-tree.ts";

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
