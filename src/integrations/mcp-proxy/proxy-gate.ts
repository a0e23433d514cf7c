import { createSpillway } from "../../gate/spillway.ts";
import type { Spillway, SpillwayOptions } from "../../gate/types.ts";

/** The gate as the proxy uses it: `smart` unless something else is configured, and no hint, because a result has its own notice. */
export function createProxyGate(options: SpillwayOptions): Spillway {
  return createSpillway({
    ...options,
    surface: "proxy",
    defaultStrategy: options.defaultStrategy ?? "smart",
    hint: () => "",
  });
}
