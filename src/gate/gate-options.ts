import type { ArtifactLocation } from "../artifacts/types.ts";
import type { LimitOptions } from "../limits/types.ts";
import type { Markers } from "../preview/types.ts";
import type { GovernOptions, SpillwayOptions } from "./types.ts";

/** `GovernOptions` plus options that only Spillway's own modules set. */
export interface GateOptions extends GovernOptions {
  /** The limits of the tool's definition (they rank below the config file's `tools.NAME`). */
  readonly toolLimits?: LimitOptions | undefined;
  /** Other names under which the config file may hold limits for this tool. */
  readonly aliases?: readonly string[] | undefined;
  /** See `FinishOptions`. @default "inside" */
  readonly markers?: Markers | undefined;
  /** For `{ value }`: what is saved in its place, and where in that the value stands. @default the value */
  readonly saved?: { readonly value: unknown; readonly at: readonly string[] } | undefined;
  /** A file with just these bytes, which a local store takes over as the artifact instead of writing them again. */
  readonly adopt?: string | undefined;
  /** Where just these bytes were saved before; they are not written again. @default they are saved */
  readonly savedAs?: ArtifactLocation | undefined;
  /** `false` leaves the counting to a later `record`, for who does not show the preview as it is. @default true */
  readonly counted?: boolean | undefined;
  /** How many secrets of each kind were taken out before it came here. */
  readonly redacted?: Readonly<Record<string, number>> | undefined;
}

/** `SpillwayOptions` plus options that only Spillway's own modules set. */
export interface GateSetup extends SpillwayOptions {
  /** The folder when nothing else says one. @default ".agents/tool-output" */
  readonly defaultDir?: string | undefined;
}
