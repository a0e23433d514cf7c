import { estimateTokens } from "../../../preview/tokens/estimate-tokens.ts";
import type { Size } from "../../../preview/types.ts";
import type { LongStrings, SpooledString } from "./result-on-disk.ts";

/** Strings whose escaped form is at most this long are read into memory. */
export const MEMORY_BYTES = 1024 * 1024;

/** A string of a result, in memory or on disk. */
export type TextSource =
  | { readonly kind: "memory"; readonly text: string }
  | { readonly kind: "disk"; readonly string: SpooledString };

export async function openText(text: string, spooled: LongStrings | undefined): Promise<TextSource> {
  const string = spooled?.resolve(text);
  if (!string) return { kind: "memory", text };
  if (string.escapedBytes > MEMORY_BYTES) return { kind: "disk", string };
  return { kind: "memory", text: await readText(string, MEMORY_BYTES) };
}

/** The first bytes of a string's value, cut at a code point. */
export async function readText(string: SpooledString, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let held = 0;
  for await (const part of string.read()) {
    parts.push(Uint8Array.from(part));
    held += part.length;
    if (held >= maxBytes) break;
  }
  const bytes = Buffer.concat(parts).subarray(0, maxBytes);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true });
}

export interface TextSize extends Size {
  readonly tokens: number;
}

/** Sizes of a text; of one on disk, upper bounds that are far beyond any limit. */
export function measureText(source: TextSource): TextSize {
  if (source.kind === "disk") {
    const bytes = source.string.escapedBytes;
    return { bytes, lines: bytes, chars: bytes, tokens: bytes };
  }
  const { text } = source;
  const bytes = Buffer.byteLength(text);
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  if (text.length > 0 && !text.endsWith("\n")) lines += 1;
  return {
    bytes,
    lines,
    chars: text.length,
    get tokens() {
      return estimateTokens(text);
    },
  };
}
