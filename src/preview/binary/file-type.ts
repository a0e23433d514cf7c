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
