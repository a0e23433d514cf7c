const TYPES: readonly (readonly [type: string, bytes: readonly number[], at: number])[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47], 0],
  ["image/jpeg", [0xff, 0xd8, 0xff], 0],
  ["image/gif", [0x47, 0x49, 0x46, 0x38], 0],
  ["image/webp", [0x57, 0x45, 0x42, 0x50], 8],
];

/** The media type of an image that a page may show; no type that can hold scripts. */
export function imageType(start: Uint8Array): string | undefined {
  return TYPES.find(([, bytes, at]) => bytes.every((byte, index) => start[at + index] === byte))?.[0];
}
