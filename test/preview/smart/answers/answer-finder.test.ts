import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AnswerFinder } from "../../../../src/preview/smart/answers/answer-finder.ts";
import { RowScanner } from "../../../../src/preview/smart/log/row-scanner.ts";
import { createWordAutomaton } from "../../../../src/preview/smart/log/rules/log-automaton.ts";

const QUESTION = 'why does createConnection "time out" for größe, 连接超时 or db-7?';
const LARGE = "nothing to be seen here\n".repeat(5000);

/** What is found when the scanner of a log reads along. */
function besideLog(bytes: Uint8Array): unknown {
  const finder = AnswerFinder.create(QUESTION, true) as AnswerFinder;
  const scanner = new RowScanner(createWordAutomaton([], finder.words), 16_384, finder);
  finder.listenTo(scanner);
  scanner.write(bytes);
  return finder.finish(200, false);
}

function alone(bytes: Uint8Array, chunkBytes: number): unknown {
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

  it("is the same in any chunks, and where a log is read along", () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), fc.integer({ min: 1000, max: 300_000 }), (parts, chunkBytes) => {
        const bytes = new TextEncoder().encode(LARGE + parts.join(""));
        expect(alone(bytes, chunkBytes)).toEqual(besideLog(bytes));
      }),
      { numRuns: 40 },
    );
  });
});
