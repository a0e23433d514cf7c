import { RETENTION_DAYS } from "../limits/defaults.ts";
import { artifactIdTime } from "./artifact-name.ts";
import type { CleanupOptions } from "./types.ts";

/** Keeps a store to its quota in a process that lives long: it is cleaned up again after each tenth of that. */
export class QuotaKeeper {
  readonly #quotaBytes: number;
  readonly #cleanup: () => Promise<unknown>;
  #bytesSince = 0;

  constructor(quotaBytes: number | undefined, cleanup: () => Promise<unknown>) {
    this.#quotaBytes = quotaBytes ?? Number.POSITIVE_INFINITY;
    this.#cleanup = cleanup;
  }

  /** Hears of an artifact that was finished. A cleanup that fails is tried again later. */
  add(bytes: number): void {
    this.#bytesSince += bytes;
    if (this.#bytesSince < this.#quotaBytes / 10) return;
    this.#bytesSince = 0;
    this.#cleanup().catch(() => undefined);
  }
}

export const DAY_MS = 24 * 60 * 60 * 1000;
/** A model was told about these outputs; automatic cleanups do not remove them. */
const ANNOUNCED_MS = 60 * 60 * 1000;

/** How long artifacts stay, and how much room they may take together. */
export interface KeepingRules {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly retentionDays: number;
  /** `Infinity` for none. */
  readonly quotaBytes: number;
  /** An automatic cleanup, not requested by the user. */
  readonly automatic: boolean;
  /** `now` is the machine's clock, so that the times of files can be compared with it. */
  readonly realClock: boolean;
  /** Removes nothing; the report lists the candidates. */
  readonly dryRun?: boolean | undefined;
}

/** An artifact as far as a cleanup needs to know it. */
export interface KeptArtifact {
  readonly id: string;
  /** When it was last written, in milliseconds since 1970; undefined where a store does not know. */
  readonly modified?: number | undefined;
}

/** Options of the store. */
interface StoreRules {
  readonly retentionDays?: number | undefined;
  readonly quotaBytes?: number | undefined;
  readonly now?: (() => number) | undefined;
}

/** The rules of one cleanup: the requested ones, otherwise the store's own. */
export function resolveKeeping(asked: CleanupOptions, own: StoreRules): KeepingRules {
  return {
    now: asked.now ?? own.now?.() ?? Date.now(),
    retentionDays: asked.retentionDays ?? own.retentionDays ?? RETENTION_DAYS,
    quotaBytes: asked.quotaBytes ?? own.quotaBytes ?? Number.POSITIVE_INFINITY,
    automatic: asked.automatic === true,
    realClock: asked.now === undefined && own.now === undefined,
    dryRun: asked.dryRun,
  };
}

/** True when an artifact has to go, being expired or the oldest while all together take `keptBytes`. */
export function hasToGo(rules: KeepingRules, artifact: KeptArtifact, keptBytes: number): boolean {
  return !wasAnnounced(rules, artifact) && (isExpired(rules, artifact) || keptBytes > rules.quotaBytes);
}

/** True when both the id and the file are too old: either can be wrong after the clock was. */
export function isExpired(rules: KeepingRules, artifact: KeptArtifact): boolean {
  return lastWritten(rules, artifact) < rules.now - rules.retentionDays * DAY_MS;
}

export function wasAnnounced(rules: KeepingRules, artifact: KeptArtifact): boolean {
  return rules.automatic && lastWritten(rules, artifact) > rules.now - ANNOUNCED_MS;
}

function lastWritten({ realClock }: KeepingRules, { id, modified }: KeptArtifact): number {
  return Math.max(artifactIdTime(id), realClock && modified !== undefined ? modified : 0);
}
