import type { Position, Room, Selection } from "../pieces.ts";
import type { Answers } from "./answers/answer-finder.ts";

export type { Piece, Position, Room, Selection } from "../pieces.ts";
export { makeSelection, NOTHING } from "../pieces.ts";

/**
 * Reads an output of one shape from its first byte to its last, in memory bounded by the room, and selects from it.
 * The result depends on the bytes only, never on how they were cut into chunks.
 */
export interface Analyzer {
  write(chunk: Uint8Array): void;
  /**
   * Called after the last byte; again for another room. `total` is the end of the output. Who can shows `answers`, best
   * first, before anything else; of the others the rows that are missing are shown beside the selection.
   */
  finish(room: Room, total: Position, answers?: Answers): Selection;
  /**
   * True once what came so far cannot be of this shape, or at the end nothing of it was found; the output should then
   * be read as a log.
   */
  readonly wrongShape?: boolean;
  /** Bytes read and candidates weighed so far; a test proves that it grows no faster than the output. */
  readonly work?: number;
}

export interface AnalyzerOptions {
  /** The room that `finish` will give at most; what may be held in memory follows from it. */
  readonly room: Room;
  /** The reader's question, already trimmed; empty when there is none. */
  readonly query: string;
}
