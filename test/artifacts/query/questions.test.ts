import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { answerQuery } from "../../../src/artifacts/query/answer-query.ts";

interface Question {
  readonly output: string;
  readonly sql: string;
  readonly answer: readonly (readonly unknown[])[];
}

/** Questions about outputs of real tools; `answers.py` beside them computes the answers without Spillway. */
const questions = JSON.parse(readFileSync(new URL("questions.json", import.meta.url), "utf8")) as Question[];
const folder = mkdtempSync(join(tmpdir(), "spillway-questions-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("questions about outputs of real tools", () => {
  it.each(questions)("$output: $sql", async ({ output, sql, answer }) => {
    const path = join(folder, output);
    writeFileSync(path, gunzipSync(readFileSync(new URL(`../../fixtures/outputs/${output}.gz`, import.meta.url))));
    const { rows } = await answerQuery({ path, sql, maxRows: 1000, maxBytes: 1_000_000 });
    expect(rows).toEqual(answer);
  });
});
