import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type { Language, Parser } from "web-tree-sitter";

/** A parser without a language. */
export async function createParser(): Promise<Parser> {
  const { Parser: TreeSitter } = await import("web-tree-sitter");
  await TreeSitter.init({ wasmBinary: await readWebAssembly("web-tree-sitter") });
  return new TreeSitter();
}

/** The language of a grammar, named as in its file. */
export async function loadGrammar(grammar: string): Promise<Language> {
  const { Language: Grammar } = await import("web-tree-sitter");
  return Grammar.load(await readWebAssembly(`tree-sitter-${grammar}`));
}

/** Reads a module by its file name without extension: packed beside the built code, else as its package ships it. */
async function readWebAssembly(name: string): Promise<Uint8Array> {
  const packed = await readFile(new URL(`./grammars/${name}.wasm.br`, import.meta.url)).catch(() => undefined);
  if (packed !== undefined) return promisify(brotliDecompress)(packed);
  const location = name === "web-tree-sitter" ? `${name}/${name}.wasm` : `@vscode/tree-sitter-wasm/wasm/${name}.wasm`;
  return readFile(createRequire(import.meta.url).resolve(location));
}
