import type { Omission } from "../preview/types.ts";

/** Lines that a suggested read asks for. */
const READ_LINES = 200;
/** Bytes that a suggested read asks for inside a long line. */
const READ_BYTES = 16_384;

/** A part of an output: lines from 1, or bytes from 0 and half open. */
export type ReadRange =
  | { readonly offsetLine: number; readonly limit: number }
  | { readonly startByte: number; readonly endByte: number };

/** A part of the output that the preview does not show, small enough to be read at once. */
export function rangeOf(omissions: readonly Omission[]): ReadRange {
  const omission = omissions[0];
  if (omission === undefined) return { offsetLine: 1, limit: READ_LINES };
  const { lines, startLine, endLine, startByte, endByte } = omission;
  if (lines === endLine - startLine + 1) return { offsetLine: startLine, limit: READ_LINES };
  return { startByte, endByte: Math.min(endByte, startByte + READ_BYTES) };
}
