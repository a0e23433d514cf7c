import { StringDecoder } from "node:string_decoder";
import { cleanText } from "../preview/clean.ts";

/** What turns the direction of text, and tag characters, which are invisible: either makes text read otherwise than it is. */
export const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu;

/** A text that came from elsewhere without what could drive a terminal: escape codes, control characters, directions. */
export function withoutControls(text: string): string {
  return cleanText(text).replace(DIRECTIONS, "");
}

/** The same when standard output is a terminal; for a file or a pipe the text as it is. */
export function forOutput(text: string): string {
  return process.stdout.isTTY ? withoutControls(text) : text;
}

let decoder: StringDecoder | undefined;

/** Bytes that came from elsewhere, as standard output may have them. */
export function bytesForOutput(bytes: Uint8Array): string | Uint8Array {
  if (!process.stdout.isTTY) return bytes;
  decoder ??= new StringDecoder("utf8");
  return withoutControls(decoder.write(Buffer.from(bytes)));
}

/** Says something on standard error; on a terminal without what could drive it, since messages quote others. */
export function tell(text: string): void {
  process.stderr.write(`spillway: ${process.stderr.isTTY ? withoutControls(text) : text}\n`);
}
