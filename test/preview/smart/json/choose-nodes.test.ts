import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Choice } from "../../../../src/preview/smart/json/choose-nodes.ts";
import { HeadReader } from "../../../../src/preview/smart/json/head-reader.ts";
import { HeadScanner } from "../../../../src/preview/smart/json/head-scanner.ts";
import { JsonTree } from "../../../../src/preview/smart/json/json-tree.ts";
import { planPreview } from "../../../../src/preview/smart/json/plan-preview.ts";
import { JsonDrawing } from "../../../../src/preview/smart/json/render-json.ts";
import { Relevance } from "../../../../src/query/relevance.ts";

function treeOf(value: unknown): JsonTree {
  const reader = new HeadReader();
  const tree = new JsonTree({ reader, relevance: new Relevance(""), maxWeight: 600_000, maxItems: 400 });
  const scanner = new HeadScanner(tree, reader);
  scanner.write(new TextEncoder().encode(JSON.stringify(value)));
  scanner.end();
  tree.settle();
  return tree;
}

const word = fc.constantFrom(
  "id",
  "name",
  "severity",
  "critical",
  "ok",
  "message",
  "a longer text that says more than a word",
);
const record = fc.dictionary(
  word,
  fc.oneof(word, fc.nat(9), fc.array(word, { maxLength: 6 }), fc.dictionary(word, word)),
);
const document = fc.dictionary(word, fc.oneof(word, fc.array(record, { maxLength: 12 }), record));
const budgets = fc.array(fc.integer({ min: 1, max: 1500 }), { minLength: 1, maxLength: 6 });

describe("a choice", () => {
  it("is the same for a budget, and drawn the same, whatever was tried before", () => {
    fc.assert(
      fc.property(document, budgets, (value, tried) => {
        const { root } = treeOf(value);
        const plan = planPreview(root);
        const choice = new Choice(plan);
        const drawing = new JsonDrawing(root, choice.chosen, 1000);
        for (const budget of tried) {
          const text = drawing.draw(choice.fill(budget));
          const fresh = new Choice(plan);
          expect(text).toBe(new JsonDrawing(root, fresh.chosen, 1000).draw(fresh.fill(budget)));
          expect(new Map(choice.chosen)).toEqual(new Map(fresh.chosen));
        }
      }),
    );
  });
});
