import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type { Language, Parser, Query } from "web-tree-sitter";
import { type LanguageRules, languageOf } from "./languages.ts";

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

/** Loads a module by its file name without extension: from the build if packed there, otherwise from its package. */
async function readWebAssembly(name: string): Promise<Uint8Array> {
  const packed = await readFile(new URL(`./grammars/${name}.wasm.br`, import.meta.url)).catch(() => undefined);
  if (packed !== undefined) return promisify(brotliDecompress)(packed);
  const location = name === "web-tree-sitter" ? `${name}/${name}.wasm` : `@vscode/tree-sitter-wasm/wasm/${name}.wasm`;
  return readFile(createRequire(import.meta.url).resolve(location));
}

/** The definitions and references of one file. */
export interface FileTags {
  /** Name, line (from 1), the text of that line, and how well other files can reach it: 0 not at all, 1 by name. */
  readonly defs: readonly (readonly [name: string, line: number, text: string, reach: number])[];
  /** The words of the file, each once. */
  readonly words: readonly string[];
  /** How often each word is used, in the same order. */
  readonly counts: readonly number[];
}

export const NO_TAGS: FileTags = { defs: [], words: [], counts: [] };

const MAX_LINE_CHARS = 120;
/** A parser that needs longer than this on one file gives it up. */
const PARSE_TIMEOUT_MS = 500;
/** Definitions further down belong to the inside of a function. */
const MAX_DEFINITION_DEPTH = 8;
/** Shorter names are mostly not meant for others. */
const WORDS = /[A-Za-z_$][\w$]{2,}/g;
/** Members are accessed through an object, so their name alone is weaker evidence. */
const MEMBER_REACH = 0.2;

interface LoadedLanguage {
  readonly language: Language;
  readonly query: Query;
}

/** Reads definitions off syntax trees and counts words; loads a grammar when the first file needs it. */
export class TagExtractor {
  readonly #loaded = new Map<string, Promise<LoadedLanguage>>();
  #parser: Promise<Parser> | undefined;

  /** The tags of a text in the language that the name says; none in a language that is not mapped. */
  async extract(text: string, name: string): Promise<FileTags> {
    const rules = languageOf(name);
    if (rules === undefined) return NO_TAGS;
    this.#parser ??= createParser();
    const parser = await this.#parser;
    let loading = this.#loaded.get(rules.grammar);
    if (loading === undefined) {
      loading = loadLanguage(rules);
      this.#loaded.set(rules.grammar, loading);
    }
    const { language, query } = await loading;
    parser.setLanguage(language);
    const stopAt = Date.now() + PARSE_TIMEOUT_MS;
    const progressCallback = () => Date.now() > stopAt;
    const tree = parser.parse(text, null, { progressCallback });
    if (tree === null) {
      parser.reset();
      return NO_TAGS;
    }
    try {
      const captures = query.captures(tree.rootNode, { maxStartDepth: MAX_DEFINITION_DEPTH, progressCallback });
      return readTags(captures, text, rules.exportsByKeyword === true);
    } finally {
      tree.delete();
    }
  }

  /** Frees the parser's memory, which is outside the garbage collector's reach. */
  async dispose(): Promise<void> {
    (await this.#parser)?.delete();
    for (const loading of this.#loaded.values()) (await loading).query.delete();
  }
}

type Captures = ReturnType<Query["captures"]>;

function readTags(captures: Captures, text: string, exportsByKeyword: boolean): FileTags {
  const lines = text.split("\n");
  const isModule = exportsByKeyword && /^(?:export|import)\b/m.test(text);
  const defs: [string, number, string, number][] = [];
  for (const { node } of captures) {
    const row = node.startPosition.row;
    const line = (lines[row] ?? "").trim();
    const isMember = /method|field/.test(node.parent?.type ?? "");
    const reach = isMember ? MEMBER_REACH : isModule && !line.startsWith("export") ? 0 : 1;
    defs.push([node.text, row + 1, line.slice(0, MAX_LINE_CHARS), reach]);
  }
  return { defs, ...countWords(text) };
}

/** Every word counts as a use of its name; whether somebody defines it, the whole repository says. */
function countWords(text: string): Pick<FileTags, "words" | "counts"> {
  const counts = new Map<string, number>();
  for (const word of text.match(WORDS) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { words: [...counts.keys()], counts: [...counts.values()] };
}

async function loadLanguage(rules: LanguageRules): Promise<LoadedLanguage> {
  const { Query: TreeQuery } = await import("web-tree-sitter");
  const language = await loadGrammar(rules.grammar);
  return { language, query: new TreeQuery(language, rules.definitions) };
}
