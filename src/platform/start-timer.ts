/** The longest time of a timer, 24 days; what is longer, Infinity too, it takes for 1 ms. */
const LONGEST_MS = 2 ** 31 - 1;

/** A time that a user names, as a timer may have it. */
export function timerMs(ms: number): number {
  return Math.min(ms, LONGEST_MS);
}

/** Calls after so many milliseconds; never when there are none, or more than a timer can wait. */
export function startTimer(call: () => void, ms: number | undefined): NodeJS.Timeout | undefined {
  return ms === undefined || ms > LONGEST_MS ? undefined : setTimeout(call, ms);
}
