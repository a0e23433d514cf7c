/** How the notice below a cut result begins, whichever layer wrote it. */
export const BOUND_MARK =
  /Output truncated: [\d,]+ of |Output shown without formatting codes|Truncated(?:\. Full output|; full output lost): /;
/** A notice stands at the end. */
export const MARK_CHARS = 3000;
/** More than any layer lets through; whatever is longer only quotes a notice. */
export const MARKED_CHARS = 60_000;

/** True for a text that another layer of Spillway has bounded already; it is not bounded twice. */
export function isBounded(text: string): boolean {
  return text.length <= MARKED_CHARS && BOUND_MARK.test(text.slice(-MARK_CHARS));
}
