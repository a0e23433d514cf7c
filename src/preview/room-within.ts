import { stamp } from "./mark.ts";
import type { Room } from "./pieces.ts";
import { estimateTokens } from "./tokens/estimate-tokens.ts";
import type { CompleteOptions, FinishOptions } from "./types.ts";

/** The limits as a room, with what the caller keeps free taken off. */
export function roomWithin(options: CompleteOptions, { reserve, markers, mark }: FinishOptions): Room {
  const { limits, countTokens = estimateTokens } = options;
  return {
    lines: Math.max(0, limits.maxLines - (reserve?.lines ?? 0)),
    bytes: Math.max(0, limits.maxBytes - (reserve?.bytes ?? 0)),
    chars: Math.max(0, limits.maxChars - (reserve?.chars ?? 0)),
    tokens: Math.max(0, limits.maxTokens - (reserve?.tokens ?? 0)),
    countTokens: (draft) => countTokens(stamp(draft, mark)),
    ...(markers === "outside" ? { linesOnly: true } : {}),
  };
}
