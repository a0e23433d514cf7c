import type { BoundedResult, Governed, Spillway } from "../gate/types.ts";

/** A gate that remembers, per call, what it had to cut; so that a session can record the wrapper of it. */
export interface RecordingGate extends Spillway {
  /** The bounded result of a call, once. */
  take(callId: string): BoundedResult | undefined;
}

export function createRecordingGate(inner: Spillway): RecordingGate {
  const bounded = new Map<string, BoundedResult>();
  const remember = (governed: Governed): Governed => {
    if (governed.kind === "bounded" && governed.callId !== undefined) bounded.set(governed.callId, governed);
    return governed;
  };
  return {
    root: inner.root,
    get store() {
      return inner.store;
    },
    govern: async (output, options) => remember(await inner.govern(output, options)),
    capture: async (options) => {
      const capture = await inner.capture(options);
      return {
        write: (chunk) => capture.write(chunk),
        get size() {
          return capture.size;
        },
        finish: async (outcome) => remember(await capture.finish(outcome)),
        discard: () => capture.discard(),
      };
    },
    limits: (options) => inner.limits(options),
    config: () => inner.config(),
    record: (result) => inner.record(result),
    stats: () => inner.stats(),
    flush: () => inner.flush(),
    take(callId) {
      const found = bounded.get(callId);
      bounded.delete(callId);
      return found;
    },
  };
}
