import { kinds } from "../../limits/options.ts";
import { formatPlural } from "../../preview/omission.ts";
import { describeOutcome, isNotable, type Outcome } from "../../protocol/outcome.ts";
import type { ToolContext, ToolError, ToolResponse, ToolStats, TruncationFacts } from "../../protocol/types.ts";
import type { Hint } from "../hint.ts";
import type { BoundedResult, Governed } from "../types.ts";
import { judgeOutcome } from "../verdict.ts";
import { relativeTo, renderHint } from "./hint-text.ts";
import { checkGoverned } from "./notice.ts";

export interface EnvelopeBase {
  readonly root: string;
  readonly stats: ToolStats;
  readonly context: ToolContext;
  /** What was done, without how it ended. @default how much was returned, for a result within limits */
  readonly text?: string;
  /** Fields next to `content`, or next to the preview of a text. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Makes the envelope an error that carries what was captured. @default as the outcome says */
  readonly error?: ToolError;
  /** What to do now, when it did not end well. @default as the outcome says */
  readonly next?: string;
  /** Writes the hint. @default renderHint */
  readonly sayHint?: typeof renderHint | undefined;
}

/** The result as an envelope: `data.content` within limits, preview and truncation facts above. */
export function renderEnvelope(governed: Governed, base: EnvelopeBase): ToolResponse {
  checkGoverned(governed, "renderEnvelope()");
  checkBase(base, "The second argument of renderEnvelope()");
  const { context } = base;
  const stats = { ...endStats(governed.outcome), ...base.stats };
  const judged = judgeOutcome(governed.outcome, governed.size);
  const verdict = base.error === undefined ? judged : { ...judged, status: "error" as const, error: base.error };
  const failed = verdict.error === undefined ? {} : { error: verdict.error };
  if (governed.kind === "whole") {
    const data = { ...base.data, ...verdict.data, content: governed.text };
    const ending = isNotable(governed.outcome) ? [describeOutcome(governed.outcome), base.next ?? verdict.next] : [];
    const text = sentences(base.text ?? (verdict.status === "error" ? "" : sayReturned(governed)), ...ending);
    return { status: verdict.status, data, text, ...failed, stats, context };
  }
  const status = verdict.status === "success" ? "partial" : verdict.status;
  const facts = truncationFacts(governed, base.root);
  const { structured } = governed;
  const data = {
    ...(structured === undefined ? base.data : fieldsOf(structured.value)),
    truncated: true,
    truncation: facts,
    ...verdict.data,
    preview: structured?.preview ?? governed.preview.text,
  };
  const next = isNotable(governed.outcome) ? base.next : undefined;
  const hint = (base.sayHint ?? renderHint)(withError(structured?.hint ?? governed.hint, base.error), {
    root: base.root,
  });
  // A shell line comes last: text after it would be taken as part of the command.
  const said = governed.hint.next.some((call) => "line" in call) ? [next, hint] : [hint, next];
  const text = `⚠️ ${sentences(base.text, ...said)}`;
  return { status, data, text, ...failed, stats, context };
}

const checkBase = kinds.having(
  'an object such as { root, stats: { time_ms: 12 }, context: { cwd: ".", params_input: {} } }',
  "root",
  "stats",
  "context",
);

/** A hint that calls no failure a success. */
export function withError(hint: Hint, error: ToolError | undefined): Hint {
  if (error === undefined || hint.outcome.kind !== "success") return hint;
  return { ...hint, outcome: { kind: "failure", message: error.message } };
}

/** How a process ended, as `stats` tell it. */
function endStats(outcome: Outcome): Record<string, number | string> {
  const { exitCode, signal } = outcome.kind === "failure" ? outcome : {};
  return {
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    ...(signal === undefined ? {} : { signal }),
  };
}

function sayReturned({ tool, size }: Governed): string {
  return `${tool} returned ${formatPlural(size.lines, "line")} (${formatPlural(size.bytes, "byte")}).`;
}

function sentences(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

/** The kept part of a structured value, as fields of `data`. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (Array.isArray(value)) return { items: value };
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** The facts of a truncation as envelopes carry them. */
export function truncationFacts(governed: BoundedResult, root: string): TruncationFacts {
  const { preview, limits, strategy, size, storage, structured } = governed;
  const kept = structured?.kept ?? preview.kept;
  return {
    // Of items the first are kept where a text would keep both ends.
    direction: structured?.items !== undefined && strategy === "head_tail" ? "head" : strategy,
    max_lines: finite(limits.maxLines),
    max_bytes: finite(limits.maxBytes),
    ...(limits.maxChars === Infinity ? {} : { max_chars: limits.maxChars }),
    ...(limits.maxTokens === Infinity ? {} : { max_tokens: limits.maxTokens }),
    original_lines: size.lines,
    original_bytes: size.bytes,
    kept_lines: kept.lines,
    kept_bytes: kept.bytes,
    ...(structured?.items && { original_items: structured.items.total, kept_items: structured.items.kept }),
    ...("artifact" in storage
      ? { full_output_path: relativeTo(root, storage.artifact.path) }
      : { full_output_path: null, lost: storage.lost }),
  };
}

/** A limit in the facts; null if there is none. */
export function finite(limit: number): number | null {
  return limit === Infinity ? null : limit;
}
