import type { ByteSource } from "./byte-source.ts";
import type { ArtifactStore } from "./types.ts";

/** Opens an artifact for ranged reads; a store without that method is read range by range. */
export async function openArtifact(store: ArtifactStore, id: string): Promise<ByteSource> {
  if (store.open !== undefined) return store.open(id);
  const { totalBytes: size } = await store.readLines(id, { offsetLine: 1, limit: 1, maxBytes: 4 });
  return {
    size,
    async read(startByte, endByte) {
      const chunks: Uint8Array[] = [];
      if (endByte > startByte) for await (const chunk of store.read(id, { startByte, endByte })) chunks.push(chunk);
      return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
    },
    close: async () => {},
  };
}
