import { expect, test } from "vitest";
import { RowMentions, troubleOf } from "../../../../src/preview/smart/csv/create-csv-analyzer.ts";
import { Relevance } from "../../../../src/query/relevance.ts";

const WORDS =
  "error fail failed failure fatal critical exception crash crashed timeout denied high severe rejected".split(" ");
const STATES =
  "<defunct> CrashLoopBackOff ImagePullBackOff ErrImagePull OOMKilled Evicted NotReady (unhealthy) (dead)".split(" ");
const mentions = new RowMentions(new Relevance("where is the ledger"));

test.each([...WORDS, ...WORDS.map((word) => word.toUpperCase()), ...STATES])("a row with %s is looked at", (word) => {
  const row = `7,${word},x`;
  expect(troubleOf(row, true)).toBeGreaterThan(1);
  expect(mentions.nextMention(row.toLowerCase(), 0)).toBeLessThan(row.length);
});

test("the next of both is told, wherever the other stands", () => {
  const text = "a fine row\nthe ledger\nanother one\nit failed here\nthe ledger again\n";
  const places: number[] = [];
  for (let at = mentions.nextMention(text, 0); at < text.length; at = mentions.nextMention(text, at + 1))
    places.push(at);
  expect(places).toEqual([text.indexOf("ledger"), text.indexOf("fail"), text.lastIndexOf("ledger")]);
  expect(mentions.nextMention("nothing of either", 0)).toBe(Number.POSITIVE_INFINITY);
});
