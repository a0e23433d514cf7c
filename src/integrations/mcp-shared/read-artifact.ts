import type { ArtifactStore, ByteRange, FoundArtifact } from "../../artifacts/types.ts";
import { invalidArgument, SpillwayError } from "../../errors.ts";
import { describeMedia, type MediaFacts } from "../../gate/render/mcp-notice.ts";
import { MAX_BYTES } from "../../limits/defaults.ts";
import type { JsonObject } from "./json-rpc.ts";
import { IMAGE_HEAD_BYTES, imageDimensions, isTextType, mimeTypeOf } from "./mime-type.ts";

/** Finds an artifact by any reference a model may have: id, file name, path, call id or URI. */
export async function findArtifact(reference: string, store: ArtifactStore): Promise<FoundArtifact> {
  const found = await store.find(reference.replace(/^spillway:\/\/artifact\//, "").replace(/\?.*$/, ""));
  if (!found)
    throw new SpillwayError(
      "ARTIFACT_NOT_FOUND",
      `There is no artifact ${JSON.stringify(reference.slice(0, 200))}. It may have expired; call the tool again.`,
    );
  return found;
}

export const ARTIFACT_URI_PREFIX = "spillway://artifact/";
/** The ranged resource as listed by `resources/templates/list`; the template's form is that of RFC 6570. */
export const ARTIFACT_TEMPLATE = {
  uriTemplate: `${ARTIFACT_URI_PREFIX}{id}{?lines,bytes}`,
  name: "spillway-artifact",
  title: "Saved full output",
  description: "Part of a full tool output: lines=A-B (from 1) or bytes=A-B (from 0)",
} as const;

/** The parsed `spillway://` URI. Lines are 1-based and inclusive. */
export interface ArtifactUri {
  readonly id: string;
  readonly lines?: { readonly startLine: number; readonly endLine: number };
  readonly bytes?: ByteRange;
}

export function artifactUri(id: string): string {
  return ARTIFACT_URI_PREFIX + encodeURIComponent(id);
}

/** Reads a `spillway://artifact/ID?lines=A-B` or `?bytes=A-B` URI; throws a SpillwayError that names the problem. */
export function parseArtifactUri(uri: string): ArtifactUri {
  const [path = "", query = ""] = uri.slice(ARTIFACT_URI_PREFIX.length).split("?", 2);
  const id = decode(path);
  if (!uri.startsWith(ARTIFACT_URI_PREFIX) || id === "")
    throw invalidArgument(`${uri} is not of the form ${ARTIFACT_TEMPLATE.uriTemplate}`);
  const search = new URLSearchParams(query);
  const lines = search.get("lines");
  const bytes = search.get("bytes");
  if (bytes !== null) {
    const [startByte, endByte] = parseRange(bytes, "bytes", 0);
    return { id, bytes: { startByte, endByte } };
  }
  if (lines === null) return { id };
  const [startLine, endLine] = parseRange(lines, "lines", 1);
  return { id, lines: { startLine, endLine } };
}

/** Reads "A-B", "A-" or "A"; the end of an open range is Infinity. */
export function parseRange(text: string, name: string, least: number): [start: number, end: number] {
  const match = /^(\d+)(?:(-)(\d*))?$/.exec(text.trim());
  const start = Number(match?.[1]);
  const end = match?.[2] === undefined ? start : match[3] === "" ? Number.POSITIVE_INFINITY : Number(match[3]);
  if (!match || start < least || end < start)
    throw invalidArgument(`${name} must look like ${least}-${least + 199}, not ${JSON.stringify(text)}`);
  return [start, end];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Upper bound for base64 of images and audio for unknown clients: what every model's interface accepts. */
export const MAX_MEDIA_BYTES = 5_000_000;

/** The bytes of a range, in memory; ranges are the caller's to keep small. */
export async function readBytes(store: ArtifactStore, id: string, range: ByteRange): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of store.read(id, range)) parts.push(Uint8Array.from(part));
  return Buffer.concat(parts);
}

/** An image or sound among the artifacts. */
interface ArtifactMedia extends MediaFacts {
  readonly kind: "image" | "audio";
  /** Undefined if it is larger than requested: a part of it would be unusable. */
  readonly base64: string | undefined;
}

/** Reads an artifact that is an image or a sound, whole or not at all; undefined for all else. */
export async function readMedia(
  artifact: FoundArtifact,
  store: ArtifactStore,
  maxBase64: number,
): Promise<ArtifactMedia | undefined> {
  const mimeType = mimeTypeOf(artifact.name);
  const kind = kindOf(mimeType);
  if (kind === undefined) return undefined;
  const bytes = artifact.manifest?.bytes ?? (await readBytes(store, artifact.id, EVERYTHING)).length;
  const fits = base64Length(bytes) <= maxBase64;
  const read = await readBytes(store, artifact.id, fits ? EVERYTHING : { startByte: 0, endByte: IMAGE_HEAD_BYTES });
  const base64 = fits ? read.toString("base64") : undefined;
  return { kind, mimeType, bytes, dimensions: imageDimensions(read), base64 };
}

/** Answers `resources/read` for a `spillway://` URI: text by lines or bytes, media whole, other types as base64; always bounded. */
export async function readArtifactResource(
  uri: string,
  store: ArtifactStore,
  maxMediaBytes: number = MAX_MEDIA_BYTES,
): Promise<JsonObject> {
  const request = parseArtifactUri(uri);
  const artifact = await findArtifact(request.id, store);
  const mimeType = mimeTypeOf(artifact.name);
  const media = request.bytes ? undefined : await readMedia(artifact, store, maxMediaBytes);
  if (media?.base64 !== undefined) return { contents: [{ uri, mimeType, blob: media.base64 }] };
  if (media) {
    const text = `[${describeMedia(media)}: too large to be sent. Its file is ${artifact.path}; ?bytes=A-B gives a part.]`;
    return { contents: [{ uri, mimeType: "text/plain", text }] };
  }
  if (request.bytes || !isTextType(mimeType)) return readRange(uri, request.bytes, artifact, store);
  const { startLine = 1, endLine = Number.POSITIVE_INFINITY } = request.lines ?? {};
  const limit = Math.min(endLine - startLine + 1, Number.MAX_SAFE_INTEGER);
  const page = await store.readLines(artifact.id, { offsetLine: startLine, limit, maxBytes: MAX_BYTES });
  const range = {
    "spillway/range": {
      start_line: page.startLine,
      end_line: page.endLine,
      total_lines: page.totalLines,
      start_byte: page.startByte,
      end_byte: page.endByte,
      total_bytes: page.totalBytes,
    },
  };
  return { contents: [{ uri, mimeType, text: page.text, _meta: range }] };
}

/** Bytes of an artifact; part of a file has not the type of the whole. */
async function readRange(
  uri: string,
  range: ByteRange | undefined,
  { id, name, manifest }: FoundArtifact,
  store: ArtifactStore,
): Promise<JsonObject> {
  const mimeType = mimeTypeOf(name);
  const startByte = range?.startByte ?? 0;
  const endByte = Math.min(range?.endByte ?? Number.POSITIVE_INFINITY, startByte + MAX_BYTES);
  const bytes = await readBytes(store, id, { startByte, endByte });
  const total = manifest?.bytes;
  const _meta = {
    "spillway/range": { start_byte: startByte, end_byte: startByte + bytes.length, total_bytes: total },
  };
  if (isTextType(mimeType))
    return { contents: [{ uri, mimeType, text: new TextDecoder("utf-8").decode(bytes), _meta }] };
  const whole = startByte === 0 && bytes.length === total;
  const type = whole ? mimeType : "application/octet-stream";
  return { contents: [{ uri, mimeType: type, blob: bytes.toString("base64"), _meta }] };
}

const EVERYTHING: ByteRange = { startByte: 0, endByte: Number.MAX_SAFE_INTEGER };

function kindOf(mimeType: string): ArtifactMedia["kind"] | undefined {
  if (isTextType(mimeType)) return undefined;
  return (["image", "audio"] as const).find((kind) => mimeType.startsWith(`${kind}/`));
}

function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}
