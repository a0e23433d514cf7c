export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;

/** What a one-letter escape stands for, by its letter; 0 where JSON has none. */
export const SIMPLE = new Uint8Array(256);
for (const [letter, byte] of Object.entries({
  '"': 0x22,
  "\\": 0x5c,
  "/": 0x2f,
  b: 0x08,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
}))
  SIMPLE[letter.charCodeAt(0)] = byte;

/** How far a copy came: bytes read from the source, bytes written to the target. */
export interface Copied {
  from: number;
  to: number;
}

/** Works on the bytes inside of a JSON string. */
export interface StringBytes {
  /**
   * Copies without escapes, as far as they are of one letter: from `source` at `copied.from` on to `target` at
   * `copied.to` on, both moved along. Stops before any other escape, at the quote that ends the string, or at the end.
   * The target may be the source itself. Bytes of a source object that are still to be read must not change between calls.
   */
  copyUnescaped(source: Buffer, target: Buffer, copied: Copied): void;
  /**
   * The place of the quote that ends the string, from a place outside of an escape on. Without one it is the source's
   * length, and one more when the last byte begins an escape.
   */
  findEnd(source: Buffer, from: number): number;
}

/** In plain JavaScript: best for few bytes, or where a copy stops often. */
export const plainStringBytes: StringBytes = {
  copyUnescaped(source, target, copied) {
    let quote = copied.from - 1;
    while (copied.from < source.length) {
      const backslash = source.indexOf(BACKSLASH, copied.from);
      if (quote < copied.from) quote = source.indexOf(QUOTE, copied.from) >>> 0;
      const end = Math.min(backslash >>> 0, quote, source.length);
      copied.to += source.copy(target, copied.to, copied.from, end);
      copied.from = end;
      if (stopsAt(source, end)) return;
      if (end === backslash) {
        target[copied.to++] = SIMPLE[source[end + 1]!]!;
        copied.from += 2;
      }
    }
  },
  findEnd(source, from) {
    for (let at = from; ; ) {
      const quote = source.indexOf(QUOTE, at);
      const end = quote < 0 ? source.length : quote;
      let start = end;
      while (start > from && source[start - 1] === BACKSLASH) start -= 1;
      const escaped = (end - start) % 2 === 1;
      if (quote < 0) return escaped ? end + 1 : end;
      if (!escaped) return end;
      at = quote + 1;
    }
  },
};

/** Whether a copy stops here: at a quote, or at an escape of more than one letter. */
export function stopsAt(source: Buffer, at: number): boolean {
  return source[at] === QUOTE || (source[at] === BACKSLASH && !SIMPLE[source[at + 1] ?? 0]);
}
