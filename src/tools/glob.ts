import { statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { ToolFailure } from "../protocol/tool-failure.ts";
import { defineTool } from "./define-tool.ts";
import { createGlobMatcher } from "./glob-matcher.ts";
import { listFiles } from "./list-files.ts";
import { NewestPaths } from "./newest-paths.ts";

const GLOB_LIMIT = 100;

/** Finds files by name. */
export const globTool = defineTool({
  name: "Glob",
  description: `Find files by a glob pattern such as "src/**/*.ts" ("**/" for any depth), newest first, at most ${GLOB_LIMIT} unless limit says otherwise. Respects .gitignore; names with a dot only when the pattern names the dot.`,
  readOnly: true,
  parameters: z.strictObject({
    pattern: z.string().min(1).describe("Glob pattern, relative to path."),
    path: z.string().default(".").describe("Directory to search, relative to the root."),
    limit: z.int().min(1).default(GLOB_LIMIT).describe("Most paths to return."),
  }),
  async execute({ pattern, path: given, limit }, run) {
    checkPattern(pattern);
    const directory = await run.sandbox.openDirectory(given);
    try {
      const hidden = /(^|\/)\./.test(pattern);
      const options = { parameter: "pattern", dot: hidden };
      const matches = createGlobMatcher(pattern, options);
      const deeper = pattern.includes("/") ? () => false : createGlobMatcher(`**/${pattern}`, options);
      const newest = new NewestPaths(limit);
      let deeperCount = 0;
      const shortcoming = await listFiles(run, directory, {
        hidden,
        onPath(name) {
          if (matches(name)) newest.add(name, modifiedAt(`${directory.real}/${name}`));
          else if (deeper(name)) deeperCount++;
        },
      });
      const prefix = directory.relative === "." ? "" : `${directory.relative}/`;
      const paths = newest.list().map((name) => prefix + name);
      const cut = newest.total > limit;
      const data = { paths, truncated: cut, ...shortcoming.data };
      const parts = { path: directory.relative, stats: { total_paths: newest.total } };
      const wider = deeperCount > 0 ? ` ${deeperCount} more match '**/${pattern}'.` : "";
      const total = `${newest.total} ${newest.total === 1 ? "path" : "paths"}`;
      const text = `Found ${total} for '${pattern}' in '${directory.relative}'.${wider}`;
      const because = [...(cut ? [`cut at the limit of ${limit}`] : []), ...shortcoming.because].join("; ");
      if (because === "") return run.success({ paths, truncated: false }, text, parts);
      const all = { pattern, path: directory.relative, limit: newest.total };
      const next = cut
        ? `Glob ${JSON.stringify(all)} shows all; or narrow pattern or path.`
        : "Narrow pattern or path when a file seems to be missing.";
      return run.partial(data as typeof data & { truncated: true }, text, { because, next }, parts);
    } finally {
      await directory.handle.close();
    }
  },
});

function checkPattern(pattern: string): void {
  const absolute = path.isAbsolute(pattern) || path.win32.isAbsolute(pattern);
  if (!absolute && !pattern.split(/[/\\]/).includes("..")) return;
  throw new ToolFailure("ACCESS_DENIED", `The pattern ${pattern} leads outside the directory it is searched in.`, {
    next: 'Give a pattern relative to path, such as "src/**/*.ts".',
  });
}

function modifiedAt(location: string): number {
  return statSync(location, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
