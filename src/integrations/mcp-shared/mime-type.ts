import { extname } from "node:path";

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

/** The file extension for a media type, without the dot; "bin" for one that is not known. */
export function extensionOf(mimeType: string): string {
  const essence = mimeType.split(";", 1)[0]!.trim().toLowerCase();
  return EXTENSIONS.get(essence) ?? MORE_EXTENSIONS.get(essence) ?? "bin";
}

/** True when a file of this type can be shown as text. */
export function isTextType(mimeType: string): boolean {
  return mimeType.startsWith("text/") || ["application/json", "application/xml", "image/svg+xml"].includes(mimeType);
}
