// Prints the size of `spillway/preview`, bundled for a browser and minified: node bench/speed/bundle-size.mjs [--most KB]
// With --most it fails above that size, or if the bundle asks for anything that is not in it.
import path from "node:path";
import { rolldown } from "rolldown";

export async function bundlePreview() {
  const input = path.join(import.meta.dirname, "../../dist/preview.mjs");
  const bundle = await rolldown({ input, platform: "browser", logLevel: "silent" });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  return {
    bytes: output.reduce((sum, { code = "" }) => sum + Buffer.byteLength(code), 0),
    imports: output.flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports]),
  };
}

if (process.argv[1] === import.meta.filename) {
  const { bytes, imports } = await bundlePreview();
  console.log(`${bytes.toLocaleString("en-US")} bytes minified, ${imports.length} imports`);
  const at = process.argv.indexOf("--most");
  if (at > 0 && (bytes > 1000 * Number(process.argv[at + 1]) || imports.length > 0)) process.exitCode = 1;
}
