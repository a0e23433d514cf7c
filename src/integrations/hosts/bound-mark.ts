/** How a notice begins: `[1a2b3c] …` below a preview, `[spillway 1a2b3c: …` from the proxy, which may lack the mark. */
const NOTICE = /^\[(?:([0-9a-f]{6})\]|spillway(?: ([0-9a-f]{6}))?:) /gm;
/** The id of a saved output. */
const ARTIFACT_ID = /(?<![0-9a-z])[0-9a-z]{22}(?![0-9a-z])/;
/** Notices are at the end of a text, within so many characters. */
const NOTICE_CHARS = 3000;
/** More than any layer lets through; a longer text only quotes a notice. */
export const MAX_BOUNDED_CHARS = 60_000;

/**
 * True for a text that another layer of Spillway has already bounded; it is not bounded twice. Such a text ends with a
 * notice whose mark its markers carry too, or which names a saved output.
 */
export function isBounded(text: string): boolean {
  if (text.length > MAX_BOUNDED_CHARS) return false;
  const end = text.slice(-NOTICE_CHARS);
  return [...end.matchAll(NOTICE)].some(({ 1: own, 2: proxied, index }) => {
    const mark = own ?? proxied;
    return (mark !== undefined && text.includes(`…${mark} `)) || ARTIFACT_ID.test(end.slice(index));
  });
}
