import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROJECT } from "../support/build.ts";

/** The arms of which the READMEs speak, in their order. */
const ARMS = [
  "Spillway, 8,192 B, question",
  "Spillway, 8,192 B, no question",
  "opencode",
  "gemini-cli-core",
  "Codex",
  "Qwen Code",
  "Claude Code, failed",
  "head and tail, 8,192 B",
];

const read = (page: string) => readFileSync(join(PROJECT, page), "utf8");
const cellsOf = (line: string) => line.split("|").map((cell) => cell.trim());

/** What was measured of an arm, as the READMEs round it; no search where the arm leaves nothing to be searched. */
function measured(arm: string): readonly string[] {
  const row =
    read("bench/recall/README.md")
      .split("\n")
      .map(cellsOf)
      .find((cells) => cells[1] === arm) ?? [];
  const [, , , , , first = "", , after = "", , , bytes = ""] = row;
  const all = (cell: string) => `${Math.round(Number(cell.split(" / ")[1]))} %`;
  return [all(first), after === "–" ? "" : all(after), bytes];
}

it.each(["README.md", "README.zh-CN.md"])("%s says what bench/recall has measured", (page) => {
  const table = read(page).split("npm run bench:recall")[1]!.split("\n\n")[1]!;
  const rows = table.split("\n").slice(2).map(cellsOf);
  const shown = rows.map(([, , first = "", after = "", bytes = ""]) => [first, /\d/.test(after) ? after : "", bytes]);
  expect(shown.map((cells) => cells.map((cell) => cell.replaceAll("*", "")))).toEqual(ARMS.map(measured));
});
