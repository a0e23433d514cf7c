/** Memory that is written into a file, and digested, before it is used again. */
export interface Block {
  readonly number: number;
  readonly bytes: Buffer;
  used: number;
  toWrite: boolean;
  toDigest: boolean;
}

/** Blocks of memory of their own, or of shared memory, one after the other. */
export function createBlocks(count: number, bytes: number, memory?: ArrayBufferLike): Block[] {
  return Array.from({ length: count }, (_, number) => ({
    number,
    bytes: memory === undefined ? Buffer.allocUnsafeSlow(bytes) : Buffer.from(memory, number * bytes, bytes),
    used: 0,
    toWrite: false,
    toDigest: false,
  }));
}
