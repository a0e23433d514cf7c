import type { ByteSource } from "./byte-source.ts";
import type { ArtifactStore } from "./types.ts";

/** An artifact of any store as bytes that can be read from any position. */
export function openStored(store: ArtifactStore, id: string, size: number): ByteSource {
  return {
    size,
    async read(startByte, endByte) {
      const parts: Uint8Array[] = [];
      for await (const part of store.read(id, { startByte, endByte: Math.min(endByte, size) }))
        parts.push(Uint8Array.from(part));
      return Buffer.concat(parts);
    },
    close: async () => {},
  };
}
