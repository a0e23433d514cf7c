import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/artifacts/memory-store.ts";
import { renderMessage } from "../../src/gate/render/notice.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import { STRATEGIES } from "../../src/limits/types.ts";
import { loadTokenizer } from "../../src/preview/tokenizer.ts";

const base64 = createHash("shake256", { outputLength: 60_000 }).update("tokens").digest().toString("base64");
const outputs = {
  "base64 text in one line": base64,
  "base64 text in lines": base64.replace(/.{76}/g, "$&\n"),
  "Chinese text": Array.from(
    { length: 900 },
    (_, step) => `构建失败：无法找到文件，请检查配置并重试。第${step}步已经完成，耗时三秒。\n`,
  ).join(""),
  emoji: "✅ 🚀 done 👨‍👩‍👧 ".repeat(4000),
};

describe("maxTokens at the gate", () => {
  const spillway = createSpillway({ store: createMemoryStore(), env: {}, config: false, maxTokens: 8000 });

  it.each(Object.entries(outputs))("holds by the tokenizer's own count, notice included: %s", async (name, output) => {
    const countTokens = await loadTokenizer();
    for (const strategy of STRATEGIES) {
      const governed = await spillway.govern(output, { strategy, maxLines: Infinity });
      expect(governed.kind).toBe("bounded");
      const tokens = countTokens(renderMessage(governed));
      expect(tokens).toBeLessThanOrEqual(8000);
      // Encoded data is named in one line instead of shown.
      if (strategy !== "smart" || !name.startsWith("base64")) expect(tokens).toBeGreaterThan(5000);
    }
  });

  it("is exact: a text of just as many tokens stays whole, in a stream too", async () => {
    const countTokens = await loadTokenizer();
    const text = base64.slice(0, 12_000);
    const maxTokens = countTokens(text);
    async function* chunks() {
      for (let at = 0; at < text.length; at += 777) yield Buffer.from(text.slice(at, at + 777));
    }
    for (const output of [() => text, chunks]) {
      expect((await spillway.govern(output(), { maxTokens })).kind).toBe("whole");
      expect((await spillway.govern(output(), { maxTokens: maxTokens - 1 })).kind).toBe("bounded");
    }
  });

  it("takes a counter that is given instead", async () => {
    const words = (text: string) => text.split(/\s+/).length;
    const counting = createSpillway({ store: createMemoryStore(), env: {}, config: false, countTokens: words });
    expect((await counting.govern(base64.slice(0, 60), { maxTokens: 1 })).kind).toBe("whole");
  });
});
