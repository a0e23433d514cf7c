import { RETENTION_DAYS } from "../limits/defaults.ts";
import { artifactIdTime } from "./artifact-id.ts";
import type { CleanupOptions } from "./types.ts";

export const DAY_MS = 24 * 60 * 60 * 1000;

/** How long artifacts stay, and how much room they may take together. */
export interface KeepingRules {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly retentionDays: number;
  /** `Infinity` for none. */
  readonly quotaBytes: number;
}

/** What a store was made with. */
interface StoreRules {
  readonly retentionDays?: number | undefined;
  readonly quotaBytes?: number | undefined;
  readonly now?: (() => number) | undefined;
}

/** The rules of one cleanup: what was asked for, else the store's own. */
export function resolveKeeping(asked: CleanupOptions, own: StoreRules): KeepingRules {
  return {
    now: asked.now ?? own.now?.() ?? Date.now(),
    retentionDays: asked.retentionDays ?? own.retentionDays ?? RETENTION_DAYS,
    quotaBytes: asked.quotaBytes ?? own.quotaBytes ?? Number.POSITIVE_INFINITY,
  };
}

/** True when an artifact has to go, being expired or the oldest while all together take `keptBytes`. */
export function hasToGo(rules: KeepingRules, id: string, keptBytes: number): boolean {
  return artifactIdTime(id) < rules.now - rules.retentionDays * DAY_MS || keptBytes > rules.quotaBytes;
}
