import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

/** Reads a module by its file name without extension: packed beside the built code, else as its package ships it. */
export async function readWebAssembly(name: string): Promise<Uint8Array> {
  const packed = await readFile(new URL(`./grammars/${name}.wasm.br`, import.meta.url)).catch(() => undefined);
  if (packed !== undefined) return promisify(brotliDecompress)(packed);
  const location = name === "web-tree-sitter" ? `${name}/${name}.wasm` : `@vscode/tree-sitter-wasm/wasm/${name}.wasm`;
  return readFile(createRequire(import.meta.url).resolve(location));
}
