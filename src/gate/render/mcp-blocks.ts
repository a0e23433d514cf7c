import { formatPlural } from "../../preview/omission.ts";
import type { ToolResponse } from "../../protocol/types.ts";
import type { Storage } from "../types.ts";
import { type ArtifactLink, TRUNCATION_META_KEY } from "./mcp-facts.ts";

export type McpTextBlock = { type: "text"; text: string };
export type McpTextResult = { content: McpTextBlock[]; isError?: true };

export function textBlock(text: string): McpTextBlock {
  return { type: "text", text };
}

/** A failure that the model gets to read. */
export function renderMcpError(text: string): McpTextResult {
  return { content: [textBlock(text)], isError: true };
}

/** The envelope as text, with the truncation facts typed beside it. */
export function renderMcpResponse(response: ToolResponse): McpTextResult & { _meta?: Record<string, unknown> } {
  const { truncation } = response.data;
  return {
    content: [textBlock(JSON.stringify(response))],
    ...(response.status === "error" ? { isError: true } : {}),
    ...(truncation === undefined ? {} : { _meta: { [TRUNCATION_META_KEY]: truncation } }),
  };
}

/** A link by which a client gets at the whole. */
export function linkBlock(link: ArtifactLink): Record<string, unknown> {
  return {
    type: "resource_link",
    uri: link.uri,
    name: link.name,
    mimeType: link.mimeType,
    size: link.bytes,
    description: `The full output of ${link.tool}; add ?lines=A-B or ?bytes=A-B to read a part`,
  };
}

/** What is told of an image, a sound or a file. */
export interface MediaFacts {
  readonly kind: string;
  readonly mimeType: string;
  readonly bytes: number;
  readonly dimensions: { readonly width: number; readonly height: number } | undefined;
}

/** An image or a sound. */
export function mediaBlock({ kind, mimeType }: MediaFacts, base64: string): Record<string, unknown> {
  return { type: kind, data: base64, mimeType };
}

/** "image of type image/png, 1280 x 720 pixels, 51,200 bytes". */
export function describeMedia({ kind, mimeType, bytes, dimensions }: MediaFacts): string {
  const size = dimensions ? `${dimensions.width} x ${dimensions.height} pixels, ` : "";
  return `${kind} of type ${mimeType}, ${size}${formatPlural(bytes, "byte")}`;
}

/** What stands in the place of media over the limit. */
export function renderMediaNotice(media: MediaFacts, storage: Storage, link: ArtifactLink | undefined): string {
  const where = link
    ? `It is saved as ${link.path}; its resource is ${link.uri}`
    : `It could not be saved: ${"lost" in storage ? storage.lost : "unknown reason"}`;
  return `[${describeMedia(media)}, over the limit and not shown. ${where}.]`;
}
