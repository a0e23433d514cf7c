import { kinds } from "../limits/options.ts";

/** What every store takes. */
export const STORE_CHECKS = { retentionDays: kinds.above0, quotaBytes: kinds.above0, now: kinds.call };
