/** Something that serves until its client leaves or someone closes it. */
export interface Serving {
  readonly done: Promise<void>;
  close(): Promise<void>;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Waits for the end of a server; a signal ends it in order, with nothing left running. */
export async function serveUntilDone(serving: Serving): Promise<void> {
  const stop = (): void => void serving.close();
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    await serving.done;
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    await serving.close();
    // Standard input may still be open, and would keep the process.
    process.stdin.destroy();
  }
}
