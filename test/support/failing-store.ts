import { createMemoryStore } from "../../src/artifacts/memory-store.ts";
import type { ArtifactStore } from "../../src/artifacts/types.ts";
import { changedWriter } from "./changed-writer.ts";

export type FailingStep = "create" | "write" | "later write" | "finish";

/** A store in memory that fails at one step: by a rejection, by throwing at once, or by never answering. */
export function createFailingStore(step: FailingStep, how: "reject" | "throw" | "hang" = "reject"): ArtifactStore {
  const inner = createMemoryStore();
  const fail = (): Promise<never> => {
    if (how === "hang") return new Promise(() => {});
    const error = new Error("the store is down.");
    if (how === "throw") throw error;
    return Promise.reject(error);
  };
  return {
    create(request) {
      if (step === "create") return fail();
      return inner.create(request).then((writer) => {
        let writes = 0;
        return changedWriter(writer, {
          write(chunk) {
            writes++;
            if (step === "write" || (step === "later write" && writes > 1)) return fail();
            return writer.write(chunk);
          },
          finish: (completion) => (step === "finish" ? fail() : writer.finish(completion)),
        });
      });
    },
    find: (reference) => inner.find(reference),
    list: () => inner.list(),
    read: (id, range) => inner.read(id, range),
    readLines: (id, request) => inner.readLines(id, request),
    verify: (id) => inner.verify(id),
    remove: (id) => inner.remove(id),
    cleanup: (options) => inner.cleanup(options),
    pin: (owner, ids) => inner.pin(owner, ids),
    unpin: (owner) => inner.unpin(owner),
  };
}
