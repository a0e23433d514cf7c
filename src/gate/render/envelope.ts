import { formatPlural } from "../../preview/omission.ts";
import type { ToolContext, ToolError, ToolResponse, ToolStats, TruncationFacts } from "../../protocol/types.ts";
import type { BoundedResult, Governed } from "../types.ts";
import { renderHint } from "./hint-text.ts";
import { relativeTo } from "./relative-to.ts";

export interface EnvelopeBase {
  readonly root: string;
  readonly stats: ToolStats;
  readonly context: ToolContext;
  /** What was done, for a result within limits. */
  readonly text?: string;
  /** Data beside `content`, for a result within limits. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Makes the envelope an error that carries what was captured. */
  readonly error?: ToolError;
}

/** The result as an envelope: `data.content` within limits, preview and truncation facts above. */
export function renderEnvelope(governed: Governed, base: EnvelopeBase): ToolResponse {
  const { stats, context, error } = base;
  const failed = error === undefined ? {} : { error };
  if (governed.kind === "whole") {
    const status = error === undefined ? "success" : "error";
    const { lines, bytes } = governed.size;
    const text =
      base.text ?? `${governed.tool} returned ${formatPlural(lines, "line")} (${formatPlural(bytes, "byte")}).`;
    return { status, data: { ...base.data, content: governed.text }, text, ...failed, stats, context };
  }
  const status = error === undefined ? "partial" : "error";
  const data = { truncated: true, truncation: truncationFacts(governed, base.root), preview: governed.preview.text };
  const summary = base.text === undefined ? "" : `${base.text} `;
  return {
    status,
    data,
    text: `⚠️ ${summary}${renderHint(governed.hint, { root: base.root })}`,
    ...failed,
    stats,
    context,
  };
}

/** The facts of a truncation as envelopes carry them. */
export function truncationFacts(governed: BoundedResult, root: string): TruncationFacts {
  const { preview, limits, strategy, size, storage } = governed;
  return {
    direction: strategy,
    max_lines: finite(limits.maxLines),
    max_bytes: finite(limits.maxBytes),
    original_lines: size.lines,
    original_bytes: size.bytes,
    kept_lines: preview.kept.lines,
    kept_bytes: preview.kept.bytes,
    ...("artifact" in storage
      ? { full_output_path: relativeTo(root, storage.artifact.path) }
      : { full_output_path: null, lost: storage.lost }),
  };
}

function finite(limit: number): number | null {
  return limit === Infinity ? null : limit;
}
