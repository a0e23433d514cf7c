import { jsonBytes } from "../../bytes/json/json-size.ts";
import type { Limits, Strategy } from "../../limits/types.ts";
import type { Room } from "../../preview/pieces.ts";
import { estimateTokens } from "../../preview/tokens/estimate-tokens.ts";
import type { Reserve } from "../../preview/types.ts";
import type { KeptStructure } from "../types.ts";
import { sumSizes } from "./find-parts.ts";
import { type KeptPart, keepParts, rebuild } from "./keep-parts.ts";
import type { MeasuredValue } from "./measure-value.ts";
import { renderShort } from "./render-parts.ts";

export interface BoundValueOptions {
  readonly limits: Limits;
  readonly strategy: Strategy;
  readonly query?: string | undefined;
  /** What markers carry. */
  readonly mark?: string | undefined;
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Room to leave for a notice; of lines none, since the value's lines are its items. @default nothing */
  readonly reserve?: Reserve | undefined;
}

export interface BoundValue extends Omit<KeptStructure, "hint"> {
  readonly parts: readonly KeptPart[];
}

/** The preview beside the kept items takes this share of the limits, and no more than this. */
const PREVIEW_SHARE = 8;
const PREVIEW_BYTES = 1500;
const PREVIEW_LINES = 8;
const LEAST_PREVIEW_LINES = 4;
/** What stands around the parts is taken off their room up to this share of it. */
const FRAME_SHARE = 4;

/** Keeps of a value as many items, and as much of its texts, as the limits hold beside a short preview. */
export function boundValue(measured: MeasuredValue, options: BoundValueOptions): BoundValue {
  const { limits, strategy, query, mark, countTokens = estimateTokens, reserve } = options;
  const choice = { strategy, query, mark };
  const all: Room = {
    lines: limits.maxLines,
    bytes: limits.maxBytes - (reserve?.bytes ?? 0),
    chars: limits.maxChars - (reserve?.chars ?? 0),
    tokens: limits.maxTokens - (reserve?.tokens ?? 0),
    countTokens,
  };
  const short: Room = {
    lines: Math.max(LEAST_PREVIEW_LINES, Math.min(PREVIEW_LINES, Math.floor(all.lines / PREVIEW_SHARE))),
    bytes: Math.min(PREVIEW_BYTES, Math.floor(all.bytes / PREVIEW_SHARE)),
    chars: Math.min(PREVIEW_BYTES, Math.floor(all.chars / PREVIEW_SHARE)),
    tokens: Math.min(PREVIEW_BYTES, Math.floor(all.tokens / PREVIEW_SHARE)),
    countTokens,
  };
  const frameBytes = jsonBytes(rebuild(measured.value, keepParts(measured.parts, { ...all, lines: 0 }, choice)));
  const less = (limit: number, preview: number, frame: number): number =>
    Math.max(0, limit - preview - Math.floor(Math.min(frame, limit / FRAME_SHARE)));
  const parts = keepParts(
    measured.parts,
    {
      ...all,
      bytes: less(all.bytes, short.bytes, frameBytes),
      chars: less(all.chars, short.chars, frameBytes),
      tokens: less(all.tokens, short.tokens, frameBytes / 3),
    },
    choice,
  );
  const kept = sumSizes(parts.map((part) => part.kept));
  return {
    value: rebuild(measured.value, parts),
    parts,
    kept,
    ...countItems(parts),
    preview: renderShort(parts, kept.bytes === 0 ? all : short, choice),
  };
}

/** The items of all lists, and of each list by its name. */
export function countItems(parts: readonly KeptPart[]): Pick<BoundValue, "items" | "totals"> {
  const lists = parts.flatMap((kept) =>
    kept.part.kind === "list"
      ? [{ part: kept.part, total: kept.part.items.length, kept: "indices" in kept ? kept.indices.length : 0 }]
      : [],
  );
  if (lists.length === 0) return { items: undefined, totals: {} };
  return {
    items: {
      total: lists.reduce((sum, { total }) => sum + total, 0),
      kept: lists.reduce((sum, { kept }) => sum + kept, 0),
    },
    totals: Object.fromEntries(lists.map(({ part, total }) => [String(part.path.at(-1) ?? "items"), total])),
  };
}
