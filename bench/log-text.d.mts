/** Log text of about `bytes` bytes, the same for the same seed. */
export function logText(bytes: number, seed?: number): string;
/** Numbers below a limit, the same for the same seed. */
export function randomNumbers(seed: number): (limit: number) => number;
