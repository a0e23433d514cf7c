const SIGNATURES: readonly (readonly [type: string, offset: number, bytes: string])[] = [
  ["PNG image", 0, "89504e470d0a1a0a"],
  ["JPEG image", 0, "ffd8ff"],
  ["GIF image", 0, "474946383761"],
  ["GIF image", 0, "474946383961"],
  ["WebP image", 8, "57454250"],
  ["PDF document", 0, "255044462d"],
  ["ZIP archive", 0, "504b0304"],
  ["gzip archive", 0, "1f8b08"],
  ["zstd archive", 0, "28b52ffd"],
  ["xz archive", 0, "fd377a585a00"],
  ["bzip2 archive", 0, "425a68"],
  ["7-Zip archive", 0, "377abcaf271c"],
  ["tar archive", 257, "7573746172"],
  ["ELF program", 0, "7f454c46"],
  ["Mach-O program", 0, "cffaedfe"],
  ["Java class or Mach-O program", 0, "cafebabe"],
  ["WebAssembly module", 0, "0061736d"],
  ["SQLite database", 0, "53514c69746520666f726d6174203300"],
  ["MP4 video", 4, "66747970"],
  ["Ogg media", 0, "4f676753"],
  ["MP3 audio", 0, "494433"],
  ["WAV audio", 8, "57415645"],
];

/** The kind of binary file by its first bytes; undefined if no signature matches. */
export function detectFileType(head: Uint8Array): string | undefined {
  const hex = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 300)).toString("hex");
  return SIGNATURES.find(([, offset, bytes]) => hex.startsWith(bytes, offset * 2))?.[0];
}

/** How a text file is encoded, and how sure we are. */
export interface TextEncoding {
  readonly name: "utf-8" | "utf-16le" | "utf-16be" | "gbk" | "windows-1252";
  /** Bytes of the byte order mark at the beginning. */
  readonly bomBytes: number;
  /** True when nothing fits and the text may show wrong characters. */
  readonly guessed: boolean;
}

export const UTF8: TextEncoding = { name: "utf-8", bomBytes: 0, guessed: false };

const MIN_UTF16_SAMPLE = 4;

/** Finds the encoding from the beginning of a file; undefined when it is not text. */
export function detectEncoding(sample: Uint8Array): TextEncoding | undefined {
  const [a, b, c] = sample;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { name: "utf-8", bomBytes: 3, guessed: false };
  if (a === 0xff && b === 0xfe) return { name: "utf-16le", bomBytes: 2, guessed: false };
  if (a === 0xfe && b === 0xff) return { name: "utf-16be", bomBytes: 2, guessed: false };
  const wide = detectUtf16(sample);
  if (wide !== undefined) return { name: wide, bomBytes: 0, guessed: false };
  if (isUtf8(sample)) return { name: "utf-8", bomBytes: 0, guessed: false };
  if (isGbk(sample)) return { name: "gbk", bomBytes: 0, guessed: false };
  if (controlShare(sample) > 0.02) return undefined;
  return { name: "windows-1252", bomBytes: 0, guessed: true };
}

/** Decodes bytes; invalid ones become U+FFFD. */
export function decodeBytes(bytes: Uint8Array, encoding: TextEncoding): string {
  return new TextDecoder(encoding.name, { ignoreBOM: true }).decode(bytes);
}

/** Share of bytes that no text holds: control characters other than white space, backspace and escape. */
export function controlShare(bytes: Uint8Array): number {
  if (bytes.length === 0) return 0;
  let count = 0;
  for (const byte of bytes)
    if (byte < 7 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32) || byte === 127) count++;
  return count / bytes.length;
}

/** Text without a mark has its zero bytes on one side only: Latin letters are `x 0` or `0 x`. */
function detectUtf16(sample: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (sample.length < MIN_UTF16_SAMPLE) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) at % 2 === 0 ? even++ : odd++;
  const half = sample.length / 2;
  if (odd > half * 0.4 && even < half * 0.02) return "utf-16le";
  if (even > half * 0.4 && odd < half * 0.02) return "utf-16be";
  return undefined;
}

function isUtf8(sample: Uint8Array): boolean {
  try {
    // A sample may end inside a code point.
    new TextDecoder("utf-8", { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** In Chinese text, high bytes come in pairs; in Western text they are surrounded by low ones. */
function isGbk(sample: Uint8Array): boolean {
  let pairs = 0;
  let typical = 0;
  for (let at = 0; at < sample.length; at++) {
    const lead = sample[at] as number;
    if (lead < 0x80) continue;
    const trail = sample[at + 1];
    if (trail === undefined) break;
    if (lead === 0x80 || lead === 0xff || trail < 0x40 || trail === 0x7f || trail === 0xff) return false;
    pairs++;
    if (lead >= 0xa1 && lead <= 0xf7 && trail >= 0xa1) typical++;
    at++;
  }
  return pairs > 0 && typical / pairs > 0.8;
}
