import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";
import { createRandom, everydayTexts } from "./everyday-texts.ts";

const QUESTIONS = 5;
const BUDGETS = [
  { name: "8,000 characters", limits: { maxChars: 8000, maxBytes: 8000 } },
  { name: "4,096 bytes", limits: { maxBytes: 4096 } },
] as const;

interface KnownItem {
  readonly line: string;
  readonly words: readonly string[];
}

/** Lines that can be asked for by their rarest words, of which the rarest stands on at most six lines. */
function knownItems(text: string): readonly KnownItem[] {
  const wordsOf = (line: string) => [...new Set(line.match(/[A-Za-z_][A-Za-z0-9_]{3,}/g) ?? [])];
  const all = text.split("\n");
  const counts = new Map<string, number>();
  for (const line of all) for (const word of wordsOf(line)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const countOf = (word: string) => counts.get(word) ?? 0;
  const random = createRandom(11);
  const items: KnownItem[] = [];
  for (let tries = 0; tries < 4000 && items.length < QUESTIONS; tries++) {
    const line = all[random(all.length)]?.trim() ?? "";
    if (line.length < 25 || line.length > 200) continue;
    const words = wordsOf(line)
      .sort((a, b) => countOf(a) - countOf(b))
      .slice(0, 3);
    if (words.length > 1 && countOf(words[0] ?? "") <= 6) items.push({ line, words });
  }
  return items;
}

describe("a line asked for by its rarest words", () => {
  for (const [name, text] of everydayTexts()) {
    for (const budget of BUDGETS) {
      it(`is shown: ${name}, ${budget.name}`, () => {
        const items = knownItems(text);
        expect(items).toHaveLength(QUESTIONS);
        const missed = items.filter(({ line, words }) => {
          const query = `Where is ${words.join(" and ")}?`;
          const shown = preview(text, { strategy: "smart", ...budget.limits, query });
          return !shown.text.includes(line);
        });
        expect(missed).toEqual([]);
      });
    }
  }

  it("is shown when all of it is the question", () => {
    const text = everydayTexts().get("history") ?? "";
    for (const { line } of knownItems(text)) {
      expect(preview(text, { strategy: "smart", maxBytes: 4096, query: line }).text).toContain(line);
    }
  });

  it("brings its neighbours", () => {
    const text = everydayTexts().get("history") ?? "";
    const lines = text.split("\n");
    const at = lines.findIndex((line, index) => index > 2000 && line.startsWith("commit "));
    const shown = preview(text, { strategy: "smart", maxBytes: 4096, query: `what is ${lines[at]?.slice(7)}?` }).text;
    expect(shown).toContain(`${lines[at]}\n${lines[at + 1]}\n${lines[at + 2]}`);
  });
});

describe("a long line", () => {
  it("is shown around the words that were asked for", () => {
    const words = Array.from({ length: 40_000 }, (_, index) => `w${index}`);
    words[21_000] = "gooseberry";
    const shown = preview(`start\n${words.join(" ")}\nend\n`, {
      strategy: "smart",
      maxBytes: 2000,
      query: "where is the gooseberry?",
    });
    expect(shown.text).toContain("w20999 gooseberry w21001");
  });
});

describe("a question in Chinese, Japanese or Korean", () => {
  const cases = [
    ["数据库连接为什么失败？", "2024-05-01 数据库主节点连接被拒绝，重试三次后失败"],
    ["支付回调在哪里处理？", "支付系统的回调由订单服务处理完毕"],
    ["在哪裡設定逾時時間?", "預設的逾時時間為三十秒"],
    ["設定ファイルはどこですか", "設定ファイルを /etc/app.conf から読み込みました"],
    ["결제 서버 인증서는 언제 만료됩니까?", "결제 서버 인증서 갱신: 2024년 6월 1일"],
  ] as const;

  for (const [query, line] of cases) {
    it(`finds its line: ${query}`, () => {
      const lines = Array.from({ length: 5000 }, (_, index) => `第${index}步：任务已完成，用时${index % 90}毫秒`);
      lines[2500] = line;
      expect(preview(lines.join("\n"), { strategy: "smart", maxBytes: 4096, query }).text).toContain(line);
    });
  }
});
