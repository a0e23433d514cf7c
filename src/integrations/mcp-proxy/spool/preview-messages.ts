import type { AccumulatorOptions, Preview } from "../../../preview/types.ts";

export type ToPreviewWorker =
  | { readonly op: "open"; readonly slot: number; readonly options: AccumulatorOptions }
  | { readonly op: "write"; readonly slot: number; readonly buffer: ArrayBuffer; readonly bytes: number }
  | { readonly op: "finish"; readonly slot: number }
  | { readonly op: "drop"; readonly slot: number };

export type FromPreviewWorker =
  /** The buffer comes back, to be filled again. */
  | { readonly op: "consumed"; readonly slot: number; readonly buffer: ArrayBuffer }
  | { readonly op: "finished"; readonly slot: number; readonly preview: Preview };
