import type { ByteSource } from "../byte-source.ts";
import { readTextRange } from "../read-lines.ts";
import type { ByteRange } from "../types.ts";
import type { Candidate } from "./passage-candidates.ts";

const BEFORE_BYTES = 1200;
const AFTER_BYTES = 1200;
const LINES_BEFORE = 2;
/** A compiler ends with what failed; the line that names the file stands above the code it shows. */
const LINES_BEFORE_FAULT = 12;
const LINES_AFTER = 10;

/** A candidate with the text around it: whole lines where they are short, a stretch of one line where it is long. */
export interface ReadPassage extends Candidate {
  readonly range: ByteRange;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

/** Reads the text around a candidate's first hit; `asksFile` reads more of what stands above it. */
export async function readPassage(source: ByteSource, candidate: Candidate, asksFile: boolean): Promise<ReadPassage> {
  const mostBefore = asksFile ? LINES_BEFORE_FAULT : LINES_BEFORE;
  const from = Math.max(0, candidate.startByte - BEFORE_BYTES);
  const bytes = await source.read(from, candidate.startByte + AFTER_BYTES);
  const hit = candidate.startByte - from;
  let start = hit;
  let linesBefore = 0;
  while (start > 0) {
    const newline = start < 2 ? -1 : bytes.lastIndexOf(10, start - 2);
    const atLineStart = bytes[start - 1] === 10;
    if (atLineStart && (linesBefore === mostBefore || (newline === -1 && from > 0))) break;
    if (atLineStart) linesBefore += 1;
    start = newline + 1;
    if (newline === -1) break;
  }
  let end = hit;
  for (let lines = linesBefore; lines < linesBefore + LINES_AFTER && end < bytes.length; lines++) {
    const newline = bytes.indexOf(10, end);
    if (newline === -1 && from + bytes.length < source.size && end > hit) break;
    end = newline === -1 ? bytes.length : newline + 1;
  }
  const answer = await readTextRange(source, { startByte: from + start, endByte: from + end });
  const text = answer.text.replace(/\r?\n$/, "");
  const startLine = candidate.line - linesBefore;
  return {
    ...candidate,
    range: { startByte: answer.startByte, endByte: answer.endByte },
    startLine,
    endLine: startLine + text.split("\n").length - 1,
    text,
  };
}
