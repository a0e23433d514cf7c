import type { Strategy } from "../limits/types.ts";
import type { CaptureContext } from "./capture.ts";
import type { Reader } from "./reader.ts";
import type { Outcome } from "./types.ts";

/** How an output was shown, saved in its manifest so that it can be shown the same way again. JSON. */
export interface ShownAs {
  readonly strategy: Strategy;
  /** Only the limits that there are. */
  readonly maxLines?: number;
  readonly maxBytes?: number;
  readonly maxChars?: number;
  readonly maxTokens?: number;
  readonly query?: string;
  readonly outcome: Outcome;
  readonly reader: Reader;
  readonly surface: string;
  /** Markers were returned apart from the preview, or did not count against the limits. */
  readonly markers?: "outside" | "on_top";
  /** For a value bounded by items: its position in the saved JSON. */
  readonly items?: readonly string[];
}

/** Most characters of a question or a message that are kept. */
const KEPT_CHARS = 500;

/** How the output was shown, as its manifest records it. */
export function shownAs(context: CaptureContext, outcome: Outcome, items?: readonly string[]): Record<string, unknown> {
  const { strategy, limits, query, reader, surface, markers } = context;
  const finite = Object.entries(limits).filter(([, limit]) => limit !== Number.POSITIVE_INFINITY);
  const shown: ShownAs = {
    strategy,
    ...Object.fromEntries(finite),
    ...(query === undefined || query === "" ? {} : { query: query.slice(0, KEPT_CHARS) }),
    outcome: "message" in outcome ? { ...outcome, message: outcome.message.slice(0, KEPT_CHARS) } : outcome,
    reader,
    surface,
    ...(markers === "inside" ? {} : { markers }),
    ...(items === undefined ? {} : { items }),
  };
  return { ...shown };
}
