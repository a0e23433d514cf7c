import type { ArtifactStore, ByteRange, FoundArtifact } from "../../artifacts/types.ts";
import { describeMedia, type MediaFacts } from "../../gate/render/mcp-blocks.ts";
import { MAX_BYTES } from "../../limits/defaults.ts";
import { parseArtifactUri } from "./artifact-uri.ts";
import { findArtifact } from "./find-artifact.ts";
import { IMAGE_HEAD_BYTES, imageDimensions } from "./image-dimensions.ts";
import type { JsonObject } from "./json-rpc.ts";
import { isTextType, mimeTypeOf } from "./mime-type.ts";

/** Most base64 characters of images and audio, where nothing is known of the client: what every model's interface takes. */
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
  /** Undefined when it is larger than was asked for: part of one is none. */
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
