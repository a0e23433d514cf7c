/** A position in the raw output, all three counts together. Lines from 1, bytes and UTF-16 units from 0. */
export interface Position {
  readonly line: number;
  readonly byte: number;
  readonly char: number;
}

/** A region of the raw output that the preview shows. `end` is the position just after its last byte. */
export interface Piece {
  readonly start: Position;
  readonly end: Position;
  /** Why it was kept, for `--explain`. */
  readonly reason: string;
  readonly score: number;
}

/** What is left of the limits for text and markers together. */
export interface Room {
  readonly lines: number;
  readonly bytes: number;
  readonly chars: number;
  readonly tokens: number;
  /** Exact counter or estimate; counts one string. */
  readonly countTokens: (text: string) => number;
}

/** What an analyzer chose. `text` fits the room, markers included; `pieces` are in order and disjoint. */
export interface Selection {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/**
 * Reads an output of one shape from its first byte to its last, in memory bounded by the room, and selects from it.
 * The result depends on the bytes only, never on how they were cut into chunks.
 */
export interface Analyzer {
  write(chunk: Uint8Array): void;
  /** Called once, after the last byte. `total` is the end of the output. */
  finish(room: Room, total: Position): Selection;
}

export interface AnalyzerOptions {
  /** The room that `finish` will give at most; what may be held in memory follows from it. */
  readonly room: Room;
  /** The reader's question, already trimmed; empty when there is none. */
  readonly query: string;
}
