import { stringifyJson } from "../../../bytes/json/stringify-json.ts";
import { relativeTo } from "../../../gate/render/hint-text.ts";
import type { ArtifactLink, TruncatedPart } from "../../../gate/render/mcp-facts.ts";
import type { NoticePart } from "../../../gate/render/mcp-notice.ts";
import type { BoundedResult, GateOptions } from "../../../gate/types.ts";
import type { Limits } from "../../../limits/types.ts";
import { mimeTypeOf } from "../../mcp-shared/mime-type.ts";
import { artifactUri } from "../../mcp-shared/read-artifact.ts";
import type { BoundContext } from "./bound-context.ts";

/** One part of a result after it was bounded. */
export interface BoundPart extends NoticePart {
  readonly link: ArtifactLink | undefined;
}

/** The limits as call options, without those that are not set. */
export function asOptions(limits: Limits): {
  maxLines?: number;
  maxBytes?: number;
  maxChars?: number;
  maxTokens?: number;
} {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => Number.isFinite(value)));
}

/** Where the gate put the whole of a part. */
export function linkOf(governed: BoundedResult, context: BoundContext, mimeType?: string): ArtifactLink | undefined {
  if (!("artifact" in governed.storage)) return undefined;
  const { id, name, path } = governed.storage.artifact;
  return {
    id,
    name,
    path: relativeTo(context.spillway.root, path),
    uri: artifactUri(id),
    mimeType: mimeType ?? mimeTypeOf(name),
    bytes: governed.size.bytes,
    tool: context.tool,
  };
}

/** Saves the whole message, of which only parts are shown. */
export async function saveWhole(context: BoundContext): Promise<BoundedResult> {
  const output = context.spooled?.read() ?? stringifyJson(context.message, 2);
  const governed = await context.spillway.govern(output, {
    tool: context.tool,
    callId: context.callId,
    redacted: context.redacted,
    outcome: context.outcome,
    extension: "json",
    strategy: "head",
    tools: [],
    counted: false,
    // Not a limit for the message: whatever gets here is over its own, and must be saved.
    maxBytes: 1,
    maxLines: 1,
  } as GateOptions);
  if (governed.kind === "whole") throw new Error("A message cannot be one byte long.");
  return governed;
}

/** The facts that every bounded part has. */
export function storageFacts(
  governed: BoundedResult,
  link: ArtifactLink | undefined,
): Pick<
  TruncatedPart,
  "mark" | "original_lines" | "original_bytes" | "artifact_id" | "uri" | "full_output_path" | "lost"
> {
  const lost = "lost" in governed.storage ? governed.storage.lost : undefined;
  return {
    ...(governed.preview.mark === undefined ? {} : { mark: governed.preview.mark }),
    original_lines: governed.size.lines,
    original_bytes: governed.size.bytes,
    artifact_id: link?.id ?? null,
    uri: link?.uri ?? null,
    full_output_path: link?.path ?? null,
    ...(lost === undefined ? {} : { lost }),
  };
}
