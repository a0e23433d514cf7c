import { extensionOf } from "../../mcp-shared/mime-type.ts";
import { decodeBase64 } from "../spool/decode-base64.ts";
import type { BoundContext } from "./bound-context.ts";
import { type BoundPart, linkOf, storageFacts } from "./bound-part.ts";
import type { TextSource } from "./text-source.ts";
import type { TruncatedPart } from "./truncation-facts.ts";

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
    extension: extensionOf(media.mimeType),
    strategy: "head",
    tools: [],
    // Not a limit for the media: whatever gets here is over its own, and must be saved.
    maxBytes: 1,
    maxLines: 1,
  });
  if (governed.kind === "whole") return undefined;
  const link = linkOf(governed, context, media.mimeType);
  const size = `${governed.size.bytes.toLocaleString("en-US")} bytes`;
  const where = link
    ? `It is saved as ${link.path}; its resource is ${link.uri}`
    : `It could not be saved: ${"lost" in governed.storage ? governed.storage.lost : "unknown reason"}`;
  return {
    description: `[${media.part} of type ${media.mimeType}, ${size}, over the limit and not shown. ${where}.]`,
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

async function* encoded(source: TextSource): AsyncGenerator<Uint8Array> {
  if (source.kind === "memory") yield Buffer.from(source.text, "latin1");
  else yield* source.string.read();
}
