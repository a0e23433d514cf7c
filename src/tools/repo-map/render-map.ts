import { onOneLine } from "../../gate/quote-word.ts";
import type { RankedDefinition } from "./rank.ts";

const NUMBER_WIDTH = 5;

export interface RenderedMap {
  readonly text: string;
  readonly shown: number;
  /** At most this many; loading a tokenizer for the exact number would take longer than the map. */
  readonly tokens: number;
}

/** The best definitions that fit into the tokens, by file, the best file first. */
export function renderMap(ranked: readonly RankedDefinition[], maxTokens: number): RenderedMap {
  const files = new Map<string, Map<number, string>>();
  let tokens = 0;
  let shown = 0;
  for (const { file, line, text } of ranked) {
    const lines = files.get(file) ?? new Map<number, string>();
    if (lines.has(line)) {
      shown++;
      continue;
    }
    const shownLine = `${String(line).padStart(NUMBER_WIDTH)}: ${text}`;
    const cost = countTokens(`${shownLine}\n`) + (files.has(file) ? 0 : countTokens(`${file}\n`));
    if (tokens + cost > maxTokens) break;
    tokens += cost;
    shown++;
    files.set(file, lines.set(line, shownLine));
  }
  const blocks = [...files].map(([file, lines]) => {
    const inOrder = [...lines].sort(([a], [b]) => a - b).map(([, text]) => text);
    return [onOneLine(file), ...inOrder].join("\n");
  });
  return { text: blocks.join("\n"), shown, tokens };
}

/** Pieces that are rarely split further by a tokenizer for code; the blank before a word belongs to it. */
const PIECES = /[A-Za-z]{1,6}|[0-9]{1,3}|[^\sA-Za-z0-9]|\n|[ \t]{2,}/g;

function countTokens(text: string): number {
  return text.match(PIECES)?.length ?? 0;
}
