import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { startTimer } from "../platform/platform.ts";
import { drain, type TakeChunk } from "./drain.ts";
import type { ProcessEnd } from "./process-end.ts";

const KILL_GRACE_MS = 2000;
/** How long to read on, after the child's end, from a silent pipe that others still hold. */
const DRAIN_MS = 500;

export interface WatchOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Hands on all that a child prints from now on, until it has ended; rejects when it could not be started. */
export async function watchChild(
  child: ChildProcess,
  onChunk: TakeChunk,
  { signal, timeoutMs }: WatchOptions,
): Promise<ProcessEnd> {
  const readers = [child.stdout, child.stderr].filter(
    (stream): stream is Readable => stream !== null && !stream.closed,
  );
  const drained = drain(readers, onChunk);
  let cause: "timeout" | "abort" | undefined;
  let killing: NodeJS.Timeout | undefined;
  const stop = (why: "timeout" | "abort") => {
    if (cause !== undefined) return;
    cause = why;
    child.kill("SIGTERM");
    killing = setTimeout(() => child.kill("SIGKILL"), KILL_GRACE_MS);
  };
  const onAbort = () => stop("abort");
  const timer = startTimer(() => stop("timeout"), timeoutMs);
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const { exitCode, signal: by } = await exitOf(child);
    const heldOpen = await drained.finish(DRAIN_MS);
    return { exitCode, signal: by, timedOut: cause === "timeout", aborted: cause === "abort", heldOpen };
  } catch (thrown) {
    drained.close();
    throw thrown;
  } finally {
    clearTimeout(timer);
    clearTimeout(killing);
    signal?.removeEventListener("abort", onAbort);
  }
}

function exitOf(child: ChildProcess): Promise<Pick<ProcessEnd, "exitCode" | "signal">> {
  return new Promise((resolve, reject) => {
    if (child.exitCode !== null || child.signalCode !== null)
      return resolve({ exitCode: child.exitCode, signal: child.signalCode });
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    child.once("error", reject);
  });
}
