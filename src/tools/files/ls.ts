import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { closing } from "../../artifacts/byte-source.ts";
import { defineTool, nextPage } from "../registry/define-tool.ts";
import { fitsWhole } from "../registry/tool-run.ts";
import { directoryPath } from "../sandbox/sandbox.ts";
import { createGlobMatcher } from "./glob.ts";

const LS_LIMIT = 100;
/** Upper bound for an entry's details, apart from its name. */
const ENTRY_BYTES = 64;

interface Entry {
  readonly path: string;
  readonly type: "file" | "dir" | "link";
  readonly size?: number;
}

/** Lists one directory. */
export const lsTool = defineTool({
  name: "LS",
  aliases: ["List"],
  description: `List one directory: name, type and size, directories first, at most ${LS_LIMIT} entries unless limit says otherwise. Hidden names only with hidden: true.`,
  readOnly: true,
  parameters: z.strictObject({
    path: z.string().default(".").describe("Directory, relative to the root."),
    limit: z.int().min(1).default(LS_LIMIT).describe("Most entries to return."),
    offset: z.int().min(1).default(1).describe("First entry to return, from 1."),
    ignore: z.array(z.string()).default([]).describe('Glob patterns of names to leave out, such as "*.log".'),
    hidden: z.boolean().default(false).describe("Include names that start with a dot."),
  }),
  async execute({ path: given, limit, offset, ignore, hidden }, run) {
    const ignored = ignore.map((glob) => createGlobMatcher(glob, { parameter: "ignore", dot: true }));
    const directory = await run.sandbox.openDirectory(given);
    return closing(directory.handle, async () => {
      const base = directoryPath(directory.handle, directory.real);
      const found = (await readdir(base, { withFileTypes: true }))
        .filter(({ name }) => (hidden || !name.startsWith(".")) && !ignored.some((matches) => matches(name)))
        .sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1));
      const shown = found.slice(offset - 1, offset - 1 + limit);
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
      if (entries.length === found.length) {
        const text = `Listed ${count(found.length)} ${where}.`;
        return run.success({ entries, truncated: false }, text, parts);
      }
      const end = offset - 1 + entries.length;
      const asked = { ...(ignore.length > 0 ? { ignore } : {}), ...(hidden ? { hidden } : {}) };
      const bytes = found.reduce((sum, { name }) => sum + Buffer.byteLength(name) + ENTRY_BYTES, 0);
      const fits = fitsWhole(found.length, bytes + found.length * directory.relative.length, await run.limits());
      const page = { offset, limit, shown: entries.length, total: found.length, fits };
      const next = nextPage("LS", { path: directory.relative, ...asked }, page);
      return run.partial(
        { entries, truncated: true },
        `Listed ${offset > 1 ? `entries ${offset} to ${end}` : entries.length} of ${count(found.length)} ${where}.`,
        {
          because: offset > 1 ? `Begun at entry ${offset}` : `Cut at the limit of ${limit}`,
          next: `${next}; Glob finds names.`,
        },
        parts,
      );
    });
  },
});

function count(entries: number): string {
  return `${entries} ${entries === 1 ? "entry" : "entries"}`;
}
