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

/** What kind of binary file begins with these bytes; undefined when no signature fits. */
export function detectFileType(head: Uint8Array): string | undefined {
  const hex = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 300)).toString("hex");
  return SIGNATURES.find(([, offset, bytes]) => hex.startsWith(bytes, offset * 2))?.[0];
}
