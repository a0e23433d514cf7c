import type { ToolDefinition } from "./define-tool.ts";

/** Takes out of a "what to do next" what names a tool that cannot be called. */
export type Advice = (next: string) => string;

/** Makes advice that never sends a model to the hidden tools. */
export function createAdvice(hidden: readonly ToolDefinition[]): Advice {
  if (hidden.length === 0) return (next) => next;
  const names = new Set(hidden.flatMap((tool) => [tool.name, ...(tool.aliases ?? [])]));
  const isHidden = (text: string) => text.split(/[^\w-]+/).some((word) => names.has(word));
  return (next) => {
    if (!isHidden(next)) return next;
    const kept = next.split(/(?<=[.;]) /).filter((clause) => !isHidden(clause));
    return kept.join(" ").replace(/;$/, ".");
  };
}

/** What a tool shows of a list, from an offset that counts from 1. */
export interface ShownPage {
  readonly offset: number;
  readonly limit: number;
  readonly shown: number;
  readonly total: number;
  /** True when all of the list would be shown whole. */
  readonly fits: boolean;
}

/** The call that gets at the rest of a list: all of it, or the next page, or the first. */
export function nextPage(tool: string, params: object, { offset, limit, shown, total, fits }: ShownPage): string {
  const end = offset - 1 + shown;
  const call = (more: object): string => `${tool} ${JSON.stringify({ ...params, ...more })}`;
  if (fits) return `${call({ limit: total })} shows all`;
  return end < total ? `${call({ offset: end + 1, limit })} shows the next` : `${call({ limit })} shows the first`;
}
