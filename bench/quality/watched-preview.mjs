import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const SMART = fileURLToPath(new URL("../../src/preview/smart/", import.meta.url));
const PREVIEW = fileURLToPath(new URL("../../src/preview/index.ts", import.meta.url));
const SHAPES = ["diff", "code"];

/**
 * The preview as its source stands, and beside it the weights of `diff` and `code`, which can be changed, and the
 * features that were read last: `{ numbers, columns }`, the numbers being those of the lines.
 */
export async function watchedPreview() {
  const folder = mkdtempSync(path.join(tmpdir(), "spillway-fit-"));
  const bundle = await rolldown({ input: "watched", platform: "node", plugins: [watch()], logLevel: "silent" });
  const file = path.join(folder, "watched.mjs");
  await bundle.write({ file, format: "esm", codeSplitting: false });
  const { preview, diff, code } = await import(pathToFileURL(file).href);
  rmSync(folder, { recursive: true });
  return { preview, weights: { diff, code }, lastRead: () => globalThis.lastRead };
}

function watch() {
  const watched = SHAPES.map((shape) => path.join(SMART, shape, "features.ts"));
  return {
    name: "watch",
    resolveId(source, importer) {
      if (source === "watched") return "\0watched";
      const target = importer && source.startsWith(".") ? path.resolve(path.dirname(importer), source) : source;
      if (!watched.includes(target) || importer.startsWith("\0")) return null;
      return `\0${path.basename(path.dirname(target))}-features`;
    },
    load(id) {
      if (id === "\0watched") {
        const weights = SHAPES.map((shape) => `export { WEIGHTS as ${shape} } from "${SMART}${shape}/weights.ts";`);
        return [`export { preview } from "${PREVIEW}";`, ...weights].join("\n");
      }
      const shape = /^\0(\w+)-features$/.exec(id)?.[1];
      if (shape === undefined) return null;
      return `
        import { readFeatures as read } from "${SMART}${shape}/features.ts";
        export function readFeatures(lines, ...rest) {
          const columns = read(lines, ...rest);
          const held = lines.map((line) => line.held);
          const numbers = held.map(({ line }) => line);
          globalThis.lastRead = { shape: "${shape}", numbers, chars: held.map(({ chars }) => chars), columns };
          return columns;
        }`;
    },
  };
}
