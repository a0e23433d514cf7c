import { ToolFailure } from "../../protocol/tool-failure.ts";

/** Tools end by themselves when they are aborted; one that has not after this long is left behind. */
const GRACE_MS = 800;

/** Waits for a tool, but not longer than a moment after the signal. */
export async function endWith<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  let timer: NodeJS.Timeout | undefined;
  let onAbort: () => void = () => {};
  const late = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(new ToolFailure("EXECUTION_ERROR", "The call was aborted.")), GRACE_MS);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
