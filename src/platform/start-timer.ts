/** A timer takes a longer time for none at all. */
const LONGEST_MS = 2 ** 31 - 1;

/** Calls after so many milliseconds; never when there are none, or more than the 24 days that a timer can wait. */
export function startTimer(call: () => void, ms: number | undefined): NodeJS.Timeout | undefined {
  return ms === undefined || ms > LONGEST_MS ? undefined : setTimeout(call, ms);
}
