import { kinds } from "../../limits/options.ts";
import type { Limits } from "../../limits/types.ts";
import { fitsRoom } from "../../preview/fit.ts";
import { measure } from "../../preview/measure.ts";
import type { Reserve } from "../../preview/types.ts";
import { describeOutcome, isNotable, type Outcome } from "../../protocol/outcome.ts";
import type { Hint } from "../hint.ts";
import type { Governed } from "../types.ts";
import { renderHint, renderShortHints } from "./hint-text.ts";

/** The result as plain text: all of it and how it ended, unless that was well, or preview and notice within the limits. */
export function renderMessage(governed: Governed): string {
  checkGoverned(governed, "renderMessage()");
  if (governed.kind === "whole") return withEnding(governed.text, governed.outcome);
  const { preview, notice, strategy } = governed;
  if (notice === "") return preview.text;
  if (preview.text === "") return notice;
  return strategy === "tail" ? `${notice}\n\n${preview.text}` : `${preview.text}\n\n${notice}`;
}

/** Throws a readable error for values that are not results of a gate, such as a promise of one. */
export function checkGoverned(governed: unknown, place: string): void {
  kinds.having(
    "a result of govern(), exec() or capture.finish()",
    "kind",
    "outcome",
  )(governed, `The result for ${place}`);
}

function withEnding(text: string, outcome: Outcome): string {
  if (!isNotable(outcome)) return text;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${describeOutcome(outcome)}`;
}

/** A notice may take this share of each limit; the shortest form may take more. */
const SHARE = 0.5;
const LEAST_SHARE = 0.75;
/** The blank line and newline between preview and notice. */
const GAP = 2;

/** Used if tokens are unlimited: nothing is counted. */
const UNCOUNTED = (): number => 0;

const NOTHING: Reserve = { lines: 0, bytes: 0, chars: 0, tokens: 0 };

/** Possible notices next to the preview, the most informative first. */
export function renderNotices(hint: Hint): readonly string[] {
  const { tables, ...plain } = hint;
  const full = tables?.call === undefined ? [] : [renderHint(hint)];
  return [...full, renderHint(plain), ...renderShortHints(hint)];
}

/** Of the notices that a result may turn out to have, those that take most room. */
export function longestOf(alternatives: readonly (readonly string[])[]): readonly string[] {
  return alternatives.reduce((longest, one) => ((one[0]?.length ?? 0) > (longest[0]?.length ?? 0) ? one : longest));
}

/** The room that a notice takes next to the preview. */
export function reserveFor(notice: string, countTokens: (text: string) => number = UNCOUNTED): Reserve {
  if (notice === "") return NOTHING;
  const size = measure(notice);
  return {
    lines: size.lines + 1,
    bytes: size.bytes + GAP,
    chars: size.chars + GAP,
    tokens: countTokens(`\n\n${notice}`) + 1,
  };
}

/** The first of the given notices, longest first, that leaves the preview its share of every limit; else none. */
export function fitNotice(
  notices: readonly string[],
  limits: Limits,
  countTokens?: (text: string) => number,
): { readonly index: number; readonly reserve: Reserve } {
  for (const [index, notice] of notices.entries()) {
    const reserve = reserveFor(notice, countTokens);
    const share = index === 0 ? SHARE : LEAST_SHARE;
    const fits =
      reserve.lines <= limits.maxLines * share &&
      reserve.bytes <= limits.maxBytes * share &&
      reserve.chars <= limits.maxChars * share &&
      reserve.tokens <= limits.maxTokens * share;
    if (fits) return { index, reserve };
  }
  return { index: -1, reserve: NOTHING };
}

/** True when preview and notice together exceed no limit; a host's own hint may turn out longer than announced. */
export function fitsBeside(
  preview: string,
  notice: string,
  limits: Limits,
  countTokens: (text: string) => number = UNCOUNTED,
): boolean {
  const { maxLines: lines, maxBytes: bytes, maxChars: chars, maxTokens: tokens } = limits;
  return fitsRoom(`${preview}\n\n${notice}`, { lines, bytes, chars, tokens, countTokens });
}
