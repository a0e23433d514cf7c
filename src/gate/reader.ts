import type { Strategy } from "../limits/types.ts";
import type { Omission, Size } from "../preview/types.ts";

/** Lines that a suggested read asks for. */
const READ_LINES = { least: 10, most: 200 } as const;
/** Bytes that a suggested read asks for, about. */
const READ_BYTES = 16_384;
/** A shorter byte range is widened by this many bytes on each side. */
const AROUND_BYTES = 512;

/** A part of an output: lines from 1, or bytes from 0 and half open. */
export type ReadRange =
  | { readonly offsetLine: number; readonly limit: number }
  | { readonly startByte: number; readonly endByte: number };

/**
 * The range of the output to read next: where the largest omission begins (for `tail`, where it ends, next to the
 * shown), in whole lines unless these are too long, and small enough to be read at once.
 */
export function rangeOf(omissions: readonly Omission[], size: Size, strategy: Strategy): ReadRange {
  const omission = largestOf(omissions);
  if (omission === undefined) return { offsetLine: 1, limit: Math.min(READ_LINES.most, Math.max(1, size.lines)) };
  const { startLine, endLine } = omission;
  const lineBytes = lineBytesOf(omission, omissions, size);
  if (lineBytes > READ_BYTES) return bytesOf(omission, size, strategy);
  const most = Math.min(READ_LINES.most, Math.max(READ_LINES.least, Math.floor(READ_BYTES / lineBytes)));
  const offsetLine = strategy === "tail" ? Math.max(startLine, endLine - most + 1) : startLine;
  return { offsetLine, limit: Math.max(1, Math.min(most, size.lines - offsetLine + 1)) };
}

/** The byte range of a binary output to read next: enough to identify it. */
export function binaryRange({ bytes }: Size): ReadRange {
  return { startByte: 0, endByte: Math.min(bytes, 2 * AROUND_BYTES) };
}

/** The ranges with the longest numbers for an output of this size. */
export function widestRanges({ lines, bytes }: Size): readonly ReadRange[] {
  return [
    { offsetLine: lines, limit: READ_LINES.most },
    { startByte: bytes, endByte: bytes },
  ];
}

function largestOf(omissions: readonly Omission[]): Omission | undefined {
  let largest: Omission | undefined;
  for (const one of omissions) if (largest === undefined || one.bytes > largest.bytes) largest = one;
  return largest;
}

/** How long the lines of an omission are; of one inside a line, at most how long that line is. */
function lineBytesOf({ bytes, startLine, endLine }: Omission, omissions: readonly Omission[], size: Size): number {
  if (startLine < endLine) return bytes / (endLine - startLine + 1);
  const elsewhere = omissions.filter((one) => one.startLine > endLine || one.endLine < startLine);
  return elsewhere.reduce((left, one) => left - one.bytes, size.bytes);
}

function bytesOf({ startByte, endByte }: Omission, size: Size, strategy: Strategy): ReadRange {
  if (endByte - startByte < AROUND_BYTES) {
    return { startByte: Math.max(0, startByte - AROUND_BYTES), endByte: Math.min(size.bytes, endByte + AROUND_BYTES) };
  }
  return strategy === "tail"
    ? { startByte: Math.max(startByte, endByte - READ_BYTES), endByte }
    : { startByte, endByte: Math.min(endByte, startByte + READ_BYTES) };
}

/** The reader's capabilities, as far as hints depend on them. */
export interface Reader {
  /** Names of the tools that it can call. @default Read and Grep */
  readonly tools: readonly string[];
  /** Sub-agents that its Task tool can run. @default explore */
  readonly agents: readonly string[];
  /** True when its Read and Grep take the id of an artifact for a path, as the built-in tools do. @default false */
  readonly byId: boolean;
  /** How its Read names lines: `offset` from 1 or from 0 with `limit`, `start_line` and `end_line`, or `view_range`. @default offset */
  readonly lineArgs?: LineArgs | undefined;
  /** Spillway's own command line, as a shell of the reader reaches it. @default none */
  readonly command?: ShellCommand | undefined;
}

export type LineArgs = "offset" | "offset_from_0" | "start_and_end" | "view_range";

/** A command line with the flags that make it look where the artifacts are. */
export interface ShellCommand {
  /** Such as `npx spillway`; quoted as a shell needs it. */
  readonly program: string;
  /** Such as `--root 'my project'`. */
  readonly flags?: string | undefined;
}

/** Options that describe the reader; missing ones get defaults. */
export type ReaderOptions = { readonly [Key in keyof Reader]?: Reader[Key] | undefined };

const ASSUMED: Reader = { tools: ["Read", "Grep"], agents: ["explore"], byId: false };

/** The reader that these options describe, the first that says something winning. */
export function resolveReader(...options: readonly ReaderOptions[]): Reader {
  const said = <Key extends keyof Reader>(key: Key): Reader[Key] =>
    options.find((one) => one[key] !== undefined)?.[key] ?? ASSUMED[key];
  return {
    tools: said("tools"),
    agents: said("agents"),
    byId: said("byId"),
    lineArgs: said("lineArgs"),
    command: said("command"),
  };
}
