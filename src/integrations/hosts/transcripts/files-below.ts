import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Files below a folder with one of these endings; none where the folder cannot be read. */
export function filesBelow(folder: string, ...endings: readonly string[]): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => endings.some((ending) => name.endsWith(ending)))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** The file that was written last. */
export function newestOf(files: readonly string[]): string | undefined {
  const times = new Map(files.map((file) => [file, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0]));
  return files.toSorted((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0))[0];
}
