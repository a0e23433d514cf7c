import { describe, expect, it } from "vitest";
import { linesForm, MOST_FORM, sizePrior } from "../../../../src/preview/smart/diff/block-prior.ts";
import type { DiffBlock } from "../../../../src/preview/smart/diff/diff-blocks.ts";

function block(...texts: readonly string[]): DiffBlock {
  const changed = texts.filter((text) => /^[+-]/.test(text)).length;
  const removed = texts.filter((text) => text.startsWith("-")).length;
  return { lines: texts.map((text) => ({ text })), changed, removed } as unknown as DiffBlock;
}

const many = (count: number, text: string): string[] => Array.from({ length: count }, () => text);

describe("a block of a diff", () => {
  it("is worth more the more it changes, up to six lines", () => {
    expect(sizePrior(block("+a", " b"))).toBeLessThan(sizePrior(block("+a", "+b")));
    expect(sizePrior(block(...many(5, "+a")))).toBeLessThan(sizePrior(block(...many(6, "+a"))));
    expect(sizePrior(block(...many(6, "+a")))).toBe(sizePrior(block(...many(12, "+a"))));
  });

  it("is worth less the more of it is gone", () => {
    const added = sizePrior(block("+a", "+b"));
    const replaced = sizePrior(block("-a", "+b"));
    const removed = sizePrior(block("-a", "-b"));
    expect(added).toBeGreaterThan(replaced);
    expect(replaced).toBeGreaterThan(removed);
    expect(removed).toBeGreaterThan(0);
  });

  it("says most by decisions, least by comments, and nothing by what is gone", () => {
    const decision = linesForm(block("+  if (retries > 3) return;"));
    const plain = linesForm(block("+  call(one);"));
    const comment = linesForm(block("+  // about retries"));
    expect([decision, plain]).toEqual([MOST_FORM, 1]);
    expect(comment).toBeLessThan(plain);
    expect(linesForm(block("-  if (retries > 3) return;"))).toBe(1);
  });
});
