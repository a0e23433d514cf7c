import { StringDecoder } from "node:string_decoder";
import { byteLength } from "../bytes/utf8.ts";
import { renderEnvelope } from "../gate/render/envelope.ts";
import { renderHint } from "../gate/render/hint-text.ts";
import { renderMessage } from "../gate/render/notice.ts";
import { renderWrapper } from "../gate/render/wrapper.ts";
import type { BoundedResult, Capture, Governed, Outcome } from "../gate/types.ts";
import type { Limits } from "../limits/types.ts";
import { pathBelow } from "../platform/folders.ts";
import { isNotable, reasonOf } from "../protocol/outcome.ts";
import type { ToolError, ToolStats } from "../protocol/types.ts";
import type { Format } from "./options.ts";
import { bytesForOutput, forOutput, tell, withoutControls } from "./terminal.ts";

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

export interface EmitOptions {
  readonly format: Format;
  readonly root: string;
  readonly params: unknown;
  /** Says, of an output over the limit, that it could not be summarized. */
  readonly summaryAsked?: boolean;
  readonly stats: ToolStats;
  /** True when all of an output within the limits was shown while it came. */
  readonly shown?: boolean;
  /** What to do now, when it did not end well. */
  readonly next?: string;
  /** Makes an envelope an error that carries what was captured. */
  readonly error?: ToolError | undefined;
}

/**
 * Writes to standard output as it is and waits until it is taken; false when its reader has gone away. What of it came
 * from elsewhere has passed `forOutput`.
 */
export function writeRaw(text: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    process.stdout.write(text, (error) => resolve(error === undefined || error === null));
  });
}

/** The same for what a terminal shows: there, nothing of it can drive the terminal. */
export async function writeOut(text: string | Uint8Array): Promise<void> {
  await writeRaw(typeof text === "string" ? forOutput(text) : bytesForOutput(text));
}

/** The same for a value, as JSON that people can read. */
export function writeJson(value: unknown): Promise<void> {
  return writeOut(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints a result as the model should see it: within limits text is the raw output, every other form one document. */
export async function emit(governed: Governed, options: EmitOptions): Promise<void> {
  if (options.summaryAsked === true && governed.kind === "bounded")
    tell("no summary, because only the agent has a model for it; both ends are shown instead.");
  if (options.format === "envelope") {
    const { root, stats, next, error } = options;
    const context = { cwd: pathBelow(root, process.cwd()) || ".", params_input: options.params };
    const envelope = renderEnvelope(governed, {
      root,
      stats,
      context,
      ...(next === undefined ? {} : { next }),
      ...(error === undefined ? {} : { error }),
    });
    return writeJson(envelope);
  }
  const document = options.format === "text" ? undefined : `${JSON.stringify(renderWrapper(governed), null, 2)}\n`;
  if (governed.kind === "whole") {
    if (options.shown !== true) await writeOut(document ?? governed.bytes ?? governed.text);
    return tellEnding(governed.outcome);
  }
  if (document !== undefined) return writeOut(document);
  if (!namesWhole(governed)) tell(renderHint(governed.hint));
  return writeOut(endLine(renderMessage(governed), governed.limits));
}

/** True when the notice has room for where the whole output is, or why it is nowhere. */
function namesWhole({ notice, storage }: BoundedResult): boolean {
  return notice.includes("artifact" in storage ? storage.artifact.id : storage.lost);
}

/** Says on standard error how a command ended, unless that was well: standard output is the command's own. */
export function tellEnding(outcome: Outcome): void {
  if (isNotable(outcome)) tell(`${reasonOf(outcome)}.`);
}

/** The text with a newline at its end, unless that would be over a limit. */
export function endLine(text: string, { maxBytes, maxChars }: Limits): string {
  return text.length < maxChars && (maxBytes === Infinity || byteLength(text) < maxBytes) ? `${text}\n` : text;
}
