import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { closing, openFileSource } from "../byte-source.ts";

const SKIPPED_FOLDERS = new Set(["node_modules", "dist", "build", "target", "vendor"]);

/** The text files below a folder, without ripgrep: nothing hidden, and no folder of dependencies or build products. */
export async function listSearchableFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  const pending = [""];
  for (let below = pending.pop(); below !== undefined; below = pending.pop()) {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.name.startsWith(".")) continue;
      const path = join(below, entry.name);
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) pending.push(path);
      else if (entry.isFile() && (await looksLikeText(join(folder, path)))) files.push(path);
    }
  }
  return files.sort();
}

async function looksLikeText(path: string): Promise<boolean> {
  const source = await openFileSource(path).catch(() => undefined);
  return source !== undefined && closing(source, async () => !(await source.read(0, 4096)).includes(0));
}
