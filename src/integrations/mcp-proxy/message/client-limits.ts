import type { ResolvedLimits } from "../../../limits/resolve.ts";
import type { Limits } from "../../../limits/types.ts";

/** The limits of a call; where nobody configured its bytes, at most what the client shows of a result. */
export function limitsForClient({ limits, origin }: ResolvedLimits, clientBytes: number | undefined): Limits {
  if (clientBytes === undefined || !origin.maxBytes.startsWith("built-in")) return limits;
  return { ...limits, maxBytes: Math.min(limits.maxBytes, clientBytes) };
}
