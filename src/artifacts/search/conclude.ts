import type { Passage } from "./search-passages.ts";

/** The result of ranking passages for a question. */
export interface Conclusion {
  readonly conclusion: string;
  readonly evidence: readonly Evidence[];
}

export interface Evidence {
  /** path:line */
  readonly pointer: string;
  readonly quote: string;
  readonly reasons: readonly string[];
}

/** One sentence with the result and its position. `places` names the searched outputs. */
export function concludeFromPassages(question: string, places: string, passages: readonly Passage[]): Conclusion {
  const evidence = passages.map((passage) => ({
    pointer: `${passage.path}:${passage.line}`,
    quote: passage.quote,
    reasons: passage.reasons,
  }));
  const first = evidence[0];
  if (first === undefined) {
    return { conclusion: `Nothing in ${places} holds a word of "${question}", nor an error.`, evidence };
  }
  const others = passages.length - 1 + passages.reduce((sum, { similar }) => sum + similar, 0);
  const more = others === 0 ? "" : `; ${others} more ${others === 1 ? "place fits" : "places fit"}`;
  return { conclusion: `Best fit for "${question}": ${first.pointer} says "${first.quote}"${more}.`, evidence };
}
