const MIN_CHARS = 6;
const MAX_CHARS = 60;
const MOST = 16;

/** Pieces of readable text between other bytes, as `strings` finds them: each once, in order, none that is noise. */
export function findStrings(sample: Uint8Array): readonly string[] {
  const found = new Set<string>();
  let start = 0;
  for (let at = 0; at <= sample.length && found.size < MOST; at++) {
    const byte = sample[at] ?? 0;
    if (byte >= 0x20 && byte < 0x7f) continue;
    if (at - start >= MIN_CHARS) {
      const string = String.fromCharCode(...sample.subarray(start, Math.min(at, start + MAX_CHARS))).trim();
      if (isReadable(string)) found.add(string);
    }
    start = at + 1;
  }
  return [...found];
}

function isReadable(text: string): boolean {
  const wordlike = text.match(/[\w ./:-]/g)?.length ?? 0;
  return /[A-Za-z]{4}/.test(text) && wordlike >= 0.85 * text.length;
}
