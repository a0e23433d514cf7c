import type { Strategy } from "../limits/types.ts";
import type { CaptureContext } from "./capture.ts";
import type { Reader } from "./reader.ts";
import type { Outcome } from "./types.ts";

/** How an output was shown, as its manifest keeps it: enough to show it in the same way again. JSON. */
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
  /** Markers stood beside the preview, or came on top of the limits. */
  readonly markers?: "outside" | "on_top";
  /** Of a value that was bounded by its items: where in the saved JSON it stands. */
  readonly items?: readonly string[];
}

/** Most characters of a question or a message that are kept. */
const KEPT_CHARS = 500;

/** What the manifest of an output says of how it was shown. */
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
