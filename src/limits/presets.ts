import { invalidArgument } from "../errors.ts";
import type { LimitOptions } from "./types.ts";

/** Limits that known agents were once described with, not what these agents do today; and five for kinds of output. */
export const PRESETS = {
  opencode: { maxLines: 2000, maxBytes: 51_200, strategy: "head" },
  codex: { maxLines: 256, maxBytes: 10_240, strategy: "head_tail", markersOnTop: true },
  aider: { maxLines: 100, maxBytes: Infinity, strategy: "head_tail", markersOnTop: true },
  openai: { maxLines: Infinity, maxChars: 32_768, strategy: "head" },
  code: { maxLines: 2000, maxBytes: 51_200, strategy: "head" },
  config: { maxLines: 2000, maxBytes: 51_200, strategy: "head" },
  search: { maxLines: 2000, maxBytes: 51_200, strategy: "head" },
  log: { maxLines: 500, maxBytes: 20_480, strategy: "tail" },
  error: { maxLines: 100, maxBytes: 10_240, strategy: "tail" },
} as const satisfies Record<string, LimitOptions>;

export type PresetName = keyof typeof PRESETS;

/** The limits of a preset; throws with the list of names for an unknown one. */
export function resolvePreset(name: string): LimitOptions {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name as PresetName];
  throw invalidArgument(`Unknown preset ${JSON.stringify(name)}. Presets: ${Object.keys(PRESETS).join(", ")}.`);
}
