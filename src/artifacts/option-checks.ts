import { kinds } from "../limits/options.ts";

/** Checks for the options of every store. */
export const STORE_CHECKS = { retentionDays: kinds.above0, quotaBytes: kinds.above0, now: kinds.call };
