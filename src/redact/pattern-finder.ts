import type { Find } from "./rule.ts";

/** A pattern of the user's own. */
export interface OwnPattern {
  readonly kind: string;
  readonly pattern: RegExp;
}

/** Finds the user's patterns in a line. A group named `secret`, or else the first one, is what is replaced. */
export class PatternFinder {
  readonly #patterns: readonly OwnPattern[];

  constructor(patterns: readonly OwnPattern[]) {
    this.#patterns = patterns.map(({ kind, pattern }) => ({
      kind,
      pattern: new RegExp(pattern.source, `${pattern.flags.replace(/[gyd]/g, "")}gd`),
    }));
  }

  /** In order of their place. */
  find(bytes: Uint8Array, from: number, to: number): readonly Find[] {
    const text = utf8.decode(bytes.subarray(from, to));
    // Bytes that are no UTF-8 would make places and characters differ.
    const exact = !text.includes("\ufffd");
    const line = exact ? text : latin1.decode(bytes.subarray(from, to));
    const placeOf = (index: number) => from + (exact ? encoder.encode(line.slice(0, index)).length : index);
    const finds: Find[] = [];
    for (const { kind, pattern } of this.#patterns) {
      for (const match of line.matchAll(pattern)) {
        const [start, end] = match.indices?.groups?.secret ?? match.indices?.[1] ?? match.indices?.[0] ?? [0, 0];
        if (end > start) finds.push({ kind, start: placeOf(start), end: placeOf(end) });
      }
    }
    return finds.sort((a, b) => a.start - b.start);
  }
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const latin1 = new TextDecoder("latin1");
const encoder = new TextEncoder();
