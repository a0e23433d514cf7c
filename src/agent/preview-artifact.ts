import type { ArtifactStore } from "../artifacts/types.ts";
import type { Limits } from "../limits/types.ts";
import { createAccumulator } from "../preview/accumulator.ts";
import type { AccumulatorOptions, Preview } from "../preview/types.ts";

type PreviewOptions = Pick<AccumulatorOptions, "query" | "countTokens"> & Partial<Limits>;

/** The smart preview of a saved output, within the limits given and no others. */
export async function previewArtifact(store: ArtifactStore, id: string, options: PreviewOptions): Promise<Preview> {
  const { query, countTokens, ...given } = options;
  const limits = { maxLines: Infinity, maxBytes: Infinity, maxChars: Infinity, maxTokens: Infinity, ...given };
  const accumulator = createAccumulator({ limits, strategy: "smart", query, countTokens });
  for await (const chunk of store.read(id)) accumulator.write(chunk);
  return accumulator.finish();
}
