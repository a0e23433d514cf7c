import { byteLength } from "../../../bytes/utf8.ts";
import { cleanLine } from "../../clean.ts";
import { type Row, textBytes } from "./row.ts";

/** The row itself, or its beginning when it is longer than `longest` bytes of shown text. */
export function cutRow(row: Row, longest: number): Row {
  if (row.text.length * 3 <= longest || textBytes(row) <= longest) return row;
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
