import { byteLength } from "../../../bytes/utf8.ts";
import type { Position } from "../../pieces.ts";

/**
 * One line of the output, or a segment of a line too long to be held whole. Positions are those of the raw output;
 * `bytes` and `chars` include the newline.
 */
export interface Row {
  readonly line: number;
  readonly byte: number;
  readonly char: number;
  readonly bytes: number;
  readonly chars: number;
  /** True when the line goes on in the next row. */
  readonly continues: boolean;
  /** True for a later segment of a long line. */
  readonly inLine: boolean;
  /** As it came, without the newline. */
  readonly raw: string;
  /** Cleaned, without the newline. */
  readonly text: string;
  /** True when `text` is ASCII. */
  readonly ascii: boolean;
}

/** UTF-8 bytes of a row's text. */
export function textBytes(row: Row): number {
  return row.ascii ? row.text.length : byteLength(row.text);
}

/** A row that may be shown. */
export interface Candidate {
  readonly row: Row;
  readonly value: number;
  readonly reason: string;
  /** Identifies lines that are equal but for their numbers, if these are counted. */
  readonly kind?: number | undefined;
  /** The row that has to be shown above it, since it names the file. */
  readonly heading?: Row | undefined;
}

/** Where a row begins. */
export function startOfRow(row: Row): Position {
  return { line: row.line, byte: row.byte, char: row.char, ...(row.inLine ? { inLine: true } : {}) };
}

/** The position just after a row; `end` is that of the output. */
export function endOfRow(row: Row, end: Position): Position {
  const byte = row.byte + row.bytes;
  if (byte === end.byte) return end;
  const char = row.char + row.chars;
  return row.continues ? { line: row.line, byte, char, inLine: true } : { line: row.line + 1, byte, char };
}
