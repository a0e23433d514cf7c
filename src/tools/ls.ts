import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { createGlobMatcher } from "./glob-matcher.ts";
import { directoryPath } from "./sandbox.ts";

const LS_LIMIT = 100;

interface Entry {
  readonly path: string;
  readonly type: "file" | "dir" | "link";
  readonly size?: number;
}

/** Lists one directory. */
export const lsTool = defineTool({
  name: "LS",
  description: `List one directory: name, type and size, directories first, at most ${LS_LIMIT} entries unless limit says otherwise. Hidden names only with hidden: true.`,
  readOnly: true,
  parameters: z.strictObject({
    path: z.string().default(".").describe("Directory, relative to the root."),
    limit: z.int().min(1).default(LS_LIMIT).describe("Most entries to return."),
    ignore: z.array(z.string()).default([]).describe('Glob patterns of names to leave out, such as "*.log".'),
    hidden: z.boolean().default(false).describe("Include names that start with a dot."),
  }),
  async execute({ path: given, limit, ignore, hidden }, run) {
    const ignored = ignore.map((glob) => createGlobMatcher(glob, { parameter: "ignore", dot: true }));
    const directory = await run.sandbox.openDirectory(given);
    try {
      const base = directoryPath(directory.handle, directory.real);
      const found = (await readdir(base, { withFileTypes: true }))
        .filter(({ name }) => (hidden || !name.startsWith(".")) && !ignored.some((matches) => matches(name)))
        .sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1));
      const shown = found.slice(0, limit);
      const entries = await Promise.all(
        shown.map(async (item): Promise<Entry> => {
          const at = directory.relative === "." ? item.name : `${directory.relative}/${item.name}`;
          if (item.isSymbolicLink()) return { path: at, type: "link" };
          if (item.isDirectory()) return { path: at, type: "dir" };
          const size = await lstat(path.join(base, item.name)).then(
            (stats) => stats.size,
            () => 0, // removed meanwhile
          );
          return { path: at, type: "file", size };
        }),
      );
      const parts = { path: directory.relative, stats: { total_entries: found.length } };
      const where = `in '${directory.relative}'`;
      if (found.length <= limit) {
        const text = `Listed ${count(found.length)} ${where}.`;
        return run.success({ entries, truncated: false }, text, parts);
      }
      const all = {
        path: directory.relative,
        limit: found.length,
        ...(ignore.length > 0 ? { ignore } : {}),
        ...(hidden ? { hidden } : {}),
      };
      return run.partial(
        { entries, truncated: true },
        `Listed ${entries.length} of ${count(found.length)} ${where}.`,
        {
          because: `Cut at the limit of ${limit}`,
          next: `LS ${JSON.stringify(all)} shows all; Glob finds names.`,
        },
        parts,
      );
    } finally {
      await directory.handle.close();
    }
  },
});

function count(entries: number): string {
  return `${entries} ${entries === 1 ? "entry" : "entries"}`;
}
