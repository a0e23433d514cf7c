import { BASE64, isOf, stands } from "../byte-class.ts";
import type { Rule, View } from "../types.ts";
import { exactly } from "./anchor.ts";

/** The longest key that is waited for; one of 16,384 bits has 12,700 bytes. */
const KEY_BYTES = 16_384;
const HEADER_BYTES = 96;
/** A key that breaks off is one from this many characters on. */
const LEAST_BODY = 40;
/** A line of a key's body has as many characters, except the last. */
const FULL_LINE = 40;
const NEWLINE = 10;
const BACKSLASH = 0x5c;

interface Header {
  readonly end: number;
  /** What stands at both ends of the lines that open and close the block. */
  readonly dashes: string;
}

/** A private key in a block of its own: PEM, OpenSSH, PGP, SSH2; in lines, or in one line with the newlines escaped. */
export const privateKeyRule: Rule = {
  anchors: [exactly("BEGI", 5)],
  spansLines: {
    most: KEY_BYTES,
    mayGrow(view, at) {
      const header = headerOf(view, at);
      if (header === undefined) return view.end - at < HEADER_BYTES && !hasNewline(view.bytes, at, view.end);
      return footerEnd(view, header) === undefined;
    },
  },
  match(view, at) {
    const header = headerOf(view, at);
    if (header === undefined) return undefined;
    const end = footerEnd(view, header) ?? bodyEnd(view, header);
    return end === undefined ? undefined : { kind: "private-key", start: at, end };
  },
};

function headerOf({ bytes, end }: View, at: number): Header | undefined {
  const dashes = stands(bytes, at, "-----BEGIN ") ? "-----" : stands(bytes, at, "---- BEGIN ") ? "----" : undefined;
  if (dashes === undefined) return undefined;
  let isPrivate = false;
  const limit = Math.min(end, at + HEADER_BYTES) - dashes.length;
  for (let to = at + dashes.length; to <= limit && bytes[to] !== NEWLINE; to++) {
    if (stands(bytes, to, "PRIVATE")) isPrivate = true;
    if (stands(bytes, to, dashes)) return isPrivate ? { end: to + dashes.length, dashes } : undefined;
  }
  return undefined;
}

/** Where the line that closes the block ends. */
function footerEnd({ bytes, end }: View, { end: from, dashes }: Header): number | undefined {
  for (let at = from; at < end; at++) {
    if (bytes[at] !== 0x45) continue;
    // Another key begins.
    if (stands(bytes, at - 1, "BEGIN ") && bytes[at - 2] === 0x2d) return undefined;
    if (!stands(bytes, at, "END ") || (bytes[at - 1] !== 0x2d && bytes[at - 2] !== 0x2d)) continue;
    const limit = Math.min(end, at + HEADER_BYTES) - dashes.length;
    for (let to = at; to <= limit && bytes[to] !== NEWLINE; to++) {
      if (stands(bytes, to, dashes)) return to + dashes.length;
    }
  }
  return undefined;
}

/** Where a body that nothing closes ends: at the first line that is no part of one. */
function bodyEnd({ bytes, end }: View, header: Header): number | undefined {
  let body = 0;
  let to = header.end;
  let last = to;
  while (to < end) {
    const newline = bytes.subarray(to, end).indexOf(NEWLINE);
    const lineEnd = newline === -1 ? end : to + newline;
    const from = skipBlanks(bytes, to, lineEnd);
    const run = bodyRunEnd(bytes, from, lineEnd);
    const whole = skipBlanks(bytes, run, lineEnd) === lineEnd;
    if (run > from && (body > 0 || run - from >= FULL_LINE)) {
      body += run - from;
      last = run;
      if (!whole || run - from < FULL_LINE) break;
    } else if (body > 0 || (run > from && whole)) {
      break;
    }
    to = lineEnd + 1;
  }
  return body >= LEAST_BODY ? last : undefined;
}

/** Base64, and newlines as a string of JSON has them. */
function bodyRunEnd(bytes: Uint8Array, at: number, end: number): number {
  let to = at;
  while (to < end && (isOf(bytes[to], BASE64) || bytes[to] === BACKSLASH)) to++;
  return to;
}

function skipBlanks(bytes: Uint8Array, at: number, end: number): number {
  let to = at;
  while (to < end && (bytes[to] === 0x20 || bytes[to] === 0x09 || bytes[to] === 0x0d)) to++;
  return to;
}

function hasNewline(bytes: Uint8Array, from: number, to: number): boolean {
  return bytes.subarray(from, to).includes(NEWLINE);
}
