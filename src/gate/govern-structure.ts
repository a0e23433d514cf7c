import type { ResolvedLimits } from "../limits/resolve.ts";
import type { Redaction } from "../redact/redaction.ts";
import { SecretNumbers } from "../redact/secret-numbers.ts";
import { wholeWithin } from "./call-limits.ts";
import { type CaptureContext, countsOf } from "./capture.ts";
import { type Redacted, redactedField } from "./clean.ts";
import { renderValue } from "./output.ts";
import type { GateOptions, Governed } from "./types.ts";

/** The parts of a gate that bounding a value needs. */
export interface StructureGate {
  redaction(): Promise<Redaction | undefined>;
  limits(options: GateOptions): Promise<ResolvedLimits>;
  contextFor(options: GateOptions, extension: string): Promise<CaptureContext>;
  /** `redacted` counts what was redacted in the text before. */
  governText(text: string, options: GateOptions, extension: string, redacted: Redacted): Promise<Governed>;
}

/** Bounds a structured value, without its secrets. */
export async function governStructure(gate: StructureGate, given: unknown, options: GateOptions): Promise<Governed> {
  const redaction = await gate.redaction();
  if (redaction === undefined) return governClean(gate, given, options, {});
  const { redactValue } = await import("../redact/redact-value.ts");
  const secrets = options.secrets ?? new SecretNumbers();
  const { value, counts } = redactValue(redaction, given, secrets);
  const { saved } = options;
  const around = saved && redactValue(redaction, saved.value, secrets);
  const redacted = options.redacted ?? countsOf(around ? around.counts : counts) ?? {};
  const cleaned = saved && around ? { ...options, saved: { ...saved, value: around.value } } : options;
  return governClean(gate, value, cleaned, redacted);
}

/** Bounds a value that has no secrets, or keeps them. */
async function governClean(
  gate: StructureGate,
  value: unknown,
  options: GateOptions,
  redacted: Redacted,
): Promise<Governed> {
  const outcome = options.outcome ?? { kind: "success" };
  const text = renderValue(value);
  const resolved = await gate.limits(options);
  // Each newline of a text inside the value is a line too, when it is measured by its parts.
  const small =
    wholeWithin(resolved, text, options, outcome) !== undefined &&
    text.split(/\n|\\n/).length <= resolved.limits.maxLines;
  if (!small && typeof value === "object" && value !== null) {
    const { governValue } = await import("./items/govern-value.ts");
    const context = { ...(await gate.contextFor(options, "json")), ...redactedField(redacted) };
    const governed = await governValue(context, value, { text, outcome, saved: options.saved });
    if (governed !== undefined) return governed;
  }
  const governed = await gate.governText(text, options, "json", redacted);
  return governed.kind === "whole" ? { ...governed, value } : governed;
}
