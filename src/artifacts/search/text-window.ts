import type { ByteSource } from "../byte-source.ts";
import { readTextRange } from "../read-lines.ts";
import type { ByteRange } from "../types.ts";

/** A part of a line, or all of it, without its line ending. */
export interface TextWindow extends ByteRange {
  readonly text: string;
  /** True when the line goes on before or after the text. */
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
}

/** The line that holds a byte; when it exceeds `windowBytes`, the part around that byte, a quarter of it before. */
export async function readWindow(source: ByteSource, byte: number, windowBytes: number): Promise<TextWindow> {
  const from = Math.max(0, byte - windowBytes);
  const bytes = await source.read(from, byte + windowBytes + 1);
  const at = byte - from;
  const newline = bytes.indexOf(10, at);
  let start = at === 0 ? 0 : bytes.lastIndexOf(10, at - 1) + 1;
  let end = newline === -1 ? bytes.length : newline;
  let cutBefore = start === 0 && from > 0;
  let cutAfter = newline === -1 && from + bytes.length < source.size;
  if (cutBefore || cutAfter || end - start > windowBytes) {
    const wanted = Math.max(start, at - Math.floor(windowBytes / 4));
    cutBefore ||= wanted > start;
    start = wanted;
    // Both ends may move back by three bytes to the beginning of a code point.
    const room = Math.max(1, windowBytes - 3);
    cutAfter ||= end > start + room;
    end = Math.min(end, start + room);
  }
  const answer = await readTextRange(source, { startByte: from + start, endByte: from + end });
  return { ...answer, text: answer.text.replace(/\r$/, ""), cutBefore, cutAfter };
}
