/**
 * The UTF-16 unit at a place of a text; 0 behind its end. An engine that `charCodeAt` once gave no number takes three times as
 * long for every further unit at that place of the code.
 */
export function unitAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : 0;
}
