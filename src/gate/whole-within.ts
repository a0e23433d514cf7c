import { countLines } from "../bytes/count-newlines.ts";
import type { ResolvedLimits } from "../limits/resolve.ts";
import type { Strategy } from "../limits/types.ts";
import type { GateOptions, Governed, Outcome } from "./types.ts";

export const DEFAULT_TOOL = "tool";
/** A string up to this length is measured at once; only a longer one goes through a capture unmeasured. */
export const SMALL_CHARS = 1024 * 1024;

/** A small text that is within limits, as a result; nothing of it is copied. */
export function wholeWithin(
  { limits, strategy }: ResolvedLimits,
  text: string,
  options: GateOptions,
  outcome: Outcome,
): Governed | undefined {
  const size = sizeWithin(limits, text);
  if (size === undefined) return undefined;
  return {
    kind: "whole",
    tool: options.tool || DEFAULT_TOOL,
    callId: options.callId,
    outcome,
    size,
    limits,
    strategy: previewStrategy(strategy),
    text,
  };
}

/** The size of a small text that is within limits. */
function sizeWithin(limits: ResolvedLimits["limits"], text: string): Governed["size"] | undefined {
  const chars = text.length;
  if (chars > SMALL_CHARS || chars > limits.maxBytes || chars > limits.maxChars) return undefined;
  if (limits.maxTokens !== Infinity) return undefined;
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.maxBytes) return undefined;
  const lines = countLines(text);
  return lines > limits.maxLines ? undefined : { lines, bytes, chars };
}

/** A summary is the caller's to make; until then both ends are shown. */
export function previewStrategy(strategy: ResolvedLimits["strategy"]): Strategy {
  return strategy === "summarize" ? "head_tail" : strategy;
}
