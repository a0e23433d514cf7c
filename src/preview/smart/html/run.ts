import { Place, type PositionCounter } from "../../lines/position-counter.ts";
import type { Position } from "../analyzer.ts";

/**
 * A region of the source whose text is shown, and how long the block's text is after it. Its ends are plain numbers, since
 * most runs are let go before anybody asks where they stand.
 */
export class Run {
  textEnd = 0;
  line = 0;
  byte = 0;
  char = 0;
  inLine = false;
  endLine = 0;
  endByte = 0;
  endChar = 0;
  endInLine = false;

  static between(start: Position, end: Position): Run {
    const run = new Run();
    run.line = start.line;
    run.byte = start.byte;
    run.char = start.char;
    run.inLine = start.inLine === true;
    run.endLine = end.line;
    run.endByte = end.byte;
    run.endChar = end.char;
    run.endInLine = end.inLine === true;
    return run;
  }

  get start(): Position {
    return new Place(this.line, this.byte, this.char, this.inLine);
  }

  get end(): Position {
    return new Place(this.endLine, this.endByte, this.endChar, this.endInLine);
  }

  beginAt(counter: PositionCounter): void {
    this.line = counter.line;
    this.byte = counter.byte;
    this.char = counter.units;
    this.inLine = counter.inLine;
  }

  endAt(counter: PositionCounter): void {
    this.endLine = counter.line;
    this.endByte = counter.byte;
    this.endChar = counter.units;
    this.endInLine = counter.inLine;
  }
}
