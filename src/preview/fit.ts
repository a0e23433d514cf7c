import { countLines } from "../bytes/count-newlines.ts";
import { byteLength } from "../bytes/utf8.ts";
import type { Room } from "./pieces.ts";

/** What one line costs, its newline included. */
export function lineCost(line: string, room: Room): Cost {
  return {
    lines: 1,
    bytes: room.bytes === Infinity ? 0 : byteLength(line) + 1,
    chars: line.length + 1,
    tokens: room.tokens === Infinity ? 0 : room.countTokens(`${line}\n`),
  };
}

export interface Cost {
  readonly lines: number;
  readonly bytes: number;
  readonly chars: number;
  readonly tokens: number;
}

/** A room being filled. Lines are counted with the newline that joins them, the last one without. */
export class Fit {
  lines = 0;
  bytes = 0;
  chars = 0;
  tokens = 0;
  readonly room: Room;

  constructor(room: Room) {
    this.room = room;
  }

  /** Takes the cost when it fits; the newline after the last line is free. */
  take(cost: Cost): boolean {
    if (!this.holds(cost)) return false;
    this.lines += cost.lines;
    this.bytes += cost.bytes;
    this.chars += cost.chars;
    this.tokens += cost.tokens;
    return true;
  }

  holds(cost: Cost): boolean {
    return (
      this.lines + cost.lines <= this.room.lines &&
      this.bytes + cost.bytes <= this.room.bytes + 1 &&
      this.chars + cost.chars <= this.room.chars + 1 &&
      this.tokens + cost.tokens <= this.room.tokens
    );
  }

  get rest(): Room {
    return {
      lines: this.room.lines - this.lines,
      bytes: this.room.bytes - this.bytes,
      chars: this.room.chars - this.chars,
      tokens: this.room.tokens - this.tokens,
      countTokens: this.room.countTokens,
    };
  }
}

/** A room made smaller by a cost, never below nothing. */
export function shrinkRoom(room: Room, cost: Cost): Room {
  return {
    lines: Math.max(0, room.lines - cost.lines),
    bytes: Math.max(0, room.bytes - cost.bytes),
    chars: Math.max(0, room.chars - cost.chars),
    tokens: Math.max(0, room.tokens - cost.tokens),
    countTokens: room.countTokens,
  };
}

/** True when a text exceeds no limit of the room; a final newline does not open another line. */
export function fitsRoom(text: string, room: Room): boolean {
  if (text.length > room.chars) return false;
  if (room.bytes !== Infinity && byteLength(text) > room.bytes) return false;
  if (room.lines !== Infinity && countLines(text) > room.lines) return false;
  return room.tokens === Infinity || room.countTokens(text) <= room.tokens;
}
