import { byteLength } from "../../../bytes/utf8.ts";
import { cleanLine, isRewritten } from "../../clean.ts";
import { type Row, textBytes } from "./row.ts";

/** The row itself, or its beginning when it is longer than `longest` bytes of shown text. */
export function cutRow(row: Row, longest: number): Row {
  if (row.text.length * 3 <= longest || textBytes(row) <= longest) return row;
  // Of a line that is rewritten the beginning was written over: what is left of it is the end.
  if (isRewritten(row.raw)) return { ...row, text: beginningWithin(row.text, longest), ascii: false };
  let length = Math.min(row.raw.length, longest);
  while (length > 1 && byteLength(row.raw.slice(0, length)) > longest) length = Math.floor(length * 0.9);
  const last = row.raw.charCodeAt(length - 1);
  if (last >= 0xd800 && last <= 0xdbff) length--;
  const raw = row.raw.slice(0, length);
  return {
    ...row,
    raw,
    text: cleanLine(raw),
    ascii: false,
    bytes: byteLength(raw),
    chars: raw.length,
    continues: true,
  };
}

function beginningWithin(text: string, longest: number): string {
  let length = Math.min(text.length, longest - 4);
  while (length > 1 && byteLength(text.slice(0, length)) > longest - 4) length = Math.floor(length * 0.9);
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, "")} …`;
}
