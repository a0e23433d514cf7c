import { decode, isContinuation } from "../../bytes/utf8.ts";

/** What the first bytes of an output are. */
export type Content = "text" | "binary" | "other encoding" | "UTF-16LE" | "UTF-16BE";

/** Fewer odd bytes than this prove nothing. */
const FEWEST = 24;
/** Share of control characters that no text has. */
const CONTROL_SHARE = 0.02;
/** Text may use one or the other control character to separate its fields; data has all of them. */
const CONTROL_KINDS = 4;
/** Share of bytes that are no UTF-8, above which nothing can be read of a text in another encoding. */
const INVALID_SHARE = 0.3;

/** What `countOdd` counts: most outputs have none of it, which the engine sees sooner than code that has not run before. */
const ODD = /[\0-\x06\x0e-\x1a\x1c-\x1f\x7f\ufffd]/;

/** Tells text from what would be shown as a page of replacement characters. */
export function contentOf(sample: Uint8Array): Content {
  if (sample[0] === 0xff && sample[1] === 0xfe) return sample[2] === 0 && sample[3] === 0 ? "binary" : "UTF-16LE";
  if (sample[0] === 0xfe && sample[1] === 0xff) return "UTF-16BE";
  if (!ODD.test(decode(sample))) return "text";
  const odd = countOdd(sample);
  const most = Math.max(FEWEST, CONTROL_SHARE * sample.length);
  if (odd.padding > most || (odd.controls > most && odd.kinds >= CONTROL_KINDS)) return "binary";
  return odd.invalid > Math.max(FEWEST, INVALID_SHARE * sample.length) ? "other encoding" : "text";
}

interface OddBytes {
  /** Bytes that are no UTF-8. */
  readonly invalid: number;
  /** Control characters that no text has, and how many different ones. */
  readonly controls: number;
  readonly kinds: number;
  /** NULs in a row, or at every other place; those between names, as `find -print0` gives them, are none. */
  readonly padding: number;
}

function countOdd(sample: Uint8Array): OddBytes {
  let invalid = 0;
  let controls = 0;
  let padding = 0;
  const kinds = new Set<number>();
  for (let at = 0; at < sample.length; ) {
    const byte = sample[at] as number;
    if (byte >= 0x80) {
      const length = sequenceLength(sample, at);
      if (length === 0) invalid++;
      at += Math.max(1, length);
      continue;
    }
    if (byte === 0x7f || (byte < 0x20 && (byte < 7 || (byte > 13 && byte !== 0x1b)))) {
      controls++;
      kinds.add(byte);
      if (byte === 0 && (sample[at + 1] === 0 || sample[at + 2] === 0)) padding++;
    }
    at++;
  }
  return { invalid, controls, kinds: kinds.size, padding };
}

/** Bytes of the UTF-8 sequence that begins here, or is cut off by the end of the sample; 0 when there is none. */
function sequenceLength(sample: Uint8Array, at: number): number {
  const byte = sample[at] as number;
  const length = byte >= 0xf5 ? 0 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 0;
  for (let next = at + 1; next < at + length && next < sample.length; next++) {
    if (!isContinuation(sample[next])) return 0;
  }
  return length;
}
