import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { estimateTokens, preview } from "../../src/preview/index.ts";
import { roughTokens } from "../../src/preview/measure.ts";
import { loadTokenizer } from "../../src/preview/tokenizer.ts";

const root = path.join(import.meta.dirname, "../..");
const read = (...names: string[]): string =>
  names.map((name) => readFileSync(path.join(root, name), "utf8").slice(0, 30_000)).join("\n");
const noise = (seed: string, bytes: number): Buffer =>
  createHash("shake256", { outputLength: bytes }).update(seed).digest();

/** Numbers below 1 from a fixed seed. */
function* numbers(seed: string): Generator<number, never, void> {
  for (let round = 0; ; round++) {
    const bytes = noise(`${seed} ${round}`, 4000);
    for (let at = 0; at < bytes.length; at += 4) yield bytes.readUInt32LE(at) / 2 ** 32;
  }
}

function drawn(seed: string, count: number, ranges: readonly (readonly [number, number])[]): string {
  const source = numbers(seed);
  const next = (below: number): number => Math.floor(source.next().value * below);
  let text = "";
  for (let index = 0; index < count; index++) {
    const [first, last] = ranges[next(ranges.length)]!;
    text += String.fromCodePoint(first + next(last - first + 1));
  }
  return text;
}

const folder = (name: string, ending: string): string =>
  read(
    ...readdirSync(path.join(root, name))
      .filter((file) => file.endsWith(ending))
      .slice(0, 12)
      .map((file) => `${name}/${file}`),
  );

const buildLog = Array.from(
  { length: 400 },
  (_, step) =>
    `[2026-03-${10 + (step % 20)}T08:${10 + (step % 50)}:07.${100 + step}Z] INFO  compiling src/module-${step}/handler.ts (${step * 37} ms)\n` +
    (step % 40 === 0 ? `src/module-${step}/handler.ts:${step}:17 - error TS2345: Argument of type 'string'\n` : ""),
).join("");

const ordinary: Record<string, string> = {
  "English prose": folder("docs", ".md"),
  "TypeScript code": folder("src/gate", ".ts"),
  JavaScript: folder("bench/speed", ".mjs"),
  JSON: read("package-lock.json"),
  "build log": buildLog,
  "table in Markdown": read("docs/internal/requirements.md"),
  "table of numbers": Array.from(
    { length: 300 },
    (_, row) => `${row}\t${row * 7919}\t${(row / 7).toFixed(4)}\tok`,
  ).join("\n"),
  "Chinese prose": read("README.zh-CN.md"),
  YAML: read("examples/spillway.yaml"),
};

const minified = read("src/gate/spillway.ts")
  .replace(/\s+/g, " ")
  .replace(/ ?([{}();,:=<>]) ?/g, "$1");

const hard: Record<string, string> = {
  base64: noise("a", 40_000).toString("base64"),
  "base64 in lines": noise("b", 40_000).toString("base64").replace(/.{76}/g, "$&\n"),
  base64url: noise("c", 20_000).toString("base64url"),
  hex: noise("d", 20_000).toString("hex"),
  "capital hex": noise("e", 20_000).toString("hex").toUpperCase(),
  "hex dump": noise("f", 8_000)
    .toString("hex")
    .replace(/(.{4})/g, "$1 ")
    .replace(/(.{40})/g, "00000010: $1\n"),
  UUIDs: noise("g", 9_600)
    .toString("hex")
    .replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/g, "$1-$2-$3-$4-$5\n"),
  "minified JavaScript": minified,
  digits: drawn("digits", 20_000, [[0x30, 0x39]]),
  "random letters": drawn("letters", 20_000, [[0x61, 0x7a]]),
  "random capitals": drawn("capitals", 20_000, [[0x41, 0x5a]]),
  "random words": drawn("words", 20_000, [
    [0x61, 0x7a],
    [0x61, 0x7a],
    [0x61, 0x7a],
    [0x20, 0x20],
  ]),
  "random ASCII": drawn("ascii", 20_000, [[0x20, 0x7e]]),
  punctuation: drawn("punctuation", 10_000, [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
  ]),
  "control characters": drawn("control", 5_000, [[0x00, 0x1f]]),
  "random Chinese": drawn("han", 5_000, [[0x4e00, 0x9fff]]),
  "random Korean": drawn("hangul", 5_000, [[0xac00, 0xd7a3]]),
  "random kana": drawn("kana", 5_000, [[0x3041, 0x30fe]]),
  "random Cyrillic": drawn("cyrillic", 5_000, [[0x400, 0x4ff]]),
  "random Greek": drawn("greek", 5_000, [[0x391, 0x3c9]]),
  "random Arabic": drawn("arabic", 5_000, [[0x621, 0x64a]]),
  "random Thai": drawn("thai", 5_000, [
    [0xe01, 0xe3a],
    [0xe40, 0xe4e],
  ]),
  "random Devanagari": drawn("devanagari", 5_000, [[0x901, 0x94d]]),
  "random Latin": drawn("latin", 5_000, [[0xc0, 0x24f]]),
  "any character": drawn("plane", 5_000, [
    [0x80, 0xd7ff],
    [0xe000, 0xfffd],
  ]),
  "any supplementary character": drawn("supplementary", 3_000, [[0x10000, 0x3ffff]]),
  emoji: drawn("emoji", 3_000, [
    [0x1f300, 0x1f64f],
    [0x1f680, 0x1f6ff],
    [0x1f900, 0x1f9ff],
    [0x2600, 0x27bf],
  ]),
  "joined emoji": "👨‍👩‍👧‍👦 🏳️‍🌈 👍🏽 ❤️ ".repeat(300),
  "marks on letters": drawn("marks", 4_000, [
    [0x61, 0x7a],
    [0x300, 0x36f],
  ]),
  "bytes that are no text": noise("h", 6_000).toString("utf8"),
  "replacement characters": "\ufffd".repeat(3_000),
  "lone surrogates": "a\ud800b\udc00 ".repeat(300),
  blanks: " ".repeat(5_000),
  tabs: "\t".repeat(5_000),
  "digits of many scripts": drawn("numbers", 3_000, [
    [0x30, 0x39],
    [0xb2, 0xb9],
    [0x660, 0x669],
    [0xff10, 0xff19],
    [0x2460, 0x2473],
  ]),
  "Chinese beside Latin and wide signs": drawn("mixed", 5_000, [
    [0x4e00, 0x9fff],
    [0x61, 0x7a],
    [0x30, 0x39],
    [0x3000, 0x303f],
    [0xff00, 0xff60],
    [0x20, 0x20],
  ]),
  "letters of other planes in words": drawn("planes", 3_000, [
    [0x61, 0x7a],
    [0x1d400, 0x1d7ff],
    [0x1e700, 0x1e9ff],
    [0x20000, 0x2ffff],
  ]),
  "byte order marks": drawn("marks of order", 3_000, [
    [0xfeff, 0xfeff],
    [0x61, 0x7a],
    [0x20, 0x20],
  ]),
  "Windows newlines": "first line\r\n\r\n\tsecond\r\n".repeat(400),
  "blanks of all kinds": drawn("blanks", 5_000, [
    [0x20, 0x20],
    [0x09, 0x0d],
    [0xa0, 0xa0],
    [0x2000, 0x200a],
  ]),
  "one letter": "a".repeat(5_000),
  "one sign": "=".repeat(5_000),
  rules: `${"-".repeat(80)}\n${"*".repeat(33)}\n${"~=".repeat(40)}\n`.repeat(50),
  "ANSI codes": "\x1b[31merror\x1b[0m: \x1b[1;38;5;214mlinker\x1b[m failed\n".repeat(300),
  "box drawing": "┌──────┬─────┐\n│ name │ val │\n├──────┼─────┤\n└──────┴─────┘\n".repeat(100),
  URLs: "https://example.com/a/b.c?x=1&y=%20%E4%BD%A0&utm_source=mail#frag-2\n".repeat(100),
  Russian: "Съешь же ещё этих мягких французских булок, да выпей чаю. Программа завершилась с ошибкой.\n".repeat(50),
  Greek: "Η γρήγορη καφέ αλεπού πηδάει πάνω από το τεμπέλικο σκυλί. Σφάλμα: λείπει το αρχείο.\n".repeat(50),
  Arabic: "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر ومغلف بجلد أزرق.\n".repeat(50),
  Hebrew: "דג סקרן שט בים מאוכזב ולפתע מצא חברה. הקובץ לא נמצא.\n".repeat(50),
  Hindi: "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश करने वाले भगवान श्रीराम।\n".repeat(50),
  Thai: "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน จงฝ่าฟันพัฒนาวิชาการ\n".repeat(50),
  Korean: "다람쥐 헌 쳇바퀴에 타고파. 프로그램이 오류로 종료되었습니다. 파일을 찾을 수 없습니다.\n".repeat(50),
  Japanese: "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。エラーが発生しました。\n".repeat(50),
  Vietnamese: "Con sói xám nhảy qua hàng rào. Chương trình kết thúc với lỗi: không tìm thấy tệp.\n".repeat(50),
  Turkish: "Pijamalı hasta yağız şoföre çabucak güvendi. Program bir hatayla sonlandı.\n".repeat(50),
  German: "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. Donaudampfschifffahrt.\n".repeat(50),
  "Chinese with Latin": "请在API文档中查找HTTP错误码404的含义，然后重启nginx服务 并检查 config.yaml。\n".repeat(60),
  contractions: "don't won't I'm you're they've he'll she'd IT'S L'AMOUR 'tis rock'n'roll ".repeat(60),
  "names in code": "getElementById XMLHttpRequest MAX_BUFFER_SIZE kebab-case-name $scope.__proto__ ".repeat(60),
};

/** What real tools printed, the first 60,000 characters of each. */
function fixtures(): readonly (readonly [name: string, text: string])[] {
  const outputs = path.join(root, "test/fixtures/outputs");
  return readdirSync(outputs)
    .filter((file) => file.endsWith(".gz"))
    .map((file) => [
      file,
      gunzipSync(readFileSync(path.join(outputs, file)))
        .toString("utf8")
        .slice(0, 60_000),
    ]);
}

let countTokens: (text: string) => number;
beforeAll(async () => {
  countTokens = await loadTokenizer();
});

describe("estimateTokens", () => {
  it.each(Object.entries({ ...ordinary, ...hard }))("is no fewer than the tokenizer counts: %s", (_, text) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(countTokens(text));
  });

  it.each(Object.entries({ ...ordinary, ...hard }))("is no fewer for parts of a text: %s", (name, text) => {
    const source = numbers(name);
    for (const length of [3, 10, 30, 100, 300, 1000, 4000]) {
      for (let round = 0; round < 8; round++) {
        const start = Math.floor(source.next().value * Math.max(1, text.length - length));
        const part = text.slice(start, start + length);
        expect(estimateTokens(part)).toBeGreaterThanOrEqual(countTokens(part));
      }
    }
  });

  it.each([
    ["digits of two scripts", "f\u00b97i] \uff150 \u0ce64"],
    ["a byte order mark", "\ufeffa\ufeffusing x"],
    ["a character without a name before a word", "md\u{2176}\u{21776}\u{1e7c8}wiay"],
    ["vowels on vowels", "\u0e4c\u0e48\u0e32\u0e33\u0e41\u0e45\u0e23"],
    ["rare characters among common ones", "\u5359\u786c\u3077\u7845\u5b62"],
    ["a word that looks like a token", 'kyrgyzstan `&;` UEURg sy\u00f6te "~=",'],
  ])("is no fewer where it was: %s", (_, text) => {
    for (let start = 0; start < text.length; start++) {
      for (let end = start + 1; end <= text.length; end++) {
        const part = text.slice(start, end);
        expect(estimateTokens(part), part).toBeGreaterThanOrEqual(countTokens(part));
      }
    }
  });

  it.each(Object.entries(ordinary))(
    "is at most a quarter too careful on ordinary text, two fifths on lists of paths and Chinese: %s",
    (name, text) => {
      const most = ["table in Markdown", "Chinese prose"].includes(name) ? 1.4 : 1.25;
      expect(estimateTokens(text)).toBeLessThanOrEqual(most * countTokens(text));
    },
  );

  it("is no fewer for what tools print", () => {
    for (const [name, text] of fixtures()) {
      expect(estimateTokens(text), name).toBeGreaterThanOrEqual(countTokens(text));
      const shown = preview(text, { strategy: "smart", maxTokens: 1000 });
      expect(countTokens(shown.text), name).toBeLessThanOrEqual(1000);
    }
  });

  it("is 0 for nothing and the number of its groups for a number", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("1234567")).toBe(3);
  });
});

describe("a preview within a token limit", () => {
  it.each(Object.entries({ ...ordinary, ...hard }))("holds it by the tokenizer's count: %s", (_, text) => {
    for (const strategy of ["head", "tail", "head_tail", "smart"] as const) {
      for (const maxTokens of [200, 2000]) {
        const shown = preview(text, { strategy, maxTokens, maxLines: Infinity });
        expect(countTokens(shown.text)).toBeLessThanOrEqual(maxTokens);
      }
    }
  });

  it.each(Object.entries(ordinary))("uses most of it on ordinary text: %s", (_, text) => {
    const whole = countTokens(text);
    const maxTokens = Math.floor(whole / 3);
    const shown = preview(text, { strategy: "head", maxTokens, maxLines: Infinity });
    expect(countTokens(shown.text)).toBeGreaterThanOrEqual(0.7 * maxTokens);
  });
});

describe("loadTokenizer", () => {
  it("takes markers of models for text", () => {
    expect(countTokens("<|endoftext|>")).toBeGreaterThan(1);
  });

  it("counts long words in linear time, and never a long text too low", () => {
    const word = "abcdefghij".repeat(20_000);
    expect(countTokens(word)).toBeGreaterThan(20_000);
    expect(countTokens(ordinary["build log"]!.repeat(60))).toBeGreaterThanOrEqual(
      60 * countTokens(ordinary["build log"]!) - 60,
    );
  });
});

describe("roughTokens", () => {
  it("counts 3.6 ASCII characters or one Chinese character as a token", () => {
    expect(roughTokens({ chars: 3600, bytes: 3600 })).toBe(1000);
    expect(roughTokens({ chars: 1000, bytes: 3000 })).toBe(1000);
  });
});
