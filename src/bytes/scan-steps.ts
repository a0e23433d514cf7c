/** Bytes that a compiled scanner takes in one step. */
export const STEP = 16;

/** Bytes that a scanner is given at most. */
export const SCAN_BYTES = 64 * 1024;
