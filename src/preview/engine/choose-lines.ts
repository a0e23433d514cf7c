import type { TextLine } from "./text-line.ts";

/** Lines that are shown together or not at all. */
export interface Choice {
  readonly lines: readonly { readonly line: TextLine; readonly reason: string }[];
  readonly score: number;
}

/** Of an output of which nothing is asked, so much of what is shown comes from its beginning; the rest is its end. */
const HEAD_SHARE = 0.8;
/** A gap of so few lines is shown, since its marker would take about as much. */
const SHORT_GAP = 1;

/** The lines in the order in which they are worth showing, each with the declarations around it. */
export function rankByScore(lines: readonly TextLine[], scores: Float64Array): Choice[] {
  const filled = Array.from(scores.keys()).filter((index) => lines[index]?.kind !== "blank");
  const first = filled[0];
  if (first === undefined) return [];
  const order = filled.toSorted((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  const places = new Map(lines.map((line, index) => [line, index]));
  const taken = new Uint8Array(lines.length);
  const choices: Choice[] = [];
  for (const index of [first, ...order]) {
    if (taken[index] === 1) continue;
    const group: { line: TextLine; reason: string }[] = [];
    const take = (at: number, reason: string): void => {
      if (taken[at] === 1) return;
      taken[at] = 1;
      group.push({ line: lines[at] as TextLine, reason });
      for (const step of [-1, 1]) for (const between of gapBeside(lines, taken, at, step)) take(between, "between");
    };
    for (let scope = lines[index]?.scope; scope !== undefined; scope = scope.parent) {
      const head = places.get(scope.head);
      if (head !== undefined && head !== index) take(head, "signature");
    }
    take(index, index === first ? "head" : "question");
    for (let after = index + 1; lines[after]?.kind === "closer"; after++) take(after, "between");
    choices.push({ lines: group, score: Math.max(0, scores[index] as number) });
  }
  return choices;
}

/** The lines between one and the next that is taken, where these are few. */
function gapBeside(lines: readonly TextLine[], taken: Uint8Array, at: number, step: number): number[] {
  const gap: number[] = [];
  for (let other = at + step; gap.length <= SHORT_GAP; other += step) {
    if (lines[other] === undefined) return [];
    if (taken[other] === 1) return gap;
    gap.push(other);
  }
  return [];
}

/** The first lines and the last, so that any number of them from the front is shown in two parts. */
export function rankByPlace(lines: readonly TextLine[]): Choice[] {
  const choices: Choice[] = [];
  let from = 0;
  let to = lines.length - 1;
  let headChars = 0;
  let tailChars = 0;
  while (from <= to) {
    const head = headChars * (1 - HEAD_SHARE) <= tailChars * HEAD_SHARE;
    const line = lines[head ? from++ : to--] as TextLine;
    if (head) headChars += line.held.chars;
    else tailChars += line.held.chars;
    choices.push({ lines: [{ line, reason: head ? "head" : "tail" }], score: 0 });
  }
  return choices;
}
