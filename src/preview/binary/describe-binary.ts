import { decode, isContinuation } from "../../bytes/utf8.ts";
import { cleanLine } from "../clean.ts";
import { fitsRoom } from "../fit.ts";
import { formatPlural } from "../omission.ts";
import { makeSelection, NOTHING, type Room, type Selection, START } from "../pieces.ts";

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

/** What the first bytes of an output are. */
export type Content = "text" | "binary" | "other encoding" | "UTF-16LE" | "UTF-16BE";

/** Fewer odd bytes than this prove nothing. */
const FEWEST = 24;
/** Share of control characters that no text has. */
const CONTROL_SHARE = 0.02;
/** Text may use one or the other control character to separate its fields; data has all of them. */
const CONTROL_KINDS = 4;
/** Share of bytes that are no UTF-8, above which nothing can be read of a text in another encoding. */
const INVALID_SHARE = 0.3;

/** What `countOdd` counts: most outputs have none of it, which the engine sees sooner than code that has not run before. */
const ODD = /[\0-\x06\x0e-\x1a\x1c-\x1f\x7f\ufffd]/;

/** Tells text from what would be shown as a page of replacement characters. */
export function contentOf(sample: Uint8Array): Content {
  if (sample[0] === 0xff && sample[1] === 0xfe) return sample[2] === 0 && sample[3] === 0 ? "binary" : "UTF-16LE";
  if (sample[0] === 0xfe && sample[1] === 0xff) return "UTF-16BE";
  if (!ODD.test(decode(sample))) return "text";
  const odd = countOdd(sample);
  const most = Math.max(FEWEST, CONTROL_SHARE * sample.length);
  if (odd.padding > most || (odd.controls > most && odd.kinds >= CONTROL_KINDS)) return "binary";
  return odd.invalid > Math.max(FEWEST, INVALID_SHARE * sample.length) ? "other encoding" : "text";
}

interface OddBytes {
  /** Bytes that are no UTF-8. */
  readonly invalid: number;
  /** Control characters that no text has, and how many different ones. */
  readonly controls: number;
  readonly kinds: number;
  /** NULs in a row, or at every other place; those between names, as `find -print0` gives them, are none. */
  readonly padding: number;
}

function countOdd(sample: Uint8Array): OddBytes {
  let invalid = 0;
  let controls = 0;
  let padding = 0;
  const kinds = new Set<number>();
  for (let at = 0; at < sample.length; ) {
    const byte = sample[at] as number;
    if (byte >= 0x80) {
      const length = sequenceLength(sample, at);
      if (length === 0) invalid++;
      at += Math.max(1, length);
      continue;
    }
    if (byte === 0x7f || (byte < 0x20 && (byte < 7 || (byte > 13 && byte !== 0x1b)))) {
      controls++;
      kinds.add(byte);
      if (byte === 0 && (sample[at + 1] === 0 || sample[at + 2] === 0)) padding++;
    }
    at++;
  }
  return { invalid, controls, kinds: kinds.size, padding };
}

/** Bytes of the UTF-8 sequence that begins here, or is cut off by the end of the sample; 0 when there is none. */
function sequenceLength(sample: Uint8Array, at: number): number {
  const byte = sample[at] as number;
  const length = byte >= 0xf5 ? 0 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 0;
  for (let next = at + 1; next < at + length && next < sample.length; next++) {
    if (!isContinuation(sample[next])) return 0;
  }
  return length;
}

const MIN_CHARS = 6;
const MAX_CHARS = 60;
const MOST = 16;

/** Pieces of readable text between other bytes, as `strings` finds them: each once, in order, none that is noise. */
export function findStrings(sample: Uint8Array): readonly string[] {
  const found = new Set<string>();
  let start = 0;
  for (let at = 0; at <= sample.length && found.size < MOST; at++) {
    const byte = sample[at] ?? 0;
    if (byte >= 0x20 && byte < 0x7f) continue;
    if (at - start >= MIN_CHARS) {
      const string = String.fromCharCode(...sample.subarray(start, Math.min(at, start + MAX_CHARS))).trim();
      if (isReadable(string)) found.add(string);
    }
    start = at + 1;
  }
  return [...found];
}

function isReadable(text: string): boolean {
  const wordlike = text.match(/[\w ./:-]/g)?.length ?? 0;
  return /[A-Za-z]{4}/.test(text) && wordlike >= 0.85 * text.length;
}

/** The first bytes of a kind of file, or those at `at`. */
interface Magic {
  readonly name: string;
  readonly bytes: readonly number[];
  /** @default 0 */
  readonly at?: number;
}

const text = (value: string): number[] => [...value].map((char) => char.charCodeAt(0));

const MAGICS: readonly Magic[] = [
  { name: "PNG image", bytes: [0x89, 0x50, 0x4e, 0x47] },
  { name: "JPEG image", bytes: [0xff, 0xd8, 0xff] },
  { name: "GIF image", bytes: text("GIF8") },
  { name: "WebP image", bytes: text("WEBP"), at: 8 },
  { name: "BMP image", bytes: text("BM") },
  { name: "TIFF image", bytes: [0x49, 0x49, 0x2a, 0x00] },
  { name: "TIFF image", bytes: [0x4d, 0x4d, 0x00, 0x2a] },
  { name: "icon", bytes: [0x00, 0x00, 0x01, 0x00] },
  { name: "PDF document", bytes: text("%PDF-") },
  { name: "ZIP archive", bytes: [0x50, 0x4b, 0x03, 0x04] },
  { name: "gzip data", bytes: [0x1f, 0x8b] },
  { name: "bzip2 data", bytes: text("BZh") },
  { name: "xz data", bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { name: "Zstandard data", bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { name: "7-Zip archive", bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { name: "tar archive", bytes: text("ustar"), at: 257 },
  { name: "ar archive", bytes: text("!<arch>") },
  { name: "ELF executable or library", bytes: [0x7f, 0x45, 0x4c, 0x46] },
  { name: "Windows executable", bytes: text("MZ") },
  { name: "Mach-O executable", bytes: [0xcf, 0xfa, 0xed, 0xfe] },
  { name: "Java class", bytes: [0xca, 0xfe, 0xba, 0xbe] },
  { name: "WebAssembly module", bytes: [0x00, 0x61, 0x73, 0x6d] },
  { name: "SQLite database", bytes: text("SQLite format 3") },
  { name: "WAV audio", bytes: text("WAVE"), at: 8 },
  { name: "MP3 audio", bytes: text("ID3") },
  { name: "Ogg media", bytes: text("OggS") },
  { name: "FLAC audio", bytes: text("fLaC") },
  { name: "MP4 media", bytes: text("ftyp"), at: 4 },
  { name: "WOFF font", bytes: text("wOF") },
];

/** What kind of file begins with these bytes, by its magic number; undefined when they are none that is known. */
export function fileType(bytes: Uint8Array): string | undefined {
  return MAGICS.find(({ bytes: magic, at = 0 }) => magic.every((byte, index) => bytes[at + index] === byte))?.name;
}
