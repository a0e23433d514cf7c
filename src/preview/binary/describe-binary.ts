import { decode } from "../../bytes/utf8.ts";
import { cleanLine } from "../clean.ts";
import { fitsRoom } from "../fit.ts";
import { formatPlural } from "../omission.ts";
import { makeSelection, NOTHING, type Room, type Selection, START } from "../pieces.ts";
import { fileType } from "./file-type.ts";
import { findStrings } from "./find-strings.ts";
import { contentOf } from "./is-binary.ts";

/** What to show of an output that is no UTF-8 text: what it is, its size, and what can be read in it; undefined for text. */
export function describeBinary(sample: Uint8Array, totalBytes: number, room: Room): Selection | undefined {
  const content = contentOf(sample);
  const size = formatPlural(totalBytes, "byte");
  if (content === "text") return undefined;
  if (content === "UTF-16LE" || content === "UTF-16BE") return showUtf16(sample, content, size, room);
  const type = content === "binary" ? (fileType(sample) ?? "of no known type") : "text in an encoding other than UTF-8";
  const head = content === "binary" ? `[binary output: ${type}, ${size}]` : `[${type}: ${size}]`;
  const strings = findStrings(sample);
  for (let count = strings.length; count > 0; count = Math.floor(count / 2)) {
    const text = [head, "[readable in it:]", ...strings.slice(0, count)].join("\n");
    if (fitsRoom(text, room)) return makeSelection(text, []);
  }
  return firstFitting([head, `[binary: ${size}]`, "[binary]"], room);
}

/** The decoded beginning: its lines are exact, since both bytes of a newline end whatever came before. */
function showUtf16(sample: Uint8Array, content: "UTF-16LE" | "UTF-16BE", size: string, room: Room): Selection {
  const head = `[UTF-16 text, ${content === "UTF-16LE" ? "little" : "big"} endian, ${size}; its beginning, decoded:]`;
  const decoded = new TextDecoder(content.toLowerCase(), { ignoreBOM: true }).decode(sample.subarray(2)).toWellFormed();
  const lines = decoded.split("\n").slice(0, -1);
  for (let count = lines.length; count > 0; count = Math.floor(count * 0.8)) {
    const shown = lines.slice(0, count);
    const text = [head, ...shown.map((line) => cleanLine(line.replace(/\r$/, "")))].join("\n");
    if (!fitsRoom(text, room)) continue;
    const bytes = 2 + 2 * shown.reduce((sum, line) => sum + line.length + 1, 0);
    const raw = sample.subarray(0, bytes);
    const end = { line: 1 + raw.filter((byte) => byte === 10).length, byte: bytes, char: decode(raw).length };
    return makeSelection(text, [
      { start: START, end: { ...end, inLine: raw.at(-1) !== 10 }, reason: "head", score: 0 },
    ]);
  }
  return firstFitting([head, `[UTF-16 text, ${size}]`, "[UTF-16 text]"], room);
}

function firstFitting(texts: readonly string[], room: Room): Selection {
  const text = texts.find((each) => fitsRoom(each, room));
  return text === undefined ? NOTHING : makeSelection(text, []);
}
