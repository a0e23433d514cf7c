import { existsSync } from "node:fs";

/** The file of a worker thread next to the built files; undefined when run from source or bundled elsewhere. */
export function workerFile(name: string, extension: "mjs" | "cjs" = "mjs"): URL | undefined {
  const url = new URL(`./${name}.${extension}`, import.meta.url);
  return url.protocol === "file:" && existsSync(url) ? url : undefined;
}
