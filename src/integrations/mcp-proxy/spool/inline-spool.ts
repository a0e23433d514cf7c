import type { Spillway } from "../../../gate/types.ts";
import { boundSpooled } from "../message/bound-message.ts";
import { type LargeArrival, parseAll, type Spool, type SpoolOptions } from "./spool.ts";
import { SpoolFile, type SpoolOutcome } from "./spool-file.ts";

/**
 * A spool that works in this thread; used where no worker can be started or the store is the caller's own. Everything
 * goes to disk, and to the gate when it is complete.
 */
export function createInlineSpool(spillway: Spillway, options: SpoolOptions): Spool {
  return {
    open(onArrival) {
      const file = new SpoolFile(options.folder, options.maxMessageBytes);
      return {
        write: (chunk) => file.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)),
        end: () => void file.finish().then((outcome) => onArrival(arrive(outcome, spillway))),
        abort: () => void file.discard(),
      };
    },
    close: async () => {},
  };
}

function arrive(outcome: SpoolOutcome, spillway: Spillway): LargeArrival {
  if (outcome.kind !== "message") return outcome;
  const { spooled, header } = outcome;
  return {
    kind: "message",
    message: {
      header,
      bound: (request) => boundSpooled(spooled, request, spillway),
      read: () => spooled.read(),
      parse: () => parseAll(spooled.read()),
      discard: () => spooled.discard(),
    },
  };
}
