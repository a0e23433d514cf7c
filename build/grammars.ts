import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { GRAMMARS } from "../src/tools/repo-map/languages.ts";

/** Packs the grammars that RepoMap uses, and the parser itself, into one folder: 20 MB become less than 3. */
export function packGrammars(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const files = [
    path.resolve("node_modules/web-tree-sitter/web-tree-sitter.wasm"),
    ...GRAMMARS.map((name) => path.resolve(`node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`)),
  ];
  for (const file of files) {
    const packed = brotliCompressSync(readFileSync(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    writeFileSync(path.join(folder, `${path.basename(file)}.br`), packed);
  }
}
