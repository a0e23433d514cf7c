import { expect, test } from "vitest";
import { RowMentions, troubleOf } from "../../../../src/preview/smart/csv/create-csv-analyzer.ts";
import { Relevance } from "../../../../src/query/relevance.ts";

const WORDS =
  "error fail failed failure fatal critical exception crash crashed timeout denied high severe rejected".split(" ");
const STATES =
  "<defunct> CrashLoopBackOff ImagePullBackOff ErrImagePull OOMKilled Evicted NotReady (unhealthy) (dead)".split(" ");
const mentions = new RowMentions(new Relevance("where is the ledger"));

/** True when what a scanner is told to look for begins somewhere in the text. */
function isFound(text: string): boolean {
  const bytes = [...new TextEncoder().encode(text)];
  return mentions.beginnings.some((beginning) =>
    bytes.some((_, at) => beginning.every((values, place) => values?.includes(bytes[at + place] ?? -1) !== false)),
  );
}

test.each([...WORDS, ...WORDS.map((word) => word.toUpperCase()), ...STATES])(
  "a row with %s is looked at, in a short output and in a long one",
  (word) => {
    const row = `7,${word},x`;
    expect(troubleOf(row, true)).toBeGreaterThan(1);
    expect(mentions.nextMention(row.toLowerCase(), 0)).toBeLessThan(row.length);
    expect(isFound(row)).toBe(true);
  },
);

test("the next of both is told, wherever the other stands", () => {
  const text = "a fine row\nthe ledger\nanother one\nit failed here\nthe ledger again\n";
  const places: number[] = [];
  for (let at = mentions.nextMention(text, 0); at < text.length; at = mentions.nextMention(text, at + 1))
    places.push(at);
  expect(places).toEqual([text.indexOf("ledger"), text.indexOf("fail"), text.lastIndexOf("ledger")]);
  expect(mentions.nextMention("nothing of either", 0)).toBe(Number.POSITIVE_INFINITY);
  expect(isFound("7,fine,x")).toBe(false);
});
