import { existsSync } from "node:fs";

/** The file of a worker thread beside the built files; undefined when run from source or bundled into another program. */
export function workerFile(name: string, extension: "mjs" | "cjs" = "mjs"): URL | undefined {
  const url = new URL(`./${name}.${extension}`, import.meta.url);
  return url.protocol === "file:" && existsSync(url) ? url : undefined;
}
