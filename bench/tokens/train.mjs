// Writes src/preview/tokens/tables.ts from the vocabulary of o200k_base: node bench/tokens/train.mjs [FOLDER OF TEXTS…]
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import ts from "typescript";

/** Merges up to these ranks are kept in their order: later ones make fewer tokens only of rarer text. */
const MERGES = [
  [/^[^A-Za-z0-9]?[A-Za-z]+$/, 16_000],
  [/^\s+$/, 64_000],
  [/^[\x20-\x7e\r\n\t]+$/, 32_000],
  [/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[\u3000-\u303f\uff00-\uffef]/u, Infinity],
  [/\p{Script=Hangul}/u, 100_000],
  [/^[^\p{L}\p{N}]+$/u, 64_000],
  [/./su, 32_000],
];
/** Of the rest of the ASCII vocabulary what is a whole piece by itself. */
const WHOLE_LENGTH = 24;
/** Words and signs as the tokenizer cuts them, near enough. */
const PIECES = /[^\r\n\p{L}\p{N}]?\p{Lu}*\p{Ll}+|[^\r\n\p{L}\p{N}]?\p{Lu}+| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s+/gu;

const folder = path.join(import.meta.dirname, "../../src/preview/tokens");
const { hashOf } = await importSource(path.join(folder, "hash.ts"));
const vocabulary = readVocabulary();
const merges = [];
const whole = [];
for (const [rank, token] of vocabulary.entries()) {
  if (token === undefined || (token.length === 1 && token < "\x80") || /^\d+$/.test(token)) continue;
  const limit = MERGES.find(([kind]) => kind.test(token))[1];
  if ([...token].length === 1 || rank < limit) merges.push(token);
  else if (token.length <= WHOLE_LENGTH && /^[\x20-\x7e\r\n\t]+$/.test(token)) whole.push(token);
}
const mergeKeys = merges.map(keyOf);
const wholeKeys = whole.map(keyOf);
const mistaken = findMistaken(new Set([...mergeKeys, ...wholeKeys]), new Set(vocabulary));

const file = path.join(folder, "tables.ts");
writeFileSync(
  file,
  `// Written by bench/tokens/train.mjs from the vocabulary of o200k_base; not edited by hand.

/** Keys of 32 bits of the first merges, in the order in which they are made; base64. */
export const MERGES =
  "${packKeys(mergeKeys)}";

export const MERGE_COUNT = ${merges.length};

/** Keys of 32 bits of pieces that are one token, sorted; the gaps between them in Rice code of 15 bits; base64. */
export const WHOLE_PIECES =
  "${packGaps(wholeKeys)}";

export const WHOLE_COUNT = ${whole.length};

/** For each 256 characters of the basic plane, the most tokens that one takes which is no token itself. */
export const CHARACTER_COSTS =
  "${measureCharacters()}";

/** Hashes of common pieces that are no token but have the key of one. */
export const MISTAKEN: readonly number[] = [
  ${mistaken.join(",\n  ")},
];
`,
);
console.log(
  `${merges.length} merges, ${whole.length} whole pieces, ${mistaken.length} mistaken, ${readFileSync(file).length} bytes in ${file}`,
);

function importSource(source) {
  const { outputText } = ts.transpileModule(readFileSync(source, "utf8"), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`);
}

/** Tokens by rank; undefined where one is no whole characters or cannot be made. */
function readVocabulary() {
  const home = path.dirname(createRequire(import.meta.url).resolve("gpt-tokenizer/package.json"));
  const lines = readFileSync(path.join(home, "data/o200k_base.tiktoken"), "latin1").trim().split("\n");
  return lines.map((line) => {
    const bytes = Buffer.from(line.split(" ")[0], "base64");
    const token = bytes.toString("utf8");
    // The tokenizer drops a byte order mark when it looks its tokens up.
    return Buffer.from(token).equals(bytes) && !token.includes("\ufeff") ? token : undefined;
  });
}

function measureCharacters() {
  const costs = new Array(256).fill(1);
  for (const char of basicCharacters()) {
    const block = char.charCodeAt(0) >> 8;
    costs[block] = Math.max(costs[block], countTokens(char));
  }
  return costs.join("");
}

function* basicCharacters() {
  for (let code = 0x80; code < 0x1_0000; code++) if (code < 0xd800 || code >= 0xe000) yield String.fromCharCode(code);
}

function findMistaken(keys, tokens) {
  const found = new Set();
  for (const piece of commonPieces()) {
    if (!tokens.has(piece) && keys.has(keyOf(piece))) found.add(hashOf(piece, 0, piece.length));
  }
  return [...found].sort((a, b) => a - b);
}

function* commonPieces() {
  yield* basicCharacters();
  for (let first = 0xa0; first < 0x250; first++) {
    for (let second = 0xa0; second < 0x250; second++) yield String.fromCharCode(first, second);
  }
  const letters = "abcdefghijklmnopqrstuvwxyz";
  for (const before of ["", " ", "-", "_", ".", "/", "("]) {
    for (const a of letters) {
      for (const b of letters) {
        for (const c of ["", ...letters]) {
          const word = a + b + c;
          yield before + word;
          yield before + word.toUpperCase();
          yield before + word[0].toUpperCase() + word.slice(1);
        }
      }
    }
  }
  for (const text of readTexts()) yield* text.match(PIECES) ?? [];
}

/** Documents and sources of the packages that are installed here, and of the folders named. */
function* readTexts() {
  for (const home of [path.join(import.meta.dirname, "../../node_modules"), ...process.argv.slice(2)]) {
    for (const name of readdirSync(home, { recursive: true })) {
      if (!/\.(?:md|m?js|ts|json|txt|html|css|map|py|pm|pl|h|c|rst|xml|yaml|sh|log)$/.test(name)) continue;
      const file = path.join(home, name);
      if (statSync(file, { throwIfNoEntry: false })?.isFile() === true)
        yield readFileSync(file, "utf8").slice(0, 200_000);
    }
  }
}

function keyOf(token) {
  return hashOf(token, 0, token.length);
}

function packKeys(keys) {
  return packBits(keys.flatMap((key) => toBits(key, 32)));
}

function packGaps(keys) {
  const bits = [];
  let last = 0;
  for (const key of keys.sort((a, b) => a - b)) {
    const gap = key - last;
    last = key;
    for (let ones = gap >>> 15; ones > 0; ones--) bits.push(1);
    bits.push(0, ...toBits(gap, 15));
  }
  return packBits(bits);
}

function toBits(value, count) {
  return Array.from({ length: count }, (_, index) => (value >>> (count - 1 - index)) & 1);
}

function packBits(bits) {
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [index, bit] of bits.entries()) bytes[index >> 3] |= bit << (7 - (index & 7));
  return bytes.toString("base64");
}
