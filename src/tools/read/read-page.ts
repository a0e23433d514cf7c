import { floorCodePoint } from "../../bytes/utf8.ts";
import type { Limits } from "../../limits/types.ts";
import { decodeBytes, type TextEncoding } from "./encoding.ts";

const NUMBER_WIDTH = 6;

export interface PageOptions {
  readonly offsetLine: number;
  readonly maxLines: number;
  readonly limits: Limits;
  readonly encoding: TextEncoding;
  /** True when the bytes reach the end of the file. */
  readonly reachesEnd: boolean;
}

/** Numbered lines that keep within the limits. */
export interface Page {
  readonly content: string;
  /** Last line that is at least partly in `content`; one before the first when there is none. */
  readonly endLine: number;
  /** Bytes of the input that `content` shows. */
  readonly usedBytes: number;
  /** True when the last line goes on after `usedBytes`. */
  readonly lineCut: boolean;
  /** How the shown lines end, when not all with a newline alone. */
  readonly lineEnding: "crlf" | "mixed" | undefined;
}

/** Numbers as many whole lines as the limits allow; when not even the first fits, the beginning of it. */
export function numberLines(bytes: Buffer, options: PageOptions): Page {
  const { offsetLine, maxLines, limits, encoding, reachesEnd } = options;
  const shown: string[] = [];
  let used = 0;
  let room = { bytes: limits.maxBytes, chars: roomInChars(limits) };
  let ended = 0;
  let crlf = 0;
  while (shown.length < maxLines && used < bytes.length) {
    const newline = bytes.indexOf(10, used);
    if (newline === -1 && !reachesEnd) break;
    const next = newline === -1 ? bytes.length : newline + 1;
    const raw = bytes.subarray(used, newline === -1 ? next : newline);
    const isCrlf = raw.at(-1) === 13;
    const skipped = used === 0 && offsetLine === 1 ? encoding.bomBytes : 0;
    const text = decodeBytes(raw.subarray(skipped, isCrlf ? -1 : undefined), encoding);
    const line = `${String(offsetLine + shown.length).padStart(NUMBER_WIDTH)}\t${text}`;
    const left = { bytes: room.bytes - Buffer.byteLength(line) - 1, chars: room.chars - line.length - 1 };
    if (left.bytes < -1 || left.chars < -1) break;
    shown.push(line);
    if (newline !== -1) ended++;
    if (newline !== -1 && isCrlf) crlf++;
    used = next;
    room = left;
  }
  const endLine = offsetLine + shown.length - 1;
  const lineEnding = crlf === 0 ? undefined : crlf === ended ? "crlf" : "mixed";
  if (shown.length > 0 || bytes.length === 0) {
    return { content: shown.join("\n"), endLine, usedBytes: used, lineCut: false, lineEnding };
  }
  const { text, usedBytes } = beginningOf(bytes, room, encoding);
  const content = `${String(offsetLine).padStart(NUMBER_WIDTH)}\t${text}`;
  return { content, endLine: offsetLine, usedBytes, lineCut: true, lineEnding: undefined };
}

/** As much of the bytes' beginning as fits, cut between characters. */
export function beginningOf(
  bytes: Buffer,
  room: { readonly bytes: number; readonly chars: number },
  encoding: TextEncoding,
): { text: string; usedBytes: number } {
  const most = Math.max(4, Math.min(room.bytes, room.chars) - NUMBER_WIDTH - 1);
  const growth = encoding.name === "gbk" || encoding.name === "windows-1252" ? 3 : 1;
  const wanted = Math.min(bytes.length, Math.floor(most / growth));
  const usedBytes = encoding.name === "gbk" ? floorPair(bytes, wanted) : floorCodePoint(bytes, wanted);
  return { text: decodeBytes(bytes.subarray(0, usedBytes), encoding), usedBytes };
}

/** Room in characters; a token is taken for three of them. */
export function roomInChars(limits: Limits): number {
  return Math.min(limits.maxChars, limits.maxTokens * 3);
}

function floorPair(bytes: Uint8Array, end: number): number {
  let at = 0;
  while (at < end) {
    const width = (bytes[at] as number) < 0x80 ? 1 : 2;
    if (at + width > end) break;
    at += width;
  }
  return at;
}
