import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { invalidArgument } from "../errors.ts";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** The built page is next to the built program. */
const FOLDER = fileURLToPath(new URL("./ui/", import.meta.url));

export interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A file of the page; the page itself for every address that is one of its views. */
export async function readPageFile(pathname: string): Promise<PageFile | undefined> {
  const asset = /^\/assets\/([\w.-]+\.(js|css|svg))$/.exec(pathname);
  const name = asset === null ? "index.html" : `assets/${asset[1]}`;
  if (asset === null && /\.\w+$/.test(pathname)) return undefined;
  const bytes = await readFile(`${FOLDER}${name}`).catch(() => undefined);
  if (bytes === undefined && asset === null) throw invalidArgument("The page was not built: run `npm run build`.");
  return bytes === undefined ? undefined : { type: TYPES[asset?.[2] ?? "html"] ?? "text/plain", bytes };
}
