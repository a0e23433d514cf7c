import { jsonBytes } from "../../bytes/json/json-size.ts";
import type { ResolvedLimits } from "../../limits/resolve.ts";
import type { Omission } from "../../preview/types.ts";
import type { TruncationFacts } from "../../protocol/types.ts";
import { finite } from "./envelope.ts";

/** The key in a result's `_meta` that holds `McpTruncation`. */
export const TRUNCATION_META_KEY = "spillway/truncation";

/** One place where JSON was made smaller. */
export interface JsonCut {
  /** JSON pointer; "" is the root. */
  readonly pointer: string;
  readonly unit: "items" | "characters" | "properties";
  readonly kept: number;
  readonly total: number;
}

/** How one part of a result was bounded. */
export interface TruncatedPart {
  /** Index in the upstream's `content`; absent for `structuredContent`, for an error's message, and for other fields of the message. */
  readonly index?: number;
  readonly part: "text" | "resource" | "image" | "audio" | "structuredContent" | "error" | "message";
  /**
   * `preview`: text was cut and contains markers. `shrunk`: JSON was made smaller and is still JSON. `replaced`: a
   * description replaces it. `removed`: nothing replaces it.
   */
  readonly action: "preview" | "shrunk" | "replaced" | "removed";
  /** Mark that the notice and the markers carry; no text of the part contains it. */
  readonly mark?: string;
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
  /** How many more omissions there are than are listed. */
  readonly more_omissions?: number;
  /** Where JSON was shrunk, as JSON pointers. */
  readonly cuts?: readonly JsonCut[];
  /** How many more cuts there are than are listed. */
  readonly more_cuts?: number;
}

/** Most bytes of a list of omissions or cuts. */
const LIST_BYTES = 4096;

/** The facts of a part with the first omissions and cuts only: there can be thousands. */
function shortFacts({ omissions, cuts, ...facts }: TruncatedPart): TruncatedPart {
  const someOmissions = omissions && firstOf(omissions);
  const someCuts = cuts && firstOf(cuts);
  return {
    ...facts,
    ...(someOmissions && { omissions: someOmissions }),
    ...(omissions &&
      omissions !== someOmissions && { more_omissions: omissions.length - (someOmissions?.length ?? 0) }),
    ...(someCuts && { cuts: someCuts }),
    ...(cuts && cuts !== someCuts && { more_cuts: cuts.length - (someCuts?.length ?? 0) }),
  };
}

/** The very list when all of it fits. */
function firstOf<T>(list: readonly T[]): readonly T[] {
  let room = LIST_BYTES;
  const end = list.findIndex((entry) => {
    room -= jsonBytes(entry) + 1;
    return room < 0;
  });
  return end === -1 ? list : list.slice(0, end);
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

/** Facts of a result with at least one bounded part. */
export function summarizeParts(
  parts: readonly TruncatedPart[],
  { strategy, limits }: Pick<ResolvedLimits, "strategy" | "limits">,
): McpTruncation {
  const sum = (key: "original_lines" | "original_bytes" | "kept_lines" | "kept_bytes"): number =>
    parts.reduce((total, part) => total + part[key], 0);
  const items = parts.filter(({ original_items }) => original_items !== undefined);
  const sumItems = (key: "original_items" | "kept_items"): number =>
    items.reduce((total, part) => total + (part[key] ?? 0), 0);
  const { full_output_path, artifact_id, uri } = parts.find((part) => part.artifact_id !== null) ?? parts[0]!;
  const lost = parts.find((part) => part.lost !== undefined)?.lost;
  return {
    schema: 1,
    direction: strategy,
    max_lines: finite(limits.maxLines),
    max_bytes: finite(limits.maxBytes),
    original_lines: sum("original_lines"),
    original_bytes: sum("original_bytes"),
    kept_lines: sum("kept_lines"),
    kept_bytes: sum("kept_bytes"),
    ...(items.length > 0 && { original_items: sumItems("original_items"), kept_items: sumItems("kept_items") }),
    full_output_path,
    artifact_id,
    uri,
    ...(lost === undefined ? {} : { lost }),
    parts: parts.map(shortFacts),
  };
}
