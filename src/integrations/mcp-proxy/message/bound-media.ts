import type { TruncatedPart } from "../../../gate/render/mcp-facts.ts";
import { renderMediaNotice } from "../../../gate/render/mcp-notice.ts";
import { extensionOf, IMAGE_HEAD_BYTES, imageDimensions } from "../../mcp-shared/mime-type.ts";
import type { BoundContext } from "./bound-context.ts";
import { type BoundPart, linkOf, storageFacts } from "./bound-part.ts";
import { readText, type TextSource } from "./text-source.ts";

export interface MediaPart {
  readonly index: number;
  readonly part: Extract<TruncatedPart["part"], "image" | "audio" | "resource">;
  readonly mimeType: string;
  readonly source: TextSource;
}

export interface BoundMedia extends BoundPart {
  readonly description: string;
}

/** Length of the base64 form. */
export function mediaBytes(source: TextSource): number {
  return source.kind === "memory" ? source.text.length : source.string.escapedBytes;
}

/** Saves an image, audio or binary resource decoded and describes it in words. */
export async function boundMedia(media: MediaPart, context: BoundContext): Promise<BoundMedia | undefined> {
  const governed = await context.spillway.govern(decodeBase64(encoded(media.source)), {
    tool: context.tool,
    callId: context.callId,
    outcome: context.outcome,
    extension: extensionOf(media.mimeType),
    strategy: "head",
    tools: [],
    // Not a limit for the media: whatever gets here is over its own, and must be saved.
    maxBytes: 1,
    maxLines: 1,
  });
  if (governed.kind === "whole") return undefined;
  const link = linkOf(governed, context, media.mimeType);
  const facts = {
    kind: media.part,
    mimeType: media.mimeType,
    bytes: governed.size.bytes,
    dimensions: imageDimensions(await headOf(media.source)),
  };
  return {
    description: renderMediaNotice(facts, governed.storage, link),
    link,
    facts: {
      index: media.index,
      part: media.part,
      action: "replaced",
      mime_type: media.mimeType,
      ...storageFacts(governed, link),
      original_lines: 0,
      kept_lines: 0,
      kept_bytes: 0,
    },
  };
}

async function headOf(source: TextSource): Promise<Uint8Array> {
  const chars = IMAGE_HEAD_BYTES;
  const text = source.kind === "memory" ? source.text.slice(0, chars) : await readText(source.string, chars);
  return Buffer.from(text, "base64");
}

async function* encoded(source: TextSource): AsyncGenerator<Uint8Array> {
  if (source.kind === "memory") yield Buffer.from(source.text, "latin1");
  else yield* source.string.read();
}

/** Decodes base64 (standard or URL-safe, with or without padding) chunk by chunk. */
export async function* decodeBase64(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held = "";
  for await (const chunk of chunks) {
    const text =
      held + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1").replace(/\s+/g, "");
    const whole = text.length - (text.length % 4);
    held = text.slice(whole);
    if (whole > 0) yield Buffer.from(text.slice(0, whole), "base64");
  }
  if (held.length > 0) yield Buffer.from(held, "base64");
}
