import type { Hint } from "../../gate/hint.ts";
import { createSpillway } from "../../gate/spillway.ts";
import type { Spillway, SpillwayOptions } from "../../gate/types.ts";

/** A gate that writes no hints itself, because a result has its own notice. */
export interface ProxyGate extends Spillway {
  /** The host's own wording of the next step, for that notice. */
  readonly words: ((hint: Hint) => string) | undefined;
}

/** The gate as the proxy uses it. */
export function createProxyGate({ hint: words, ...options }: SpillwayOptions): ProxyGate {
  const gate = createSpillway({
    ...options,
    surface: "proxy",
    hint: () => "",
  });
  return Object.assign(gate, { words });
}
