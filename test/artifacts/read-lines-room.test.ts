import { expect, it } from "vitest";
import { createMemorySource } from "../../src/artifacts/byte-source.ts";
import { readLinesFrom, scanLineIndex } from "../../src/artifacts/read-lines.ts";

const source = createMemorySource(Buffer.from("a line 01\nb line 02\nc line 03\n"));

it.each([
  [20, "a line 01\nb line 02\n", false],
  [19, "a line 01\n", false],
  [10, "a line 01\n", false],
  [9, "a line 01", true],
  [30, "a line 01\nb line 02\nc line 03\n", false],
  [29, "a line 01\nb line 02\n", false],
])("reads as many whole lines as %i bytes hold, not one byte more", async (maxBytes, text, lineCut) => {
  const answer = await readLinesFrom(source, await scanLineIndex(source), { offsetLine: 1, limit: 9, maxBytes });
  expect(answer).toMatchObject({ text, lineCut, endByte: text.length });
});

it("reads as many lines as asked for, not one more", async () => {
  const answer = await readLinesFrom(source, await scanLineIndex(source), { offsetLine: 2, limit: 1 });
  expect(answer).toMatchObject({ text: "b line 02\n", startLine: 2, endLine: 2, startByte: 10 });
});
