import { byteLength } from "../../../bytes/utf8.ts";
import type { Position } from "../analyzer.ts";

/** The position after `text`, which begins at `from`; undefined where the text no longer tells its bytes. */
export function advance(from: Position, text: string): Position | undefined {
  if (text.includes("\ufffd")) return undefined;
  let line = from.line;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) line++;
  const inLine = text === "" ? from.inLine : !text.endsWith("\n");
  return { line, byte: from.byte + byteLength(text), char: from.char + text.length, inLine };
}
