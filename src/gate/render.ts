import path from "node:path";
import { formatPlural } from "../preview/omission.ts";
import type { ToolContext, ToolError, ToolResponse, ToolStats, TruncationFacts } from "../protocol/types.ts";
import type { BoundedResult, Governed, Storage } from "./types.ts";

/** What a tool result becomes in a session and for a model when it is over the limit. */
export interface Wrapper {
  _openagentic_truncated: true;
  reason: "tool_output_too_large";
  tool_name: string;
  tool_use_id: string;
  original_chars: number;
  preview: string;
  /** Absolute; null when the output could not be saved. */
  artifact_path: string | null;
  /** Why the full output could not be saved; only with a null path. */
  lost?: string;
  hint: string;
}

/** The result as plain text: all of it, or preview and notice within the limits. */
export function renderMessage(governed: Governed): string {
  if (governed.kind === "whole") return governed.text;
  const { preview, notice, strategy } = governed;
  if (notice === "") return preview.text;
  if (preview.text === "") return notice;
  return strategy === "tail" ? `${notice}\n\n${preview.text}` : `${preview.text}\n\n${notice}`;
}

/** The wrapper of a bounded result. */
export function renderWrapper(governed: BoundedResult): Wrapper {
  return {
    _openagentic_truncated: true,
    reason: "tool_output_too_large",
    tool_name: governed.tool,
    tool_use_id: governed.callId ?? "",
    original_chars: governed.size.chars,
    preview: governed.preview.text,
    ...("artifact" in governed.storage
      ? { artifact_path: governed.storage.artifact.path }
      : { artifact_path: null, lost: governed.storage.lost }),
    hint: governed.hint,
  };
}

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
  return { status, data, text: `⚠️ ${summary}${relativeHint(governed, base.root)}`, ...failed, stats, context };
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
      ? { full_output_path: relativePath(storage, root) }
      : { full_output_path: null, lost: storage.lost }),
  };
}

/** Below the root: relative to it, POSIX. Elsewhere: as it is. */
export function relativeTo(root: string, location: string): string {
  const relative = path.relative(root, location);
  const outside = relative === "" || relative.split(path.sep)[0] === ".." || path.isAbsolute(relative);
  return outside ? location : relative.split(path.sep).join("/");
}

function relativePath(storage: Extract<Storage, { artifact: unknown }>, root: string): string {
  return relativeTo(root, storage.artifact.path);
}

function relativeHint({ storage, textPath, hint }: BoundedResult, root: string): string {
  const paths = [
    ...("artifact" in storage ? [storage.artifact.path] : []),
    ...(textPath === undefined ? [] : [textPath]),
  ];
  return paths.reduce((text, location) => text.replaceAll(location, () => relativeTo(root, location)), hint);
}

function finite(limit: number): number | null {
  return limit === Infinity ? null : limit;
}
