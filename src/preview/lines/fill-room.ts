import { byteLength } from "../../bytes/utf8.ts";
import { fitsRoom } from "../fit.ts";
import { NOTHING, type Room, type Selection } from "../pieces.ts";

/** One column for each feature, a row for each line. */
export type FeatureColumns<Feature extends string> = Readonly<Record<Feature, Float64Array>>;

/** Columns of zeros. */
export function emptyColumns<Feature extends string>(
  names: readonly Feature[],
  rows: number,
): Record<Feature, Float64Array> {
  return Object.fromEntries(names.map((name) => [name, new Float64Array(rows)])) as Record<Feature, Float64Array>;
}

/** What each of the rows is worth: the sum of its features, each by its weight. */
export function weighFeatures<Feature extends string>(
  columns: FeatureColumns<Feature>,
  weights: Readonly<Record<Feature, number>>,
  rows: number,
): Float64Array {
  const scores = new Float64Array(rows);
  for (const name in columns) addWeighted(scores, columns[name], weights[name]);
  return scores;
}

function addWeighted(scores: Float64Array, column: Float64Array, weight: number): void {
  for (let row = 0; row < scores.length; row++)
    scores[row] = (scores[row] as number) + weight * (column[row] as number);
}

/**
 * Raises each score towards the best within `reach` rows of the same group: what is wrong seldom stands on one line, and
 * a line between two that are shown costs no marker.
 */
export function leanOnNeighbours(
  scores: Float64Array,
  groups: readonly unknown[],
  { reach, share }: { readonly reach: number; readonly share: number },
): Float64Array {
  const raised = new Float64Array(scores.length);
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row] as number;
    const last = Math.min(scores.length - 1, row + reach);
    let best = score;
    for (let at = Math.max(0, row - reach); at <= last; at++)
      if (groups[at] === groups[row]) best = Math.max(best, scores[at] as number);
    raised[row] = (1 - share) * score + share * best;
  }
  return raised;
}

/** How much a candidate adds to the text, roughly; `render` has the last word. */
export interface Cost {
  readonly lines: number;
  readonly chars: number;
}

/** The characters that the room allows at most, whatever the text; what may be held in memory follows from it. */
export function roomChars(room: Room): number {
  return Math.min(room.chars, room.bytes, room.tokens * 6, 1_000_000);
}

interface FillOptions<T> {
  /** What candidates are shown below, and its characters, which count once. */
  readonly groupOf?: (candidate: T) => { readonly key: unknown; readonly chars: number };
  /** True where nothing may be passed over: the first that does not fit is the last that is looked at. @default false */
  readonly inOrder?: boolean;
}

/** So many candidates may be too large before no smaller one is looked for. */
const MOST_REFUSALS = 200;

/**
 * Chooses from `ranked`, best first, as much as the room holds, and gives the rendered text. A candidate that does not
 * fit is passed over for smaller ones behind it. The sizes are estimated first and corrected by what `render` makes of
 * the choice, so that markers, wide characters and tokens count as they really are. The text is empty when not even
 * what stands around the candidates fits.
 */
export function fillRoom<T>(
  ranked: readonly T[],
  costOf: (candidate: T) => Cost,
  render: (chosen: readonly T[]) => Selection,
  room: Room,
  { inOrder = false, groupOf }: FillOptions<T> = {},
): Selection {
  let charLimit = Math.min(room.chars, room.bytes, room.tokens * 4);
  let lineLimit = room.lines;
  let best: Selection | undefined;
  let low = 0;
  for (let round = 0; round < 6; round++) {
    const chosen = choose(ranked, costOf, { charLimit, lineLimit, refusals: inOrder ? 0 : MOST_REFUSALS, groupOf });
    const rendered = render(chosen);
    const share = shareOfRoom(rendered.text, room);
    if (share <= 1) {
      if (best === undefined || rendered.text.length > best.text.length) best = rendered;
      if (share > 0.985 || chosen.length === ranked.length) break;
      low = charLimit;
      charLimit += Math.max(40, Math.floor((charLimit * (1 - share)) / Math.max(share, 0.5)));
      lineLimit = Math.min(room.lines * 2, Math.floor(lineLimit / Math.max(share, 0.5)));
    } else {
      charLimit = Math.max((low + charLimit) / 2 > charLimit * 0.99 ? 0 : low, Math.floor((charLimit / share) * 0.985));
      lineLimit = Math.floor((lineLimit / share) * 0.985);
    }
  }
  if (best !== undefined) return best;
  for (
    let count =
      choose(ranked, costOf, { charLimit, lineLimit, refusals: inOrder ? 0 : MOST_REFUSALS, groupOf }).length >> 1;
    count > 0;
    count >>= 1
  ) {
    const rendered = render(ranked.slice(0, count));
    if (fitsRoom(rendered.text, room)) return rendered;
  }
  const frame = render([]);
  return fitsRoom(frame.text, room) ? frame : NOTHING;
}

function choose<T>(
  ranked: readonly T[],
  costOf: (candidate: T) => Cost,
  {
    charLimit,
    lineLimit,
    refusals,
    groupOf,
  }: {
    readonly charLimit: number;
    readonly lineLimit: number;
    readonly refusals: number;
    readonly groupOf: FillOptions<T>["groupOf"];
  },
): T[] {
  const open = new Set<unknown>();
  const chosen: T[] = [];
  let chars = 0;
  let lines = 0;
  let refused = 0;
  for (const candidate of ranked) {
    const cost = costOf(candidate);
    const group = groupOf?.(candidate);
    const headed = group === undefined || open.has(group.key) ? 0 : 1;
    const costChars = cost.chars + (headed === 0 ? 0 : (group?.chars ?? 0) + 1);
    if (chars + costChars <= charLimit && lines + cost.lines + headed <= lineLimit) {
      chosen.push(candidate);
      open.add(group?.key);
      chars += costChars;
      lines += cost.lines + headed;
    } else if (++refused > refusals) {
      break;
    }
  }
  return chosen;
}

function shareOfRoom(text: string, room: Room): number {
  const ofLines = room.lines === Number.POSITIVE_INFINITY ? 0 : countLines(text) / room.lines;
  const ofBytes = room.bytes === Number.POSITIVE_INFINITY ? 0 : byteLength(text) / room.bytes;
  const ofTokens = room.tokens === Number.POSITIVE_INFINITY ? 0 : room.countTokens(text) / room.tokens;
  return Math.max(text.length / room.chars, ofLines, ofBytes, ofTokens);
}

function countLines(text: string): number {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
