import { createSpillway } from "../../gate/spillway.ts";
import type { Spillway } from "../../gate/types.ts";
import { checkOptions, kinds, LIMIT_CHECKS, type OptionChecks } from "../../limits/options.ts";
import type { LimitOptions } from "../../limits/types.ts";
import { checkQuery, type Query } from "../../query/query-context.ts";

/** How tool results are bounded inside a framework. */
export interface BoundOptions extends LimitOptions {
  /** The gate that bounds and saves. @default one for the working directory, the same for all adapters of the process */
  readonly spillway?: Spillway | undefined;
  /** The question that decides what is shown. @default what the user said last, where the framework tells it */
  readonly query?: Query | undefined;
  /** Names of the tools the model has, for hints. @default the reader, once `readerTools` was called for this gate */
  readonly tools?: readonly string[] | undefined;
}

/** Where the reader looks. */
export interface ReaderToolsOptions {
  /** The gate whose saved outputs are read. @default the one that `boundTools` uses when none is given */
  readonly spillway?: Spillway | undefined;
}

const READER_CHECKS = { spillway: kinds.object } satisfies Record<keyof ReaderToolsOptions, OptionChecks[string]>;

const BOUND_CHECKS = {
  ...LIMIT_CHECKS,
  ...READER_CHECKS,
  query: checkQuery,
  tools: kinds.texts,
} satisfies Record<keyof BoundOptions, OptionChecks[string]>;

let shared: Spillway | undefined;
const withReaders = new WeakSet<Spillway>();

/** The gate of these options; throws for options that are not known. */
export function gateOf(options: BoundOptions, place: string): Spillway {
  return checkOptions(options, BOUND_CHECKS, place).spillway ?? sharedGate();
}

/** The gate a reader reads from; its hints name the reader from now on. */
export function readableGate(options: ReaderToolsOptions): Spillway {
  const spillway = checkOptions(options, READER_CHECKS, "readerTools()").spillway ?? sharedGate();
  withReaders.add(spillway);
  return spillway;
}

/** True once a reader of this gate was requested. */
export function hasReaders(spillway: Spillway): boolean {
  return withReaders.has(spillway);
}

function sharedGate(): Spillway {
  shared ??= createSpillway();
  return shared;
}
