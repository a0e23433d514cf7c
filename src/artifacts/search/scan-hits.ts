import { isAscii, isUtf8 } from "node:buffer";
import { countNewlines } from "../../bytes/count-newlines.ts";
import { decode, floorCodePoint } from "../../bytes/utf8.ts";
import { type ByteSource, readChunks } from "../byte-source.ts";
import type { MatchText } from "./bounded-regex.ts";
import { HIT_TEXT_CHARS, type Hit } from "./hit.ts";

const LONG_LINE_BYTES = 4 * 1024 * 1024;
const OVERLAP_BYTES = 64 * 1024;

/**
 * Every match in a source, without ripgrep, in constant memory. A line above 4 MB is searched in stretches that overlap
 * by 64 KB, so a longer match may be missed there.
 */
export async function* scanHits(source: ByteSource, matchText: MatchText): AsyncIterable<readonly Hit[]> {
  let rest = new Uint8Array(0);
  let restStart = 0;
  let line = 1;
  for await (const chunk of readChunks(source)) {
    const bytes = rest.length === 0 ? chunk : new Uint8Array(Buffer.concat([rest, chunk]));
    const newline = bytes.lastIndexOf(10);
    let end = newline + 1;
    let keep = end;
    if (newline === -1) {
      if (bytes.length < LONG_LINE_BYTES) {
        rest = bytes as Uint8Array<ArrayBuffer>;
        continue;
      }
      end = floorCodePoint(bytes, bytes.length - 4);
      keep = floorCodePoint(bytes, end - OVERLAP_BYTES);
    }
    const hits = stretchHits(bytes.subarray(0, end), restStart, line, matchText);
    yield hits.filter((hit) => hit.startByte < restStart + keep);
    line += countNewlines(bytes.subarray(0, keep));
    rest = bytes.slice(keep) as Uint8Array<ArrayBuffer>;
    restStart += keep;
  }
  if (rest.length > 0) yield stretchHits(rest, restStart, line, matchText);
}

function stretchHits(bytes: Uint8Array, startByte: number, line: number, matchText: MatchText): Hit[] {
  if (!isUtf8(bytes)) {
    const newline = bytes.indexOf(10);
    if (newline !== -1 && newline < bytes.length - 1) return eachLine(bytes, startByte, line, matchText);
  }
  const oneByteEach = isAscii(bytes) || !isUtf8(bytes);
  const text = oneByteEach
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")
    : decode(bytes);
  const hits: Hit[] = [];
  let at = 0;
  let byte = 0;
  let hitLine = line;
  for (const match of matchText(text)) {
    if (match.length === 0) continue;
    const between = text.slice(at, match.index);
    byte += oneByteEach ? between.length : Buffer.byteLength(between);
    for (let next = between.indexOf("\n"); next !== -1; next = between.indexOf("\n", next + 1)) hitLine += 1;
    at = match.index;
    hits.push({ path: "", line: hitLine, startByte: startByte + byte, text: match.text.slice(0, HIT_TEXT_CHARS) });
  }
  return hits;
}

/** Where bytes are no valid UTF-8, only the lines that hold them are read byte by byte. */
function eachLine(bytes: Uint8Array, startByte: number, line: number, matchText: MatchText): Hit[] {
  const hits: Hit[] = [];
  let number = line;
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    for (const hit of stretchHits(bytes.subarray(start, end), startByte + start, number, matchText)) hits.push(hit);
    number += 1;
    start = end;
  }
  return hits;
}
