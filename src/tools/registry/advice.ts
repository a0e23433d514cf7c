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
