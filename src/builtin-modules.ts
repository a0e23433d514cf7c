import { createRequire } from "node:module";

type Crypto = typeof import("node:crypto");
type WorkerThreads = typeof import("node:worker_threads");

/** Node's cryptography, loaded when it is first needed: it takes as long to load as most of this package. */
export function cryptoModule(): Crypto {
  return load("node:crypto") as Crypto;
}

/** Node's worker threads, loaded when they are first needed. */
export function threadsModule(): WorkerThreads {
  return load("node:worker_threads") as WorkerThreads;
}

/** Node has had a function for this since 20.16. */
function load(name: string): unknown {
  const { getBuiltinModule } = process as Partial<Pick<NodeJS.Process, "getBuiltinModule">>;
  return getBuiltinModule?.(name) ?? createRequire(import.meta.url)(name);
}
