import { createHash } from "node:crypto";
import type { SessionEvent, ToolCallEvent, ToolResultEvent } from "./events.ts";

/** After this many equal rounds the model is told; after that many more the turn ends. */
export const REPEATS_BEFORE_NOTICE = 3;
export const REPEATS_BEFORE_STOP = 6;
const LONGEST_CYCLE = 3;

/**
 * How often the newest steps of the turn repeat the same calls with the same results, cycles of up to three steps
 * included. A call that gives something new each time, such as polling, does not count.
 */
export function countRepeats(events: readonly SessionEvent[]): number {
  const turn = events.slice(events.findLastIndex((event) => event.type === "user") + 1);
  const calls = new Map<string, ToolCallEvent>();
  const results = new Map<string, ToolResultEvent>();
  for (const event of turn) {
    if (event.type === "tool.call") calls.set(event.callId, event);
    if (event.type === "tool.result") results.set(event.callId, event);
  }
  const steps = turn.flatMap((event) => {
    if (event.type !== "model" || event.calls.length === 0) return [];
    return event.calls.map((callId) => fingerprint(calls.get(callId), results.get(callId))).join();
  });
  let most = 0;
  for (let cycle = 1; cycle <= LONGEST_CYCLE; cycle++) {
    let same = 0;
    while (same + cycle < steps.length && steps.at(-1 - same) === steps.at(-1 - same - cycle)) same++;
    if (same >= cycle) most = Math.max(most, Math.floor(same / cycle) + 1);
  }
  return most;
}

const known = new WeakMap<ToolResultEvent, string>();

function fingerprint(call: ToolCallEvent | undefined, result: ToolResultEvent | undefined): string {
  if (call === undefined || result === undefined) return Math.random().toString();
  let print = known.get(result);
  if (print === undefined) {
    // Times and artifact names differ from run to run; what was found does not.
    const { status, data, error, preview, original_chars } = result.output;
    const found = JSON.stringify([call.tool, call.input, status, data, error, preview, original_chars]);
    print = createHash("sha256").update(found).digest("base64");
    known.set(result, print);
  }
  return print;
}
