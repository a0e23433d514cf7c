// Writes src/preview/tokens/vocabulary.ts from the vocabulary of o200k_base: node bench/tokens/train.mjs [FOLDER OF TEXTS…]
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/** Merges below these ranks are kept in their order. Later ones reduce the count of rarer text only. */
const MERGES = [
  [/^\s+$/, 8000],
  [/^[\x20-\x40\x5b-\x60\x7b-\x7e\r\n\t]+$/, 16_000],
  [/\p{Script=Han}/u, 0],
  [/^[\x20-\x7e]+$/, 5000],
  [/./su, 4000],
];
/** Words of which all forms that are one token are kept, the most frequent ones. */
const WORDS = 3000;
/** What stands before a word, and how it is spelled: 0 small, 1 with a capital, 2 in capitals. The most frequent forms. */
const FORMS = [
  [" ", 0],
  ["", 0],
  ["", 1],
  [" ", 1],
  [".", 0],
  ["(", 0],
  ["-", 0],
  [" ", 2],
  ["/", 0],
  ["_", 0],
  ["", 2],
  ["_", 2],
];
/** Words as the tokenizer splits them, near enough. */
const PIECES = /[^\r\n\p{L}\p{N}]?\p{Lu}*\p{Ll}+|[^\r\n\p{L}\p{N}]?\p{Lu}+/gu;

const vocabulary = readVocabulary();
const tokens = new Set(vocabulary);
const merges = vocabulary.filter(
  (token, rank) =>
    token !== undefined &&
    !/[\d^]/.test(token) &&
    token.length > 1 &&
    rank < MERGES.find(([kind]) => kind.test(token))[1],
);
const words = chooseWords(new Set(merges));

const file = path.join(import.meta.dirname, "../../src/preview/tokens/vocabulary.ts");
writeFileSync(
  file,
  `// Written by bench/tokens/train.mjs from the vocabulary of o200k_base; not edited by hand.

/** The first merges by the text that they make, in their order, with "^" between them. */
export const MERGES =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: "\${" is a token.
  ${JSON.stringify(merges.join("^"))};

/** What stands before a word, and its spelling: 0 small, 1 with a capital, 2 in capitals. */
export const WORD_FORMS: readonly (readonly [prefix: string, spelling: 0 | 1 | 2])[] = ${JSON.stringify(FORMS)};

/** Common words, sorted: how many letters each shares with the one before, bits of its forms in base64, its other letters. */
export const WORDS =
  "${packWords(words)}";

/**
 * For each 256 characters of the basic plane, the most tokens that one takes which is no token itself; as a letter ("b" is
 * 1) where some are.
 */
export const CHARACTER_COSTS =
  "${measureCharacters().costs}";

/** Which characters of the blocks with a letter are one token, bit by bit; base64. */
export const SINGLE_TOKENS =
  "${measureCharacters().singles}";
`,
);
console.log(`${merges.length} merges, ${words.length} words, ${readFileSync(file).length} bytes in ${file}`);

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

/** The words in most files, of those with a form that is one token and no merge that is kept. */
function chooseWords(known) {
  const files = new Map();
  for (const text of readTexts()) {
    for (const piece of new Set(text.match(PIECES))) {
      const word = piece.replace(/^[^A-Za-z]/, "").toLowerCase();
      if (!tokens.has(piece) || known.has(piece) || !/^[a-z]{3,}$/.test(word)) continue;
      if (formsOf(word).includes(piece)) files.set(word, (files.get(word) ?? 0) + 1);
    }
  }
  const ordered = [...files].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return ordered
    .slice(0, WORDS)
    .map(([word]) => word)
    .sort();
}

function formsOf(word) {
  const spellings = [word, word[0].toUpperCase() + word.slice(1), word.toUpperCase()];
  return FORMS.map(([prefix, spelling]) => prefix + spellings[spelling]);
}

function packWords(chosen) {
  let last = "";
  return chosen
    .map((word) => {
      let shared = 0;
      while (shared < Math.min(9, word.length) && word[shared] === last[shared]) shared++;
      last = word;
      return shared + packBits(formsOf(word).map((form) => tokens.has(form))).slice(0, 2) + word.slice(shared);
    })
    .join("");
}

function measureCharacters() {
  let costs = "";
  const bits = [];
  for (let block = 0; block < 256; block++) {
    const characters = Array.from({ length: 256 }, (_, low) => String.fromCharCode(block * 256 + low));
    if (block >= 0xd8 && block < 0xe0) costs += "3";
    else {
      const counts = characters.map((character) => (character < "\x80" ? 1 : Math.max(1, countTokens(character))));
      const mixed = counts.includes(1) && counts.some((count) => count > 1);
      const most = Math.max(...counts);
      costs += mixed ? String.fromCharCode(97 + most) : most;
      if (mixed) bits.push(...counts.map((count) => count === 1));
    }
  }
  return { costs, singles: packBits(bits) };
}

/** Documents and sources of the packages that are installed here, and of the folders named. */
function* readTexts() {
  for (const home of [path.join(import.meta.dirname, "../../node_modules"), ...process.argv.slice(2)]) {
    for (const name of readdirSync(home, { recursive: true })) {
      if (!/\.(?:md|m?js|ts|json|txt|html|css|map|py|pm|pl|h|c|rst|xml|yaml|sh|log)$/.test(name)) continue;
      if (name.includes("gpt-tokenizer")) continue;
      const file = path.join(home, name);
      if (statSync(file, { throwIfNoEntry: false })?.isFile() === true)
        yield readFileSync(file, "utf8").slice(0, 60_000);
    }
  }
}

function packBits(bits) {
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [index, bit] of bits.entries()) bytes[index >> 3] |= Number(bit) << (7 - (index & 7));
  return bytes.toString("base64");
}
