import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AnswerFinder } from "../../../../src/preview/smart/answers/answer-finder.ts";
import { createAutomaton } from "../../../../src/preview/smart/log/automaton.ts";
import { RowScanner } from "../../../../src/preview/smart/log/row-scanner.ts";
import { createFinder } from "../../../../src/preview/smart/log/shared-finder.ts";

const QUESTION = 'why does createConnection "time out" for größe, 连接超时 or db-7?';
/** From here on a finder looks for what terms begin with. */
const LARGE = "nothing to be seen here\n".repeat(50_000);

/** What a finder of its own finds by an automaton alone. */
function byAutomaton(bytes: Uint8Array): unknown {
  const finder = AnswerFinder.create(QUESTION, true) as AnswerFinder;
  const automaton = createAutomaton(finder.words);
  const scanner = new RowScanner(automaton, 16_384, { finder: createFinder(), asked: finder });
  finder.listenTo(scanner, automaton);
  scanner.write(bytes);
  return finder.finish(200, false);
}

function byBeginnings(bytes: Uint8Array, chunkBytes: number): unknown {
  const finder = AnswerFinder.create(QUESTION, true) as AnswerFinder;
  for (let at = 0; at < bytes.length; at += chunkBytes) finder.write(bytes.subarray(at, at + chunkBytes));
  return finder.finish(200, false);
}

describe("what rows of a long output answer", () => {
  const part = fc.constantFrom(
    "createConnection",
    "CREATECONNECTION",
    "reconnect",
    "time out",
    "runtime",
    "Größe",
    "GRÖSSE",
    "连接",
    "db-7",
    "db-8",
    " ",
    ".",
    "\r",
    "\u001b[1m",
    "\n",
    "\n",
    "x".repeat(700),
    "é".repeat(1030),
  );

  it("is the same whether terms are found by their ends or by their beginnings", () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), fc.integer({ min: 1000, max: 300_000 }), (parts, chunkBytes) => {
        const bytes = new TextEncoder().encode(LARGE + parts.join(""));
        expect(byBeginnings(bytes, chunkBytes)).toEqual(byAutomaton(bytes));
      }),
      { numRuns: 40 },
    );
  });
});
