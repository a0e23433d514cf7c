import { describeOutcome, isNotable } from "../../protocol/outcome.ts";
import type { ToolError } from "../../protocol/types.ts";
import type { Hint } from "../hint.ts";
import type { BoundedResult, Governed } from "../types.ts";
import { withError } from "./envelope.ts";
import { renderHint } from "./hint-text.ts";
import { checkGoverned } from "./notice.ts";

/** The form of a tool result over the limit in sessions and model input. */
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

/** Input of a wrapper. */
export interface WrapperFacts {
  readonly tool: string;
  readonly callId?: string | undefined;
  /** Characters of the whole output. @default as the hint says */
  readonly chars?: number | undefined;
  readonly preview: string;
  readonly hint: Hint;
  /** A model's summary, in place of the preview. */
  readonly summary?:
    | { readonly preview: string; readonly original_length: number; readonly summarized: true }
    | undefined;
  /** The envelope that the wrapper replaces; its outcome is kept. */
  readonly envelope?: Readonly<Record<string, unknown>> | undefined;
}

/** The form of a result within limits where a wrapper is allowed. */
export interface WholeWrapper {
  _openagentic_truncated: false;
  output: unknown;
  /** How the call ended; only when that was not well. */
  hint?: string;
}

/** The wrapper of a bounded result; one within limits is wrapped whole. */
export function renderWrapper(governed: BoundedResult): Wrapper;
export function renderWrapper(governed: Governed): Wrapper | WholeWrapper;
export function renderWrapper(governed: Governed): Wrapper | WholeWrapper {
  checkGoverned(governed, "renderWrapper()");
  if (governed.kind === "whole") {
    const { outcome, text } = governed;
    return {
      _openagentic_truncated: false,
      output: "value" in governed ? governed.value : text,
      ...(isNotable(outcome) ? { hint: describeOutcome(outcome) } : {}),
    };
  }
  const { tool, callId, preview, hint } = governed;
  return wrap({ tool, callId, preview: preview.text, hint });
}

/** The wrapper of a result that is shown in another form than the gate returned. */
export function wrap(facts: WrapperFacts): Wrapper & Readonly<Record<string, unknown>> {
  const { tool, callId, preview, summary, envelope } = facts;
  const hint = withError(facts.hint, envelope?.error as ToolError | undefined);
  const { storage } = hint;
  return {
    _openagentic_truncated: true,
    reason: "tool_output_too_large",
    tool_name: tool,
    tool_use_id: callId ?? "",
    original_chars: facts.chars ?? hint.shown.size.chars,
    preview,
    ...("artifact" in storage ? { artifact_path: storage.artifact.path } : { artifact_path: null, lost: storage.lost }),
    hint: renderHint(summary === undefined ? hint : { ...hint, summarized: true }),
    ...summary,
    ...(envelope && ending(envelope)),
  };
}

function ending({ status, error, stats }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return {
    ...(status === undefined ? {} : { status }),
    ...(error === undefined ? {} : { error }),
    ...(stats === undefined ? {} : { stats }),
  };
}
