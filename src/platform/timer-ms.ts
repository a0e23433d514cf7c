/** A time that a user names, Infinity too, as a timer of Node's may have it: any more it takes for 1 ms. */
export function timerMs(ms: number): number {
  return Math.min(ms, 2 ** 31 - 1);
}
