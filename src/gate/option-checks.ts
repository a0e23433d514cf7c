import { inner, kinds, LIMIT_CHECKS, type OptionChecks } from "../limits/options.ts";
import { parseStoreUri } from "../limits/store-settings.ts";
import { checkQuery } from "../query/query-context.ts";
import { parseRedact } from "../redact/settings.ts";
import type { GateOptions, GateSetup, KeepOptions } from "./types.ts";

const READER_CHECKS = {
  tools: kinds.texts,
  agents: kinds.texts,
  byId: kinds.flag,
  lineArgs: kinds.oneOf("offset", "offset_from_0", "start_and_end", "view_range"),
  command: kinds.object,
};

/** Checks for the options of `createSpillway`. */
export const SPILLWAY_CHECKS = {
  ...LIMIT_CHECKS,
  ...READER_CHECKS,
  root: kinds.text,
  dir: kinds.text,
  defaultDir: inner(kinds.text),
  store: (value: unknown, name: string) =>
    void (typeof value === "string" ? parseStoreUri(value, name) : kinds.object(value, name)),
  config: kinds.fileOrFalse,
  env: kinds.object,
  surface: kinds.text,
  logger: kinds.object,
  records: kinds.object,
  retentionDays: kinds.above0,
  quotaBytes: kinds.above0,
  storeTimeoutMs: kinds.above0,
  countTokens: kinds.call,
  hint: kinds.call,
  redact: (value: unknown, name: string) => void parseRedact(value, name),
} satisfies Record<keyof GateSetup, OptionChecks[string]>;

/** A made-up ending would only be noticed when the result is shown. */
function checkOutcome(value: unknown, name: string): void {
  kinds.object(value, name);
  const { kind, message } = value as { readonly kind?: unknown; readonly message?: unknown };
  kinds.oneOf("success", "failure", "timeout", "aborted")(kind, `${name}.kind`);
  if (kind !== "success") kinds.text(message, `${name}.message`);
}

/** Checks for the options of `govern`, `capture` and `limits`. */
export const GOVERN_CHECKS = {
  ...LIMIT_CHECKS,
  ...READER_CHECKS,
  tool: kinds.text,
  callId: kinds.text,
  commandLine: kinds.text,
  outcome: checkOutcome,
  query: checkQuery,
  extension: kinds.text,
  signal: kinds.object,
  toolLimits: inner(kinds.object),
  aliases: inner(kinds.texts),
  markers: inner(kinds.oneOf("inside", "outside", "on_top")),
  saved: inner(kinds.object),
  adopt: inner(kinds.text),
  savedAs: inner(kinds.object),
  counted: inner(kinds.flag),
  secrets: kinds.object,
  redacted: inner(kinds.object),
} satisfies Record<keyof GateOptions, OptionChecks[string]>;

/** Checks for the options of `keep`. */
export const KEEP_CHECKS = {
  tool: kinds.text,
  callId: kinds.text,
  commandLine: kinds.text,
  extension: kinds.text,
  relatedTo: kinds.text,
  cutShort: kinds.text,
  signal: kinds.object,
} satisfies Record<keyof KeepOptions, OptionChecks[string]>;
