import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../support/build.ts";

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  readonly source: string;
  /** Where it begins, from 1. */
  readonly line: number;
  /** What a `text` block right below says that it prints. */
  readonly printed?: string;
  readonly start: number;
  readonly end: number;
}

const FENCE = /^( *)```(\w*)\n([\s\S]*?)^\1```$/gm;

/** The pages whose blocks are run: all that a user reads. Frameworks have tests with the real packages, and api.md is made. */
export const PAGES: readonly string[] = [
  "README.md",
  "README.zh-CN.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(PROJECT, "docs"))
    .filter((name) => name.endsWith(".md") && name !== "api.md")
    .map((name) => `docs/${name}`),
];

export function readPage(page: string): string {
  return readFileSync(join(PROJECT, page), "utf8");
}

export function blocksOf(text: string): readonly Block[] {
  const found = [...text.matchAll(FENCE)].map((match) => ({
    language: match[2] ?? "",
    source: match[3] ?? "",
    line: text.slice(0, match.index).split("\n").length,
    start: match.index,
    end: match.index + match[0].length,
  }));
  return found.map((block, at) => {
    const next = found[at + 1];
    const below = next?.language === "text" && text.slice(block.end, next.start).trim() === "";
    return below && ["sh", "js", "ts"].includes(block.language) ? { ...block, printed: next.source } : block;
  });
}
