import { StringDecoder } from "node:string_decoder";
import type { Capture } from "../gate/types.ts";
import { writeRaw } from "./emit.ts";
import { tell, withoutControls } from "./terminal.ts";

const NEWLINE = 0x0a;
/** A longer line is not drawn again. */
const REDRAWN_CHARS = 8192;

/** Shows an output while it comes, up to the first limit that it passes. */
export interface LiveOutput {
  /** Ends the last line that was shown, so that what follows begins a line of its own. */
  endLine(): Promise<unknown>;
}

/** Shows on standard output what a capture takes; `onOver` is called once a limit is passed. */
export function showLive(capture: Capture, onOver: () => void): LiveOutput {
  const line = process.stdout.isTTY ? new TerminalLine() : undefined;
  let last = NEWLINE;
  capture.follow((part, over) => {
    if (part.length > 0) {
      last = part.at(-1)!;
      void writeRaw(line === undefined ? part : line.draw(part));
    }
    if (!over) return;
    if (last !== NEWLINE) void writeRaw("\n");
    last = NEWLINE;
    tell("the output is over the limit. The rest is saved; a preview follows when the command has ended.");
    onOver();
  });
  return { endLine: async () => last === NEWLINE || (await writeRaw("\n")) };
}

/** The last line on a terminal, which grows and is rewritten by carriage returns. Nothing of it can drive the terminal. */
class TerminalLine {
  readonly #decoder = new StringDecoder("utf8");
  /** As it came, escape codes included. */
  #line = "";
  /** As it is on the terminal. */
  #shown = "";

  /** What to write so that the terminal also shows these bytes. */
  draw(bytes: Uint8Array): string {
    const lines = (this.#line + this.#decoder.write(Buffer.from(bytes))).split("\n");
    this.#line = lines.pop() ?? "";
    let drawn = "";
    for (const line of lines) {
      drawn += `${this.#continue(line)}\n`;
      this.#shown = "";
    }
    drawn += this.#continue(this.#line);
    if (this.#line.length > REDRAWN_CHARS) {
      this.#line = "";
      this.#shown = "";
    }
    return drawn;
  }

  #continue(line: string): string {
    const text = withoutControls(line);
    const before = this.#shown;
    this.#shown = text;
    return text.startsWith(before) ? text.slice(before.length) : `\r\u001b[K${text}`;
  }
}
