import { GRAM_BYTES, type GramPattern } from "../gram-set.ts";
import type { Rule } from "../types.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("latin1");

/** A secret that is known by its value. */
export function createLiteralRule(value: string, kind: string): Rule {
  const bytes = encoder.encode(value);
  const text = decoder.decode(bytes);
  return {
    begins: text,
    anchors: [{ gram: [...text.slice(0, GRAM_BYTES)] as unknown as GramPattern, offset: 0 }],
    match(view, at) {
      if (at < view.floor || at + bytes.length > view.end) return undefined;
      for (let index = 0; index < bytes.length; index++) if (view.bytes[at + index] !== bytes[index]) return undefined;
      return { kind, start: at, end: at + bytes.length };
    },
  };
}
