/** What still has something to write when the process ends. */
export interface Unwritten {
  /** Writes at once: nothing asynchronous is done any more. */
  writeNow(): void;
  /** Sends what cannot be written at once; called while the process can still wait. */
  flush(): Promise<void>;
}

/** A program that opens a gate for each request and never flushes holds no more than these. */
const MOST = 1000;

const waiting = new Set<Unwritten>();
let listening = false;

/** Has it written when the process ends by itself or by `process.exit`. */
export function writeAtExit(unwritten: Unwritten): void {
  if (waiting.has(unwritten)) return;
  waiting.add(unwritten);
  const [oldest] = waiting.size > MOST ? waiting : [];
  if (oldest !== undefined) void oldest.flush();
  if (listening) return;
  listening = true;
  process.on("beforeExit", () => {
    for (const each of [...waiting]) void each.flush();
  });
  process.on("exit", () => {
    for (const each of [...waiting]) each.writeNow();
  });
}

/** There is nothing left to write. */
export function isWritten(unwritten: Unwritten): void {
  waiting.delete(unwritten);
}
