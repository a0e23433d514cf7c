import type { GoldenCase, MadeCase } from "./cases.mjs";

type Show = (
  text: string,
  options: { readonly strategy: "smart"; readonly maxBytes: number; readonly query?: string },
) => { readonly text: string };

export function goldenFile(kind: string, cases: readonly GoldenCase[], preview: Show): string;
export function misses(made: MadeCase, preview: Show): string[];
export function byKind<Case extends GoldenCase>(cases: readonly Case[]): Map<string, Case[]>;
