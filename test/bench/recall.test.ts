import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { builtPackage, PROJECT } from "../support/build.ts";

const run = promisify(execFile);
const labels: readonly unknown[] = JSON.parse(readFileSync(join(PROJECT, "test/fixtures/outputs/labels.json"), "utf8"));
const followUp = import(join(PROJECT, "bench/recall/follow-up.mjs")) as Promise<{
  wordsOf(question?: string): readonly string[];
  grep(text: string, words: readonly string[]): string;
  namesFile(shown: string, file: string): boolean;
  namedRange(shown: string, text: string): string | undefined;
}>;

describe("bench/recall", () => {
  it("scores the project's own outputs: by content more is seen than by position, of the same bytes", async () => {
    const { folder } = await builtPackage();
    const script = join(PROJECT, "bench/recall/run.mjs");
    const env = { ...process.env, SPILLWAY_HOME: folder };
    const { stdout } = await run(process.execPath, [script, "--own", "--only", "8,192 B"], { env });
    const rows = stdout
      .split("\n")
      .map((line) => line.split("|").map((cell) => cell.trim()))
      .filter((cells) => cells.length === 12);
    const seen = (name: string) => {
      const [, , , outputs, late, first = ""] = rows.find((cells) => cells[1] === name) ?? [];
      expect([name, outputs, late]).toEqual([name, String(labels.length), "0"]);
      return Number(first.split(" / ")[1]);
    };
    const asked = seen("Spillway, 8,192 B, question");
    expect(asked).toBeGreaterThan(90);
    for (const name of ["head", "tail", "head and tail"]) expect(seen(`${name}, 8,192 B`)).toBeLessThan(asked);
  });

  it("looks for what a question names, or for failure", async () => {
    const { wordsOf, grep } = await followUp;
    expect(wordsOf("Why does LPVS break when spring-core goes from 5.3.27?")).toEqual([
      "LPVS",
      "spring-core",
      "5.3.27",
    ]);
    expect(wordsOf()).toEqual(["error", "fail"]);
    expect(grep("one\nan Error\ntwo", ["error"])).toBe("2:an Error");
  });

  it("obeys a notice, and invents none", async () => {
    const { namesFile, namedRange } = await followUp;
    expect(namesFile("… Full output saved to: /tmp/a/o.txt", "/tmp/a/o.txt")).toBe(true);
    expect(namesFile("the output was cut", "/tmp/a/o.txt")).toBe(false);
    expect(namedRange("read a part with Read(offset=2, limit=2).", "a\nb\nc\nd")).toBe("b\nc");
    expect(namedRange("the output was cut", "a\nb")).toBeUndefined();
  });
});
