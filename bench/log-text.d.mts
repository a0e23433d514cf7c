/** Log text of about `bytes` bytes, the same for the same seed. */
export function logText(bytes: number, seed?: number): string;
