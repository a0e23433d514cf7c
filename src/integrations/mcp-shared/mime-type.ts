import { extname } from "node:path";

/** Width and height of an image in pixels. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** This many bytes contain the dimensions of all images but JPEGs with long metadata. */
export const IMAGE_HEAD_BYTES = 64 * 1024;

/** The size of a PNG, JPEG, GIF or WebP image by its first bytes; undefined for all else. */
export function imageDimensions(head: Uint8Array): Dimensions | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const starts = (text: string, at = 0): boolean => bytes.toString("latin1", at, at + text.length) === text;
  try {
    if (starts("\x89PNG")) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    if (starts("GIF8")) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    if (starts("RIFF") && starts("WEBP", 8)) return webpDimensions(bytes, starts);
    return starts("\xff\xd8") ? jpegDimensions(bytes) : undefined;
  } catch {
    // The head ends before the dimensions.
    return undefined;
  }
}

function webpDimensions(bytes: Buffer, starts: (text: string, at: number) => boolean): Dimensions | undefined {
  if (starts("VP8X", 12)) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (starts("VP8L", 12)) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (!starts("VP8 ", 12)) return undefined;
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

/** The frame header among the segments; those that are no frame but look like one are tables and arithmetic coding. */
function jpegDimensions(bytes: Buffer): Dimensions | undefined {
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  txt: "text/plain",
  json: "application/json",
  md: "text/markdown",
  html: "text/html",
  csv: "text/csv",
  xml: "application/xml",
  png: "image/png",
  jpg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  svg: "image/svg+xml",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  ogg: "audio/ogg",
  flac: "audio/flac",
  mp4: "video/mp4",
  pdf: "application/pdf",
  zip: "application/zip",
  gz: "application/gzip",
  bin: "application/octet-stream",
};

const EXTENSIONS = new Map(Object.entries(TYPES).map(([extension, type]) => [type, extension]));
const MORE_EXTENSIONS = new Map([
  ["audio/x-wav", "wav"],
  ["audio/wave", "wav"],
  ["audio/mp3", "mp3"],
  ["image/jpg", "jpg"],
]);

/** The media type of a file by its name; plain text when the name says nothing. */
export function mimeTypeOf(name: string): string {
  return TYPES[extname(name).slice(1).toLowerCase()] ?? "text/plain";
}

/** The file extension for a media type, without the dot; "bin" for an unknown one. */
export function extensionOf(mimeType: string): string {
  const essence = mimeType.split(";", 1)[0]!.trim().toLowerCase();
  return EXTENSIONS.get(essence) ?? MORE_EXTENSIONS.get(essence) ?? "bin";
}

/** True when a file of this type can be shown as text. */
export function isTextType(mimeType: string): boolean {
  return mimeType.startsWith("text/") || ["application/json", "application/xml", "image/svg+xml"].includes(mimeType);
}
