import type { ArtifactStore, ByteRange } from "../../artifacts/types.ts";
import { MAX_BYTES } from "../../limits/defaults.ts";
import { parseArtifactUri } from "./artifact-uri.ts";
import { findArtifact } from "./find-artifact.ts";
import type { JsonObject } from "./json-rpc.ts";
import { isTextType, mimeTypeOf } from "./mime-type.ts";

/** The bytes of a range, in memory; ranges are the caller's to keep small. */
export async function readBytes(store: ArtifactStore, id: string, range: ByteRange): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of store.read(id, range)) parts.push(Uint8Array.from(part));
  return Buffer.concat(parts);
}

/** Answers `resources/read` for a `spillway://` URI: text by lines or bytes, other types as base64; always bounded. */
export async function readArtifactResource(uri: string, store: ArtifactStore): Promise<JsonObject> {
  const request = parseArtifactUri(uri);
  const artifact = await findArtifact(request.id, store);
  const mimeType = mimeTypeOf(artifact.name);
  const total = artifact.manifest ? { lines: artifact.manifest.lines, bytes: artifact.manifest.bytes } : {};
  if (request.bytes || !isTextType(mimeType)) {
    const startByte = request.bytes?.startByte ?? 0;
    const endByte = Math.min(request.bytes?.endByte ?? Number.POSITIVE_INFINITY, startByte + MAX_BYTES);
    const bytes = await readBytes(store, artifact.id, { startByte, endByte });
    const range = {
      "spillway/range": { start_byte: startByte, end_byte: startByte + bytes.length, total_bytes: total.bytes },
    };
    const body = isTextType(mimeType)
      ? { text: new TextDecoder("utf-8").decode(bytes) }
      : { blob: bytes.toString("base64") };
    return { contents: [{ uri, mimeType, ...body, _meta: range }] };
  }
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
