/** The same numbers each time, from 0 to below `n`. */
export function createRandom(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % n;
  };
}

const SYLLABLES = "ba re mi to lu ka ne sor vin dal per ton gra fel mas ri qua zen bol tha".split(" ");

type Word = () => string;
type Random = (n: number) => number;

/** Words of a language of our own: a few common ones, and ever rarer ones. */
function createVocabulary(random: Random): Word {
  const words = Array.from({ length: 4000 }, () =>
    Array.from({ length: 2 + random(3) }, () => SYLLABLES[random(SYLLABLES.length)]).join(""),
  );
  return () => words[random(random(random(words.length) + 1) + 1)] as string;
}

const sentence = (word: Word, length: number): string => Array.from({ length }, word).join(" ");
const title = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const hex = (random: Random, length: number): string => Array.from({ length }, () => random(16).toString(16)).join("");

type Maker = (word: Word, random: Random, index: number) => string;

function lines(count: number, maker: Maker): (word: Word, random: Random) => string {
  return (word, random) => Array.from({ length: count }, (_, index) => maker(word, random, index)).join("\n");
}

const MAKERS: Readonly<Record<string, (word: Word, random: Random) => string>> = {
  "history, one line each": lines(2000, (word, random) => `${hex(random, 9)} ${title(word())} ${sentence(word, 6)}`),
  history: lines(
    500,
    (word, random, index) =>
      `commit ${hex(random, 40)}\nAuthor: ${title(word())} <${word()}@example.com>\nDate:   Mon Jan ${1 + (index % 28)} 10:00:00 2024 +0100\n\n    ${title(sentence(word, 6))}\n\n    ${sentence(word, 9)} error ${word()}\n    failed to ${sentence(word, 8)}.\n`,
  ),
  news: lines(
    300,
    (word, _, index) =>
      `## Version ${300 - index}.0\n\n* ${title(sentence(word, 12))}\n  ${sentence(word, 10)}.\n* Fixed an error in ${sentence(word, 9)}\n`,
  ),
  source: lines(
    400,
    (word) =>
      `    def ${word()}_${word()}(self, ${word()}, ${word()}=None):\n        """${title(sentence(word, 7))}."""\n        if ${word()} is None:\n            raise ValueError("${sentence(word, 5)}")\n        return self.${word()}.${word()}(${word()})\n`,
  ),
  "lock file": (word, random) => {
    const packages = Array.from({ length: 400 }, () => {
      const name = `${word()}-${word()}`;
      return `    "node_modules/${name}": {\n      "version": "${random(9)}.${random(20)}.${random(9)}",\n      "resolved": "https://registry.example.com/${name}/-/${name}.tgz",\n      "integrity": "sha512-${word()}${hex(random, 20)}/${word()}+${hex(random, 9)}==",\n      "license": "${word().toUpperCase()}"\n    }`;
    });
    return `{\n  "name": "all",\n  "lockfileVersion": 3,\n  "packages": {\n${packages.join(",\n")}\n  }\n}\n`;
  },
  "records in JSON": (word, random) => {
    const records = Array.from({ length: 600 }, (_, id) => ({
      id,
      title: title(sentence(word, 5)),
      owner: { login: `${word()}_${random(99)}`, kind: "user" },
      body: sentence(word, 14),
      closed: random(2) === 0,
    }));
    return JSON.stringify(records, undefined, 2);
  },
  table: (word, random) =>
    `id,name,city,note,amount\n${lines(1500, (w, r, index) => `${index},${title(w())} ${title(w())},${w()},${sentence(w, 4)},${r(9000)}`)(word, random)}`,
  packages: lines(
    1200,
    (word, random) =>
      `ii  ${`${word()}-${word()}`.padEnd(30)} ${random(9)}.${random(30)}-${random(9)}   amd64   ${sentence(word, 6)}`,
  ),
  "list of files": lines(
    4000,
    (word, random) => `./src/${word()}/${word()}/${word()}_${word()}.${["ts", "md", "c"][random(3)]}`,
  ),
  manual: lines(
    250,
    (word) =>
      `       -${word().charAt(0)}, --${word()}-${word()}\n              ${title(sentence(word, 9))}\n              ${sentence(word, 9)}.\n`,
  ),
  "log of a service": lines(
    3000,
    (word, random, index) =>
      `2024-05-01T10:${String(index % 60).padStart(2, "0")}:00Z ${["INFO", "INFO", "WARN", "ERROR"][random(4)]} ${word()}.${word()} ${sentence(word, 6)} took ${random(900)} ms`,
  ),
  patch: lines(
    150,
    (word) =>
      `diff --git a/src/${word()}/${word()}.ts b/src/${word()}.ts\nindex 1..2 100644\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,4 +1,6 @@ function ${word()}() {\n   const ${word()} = ${word()}(${word()});\n-  ${word()}.${word()}(${sentence(word, 4)});\n+  ${word()}.${word()}("${sentence(word, 5)}");\n+  return ${word()} ?? ${word()}.${word()};\n   // ${sentence(word, 5)}`,
  ),
  "search results": lines(
    2000,
    (word, random, index) =>
      `src/${"abcdefgh".charAt(index / 250)}/part.ts:${index + 1}:  ${word()}.${word()}(${sentence(word, 3)}); // ${random(99)}`,
  ),
  page: (word, random) =>
    `<!doctype html>\n<html><head><title>${sentence(word, 4)}</title></head>\n<body>\n${lines(500, (w) => `<p class="${w()}">${title(sentence(w, 12))}.</p>\n<a href="/${w()}/${w()}">${sentence(w, 3)}</a>`)(word, random)}\n</body></html>\n`,
};

/** Large texts of the kinds that tools print all day, the same each time. */
export function everydayTexts(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(MAKERS).map(([name, make], index) => {
      const random = createRandom(index + 7);
      return [name, make(createVocabulary(random), random)];
    }),
  );
}
