import type { Omission } from "../../../preview/types.ts";
import type { TruncationFacts } from "../../../protocol/types.ts";
import type { JsonCut } from "./shrink-json.ts";

/** The key in a result's `_meta` that holds `McpTruncation`. */
export const TRUNCATION_META_KEY = "spillway/truncation";

/** What happened to one part of a result. */
export interface TruncatedPart {
  /** Index in the upstream's `content`; absent for `structuredContent`, for an error's message, and for other fields of the message. */
  readonly index?: number;
  readonly part: "text" | "resource" | "image" | "audio" | "structuredContent" | "error" | "message";
  /**
   * `preview`: text was cut, markers stand in it. `shrunk`: JSON was made smaller and is still JSON. `replaced`: a
   * description stands in its place. `removed`: nothing stands in its place.
   */
  readonly action: "preview" | "shrunk" | "replaced" | "removed";
  readonly original_lines: number;
  readonly original_bytes: number;
  readonly kept_lines: number;
  readonly kept_bytes: number;
  /** Of a part made of items; a line is then one item as compact JSON. */
  readonly original_items?: number;
  readonly kept_items?: number;
  readonly mime_type?: string;
  readonly artifact_id: string | null;
  /** The resource to read it by, ranged with `?lines=A-B` or `?bytes=A-B`. */
  readonly uri: string | null;
  /** As the host of the proxy sees it: relative to the root when below it. */
  readonly full_output_path: string | null;
  readonly lost?: string;
  readonly omissions?: readonly Omission[];
  /** Where JSON was shrunk, as JSON pointers. */
  readonly cuts?: readonly JsonCut[];
}

/** The truncation facts of a tool result, in `_meta["spillway/truncation"]`: totals over all parts, and each part. */
export interface McpTruncation extends TruncationFacts {
  readonly schema: 1;
  readonly artifact_id: string | null;
  readonly uri: string | null;
  readonly parts: readonly TruncatedPart[];
}

/** An artifact that a result points to. */
export interface ArtifactLink {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly uri: string;
  readonly mimeType: string;
  readonly bytes: number;
  readonly tool: string;
}
