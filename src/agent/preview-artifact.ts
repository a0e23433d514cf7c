import type { ArtifactStore } from "../artifacts/types.ts";
import type { Limits } from "../limits/types.ts";
import { createAccumulator } from "../preview/accumulator.ts";
import type { AccumulatorOptions, Preview } from "../preview/types.ts";

type PreviewOptions = Partial<Pick<AccumulatorOptions, "strategy" | "query" | "countTokens"> & Limits>;

/** The preview of a saved output, smart by default, within the given limits only. */
export async function previewArtifact(store: ArtifactStore, id: string, options: PreviewOptions): Promise<Preview> {
  const { strategy = "smart", query, countTokens, ...given } = options;
  const limits = { maxLines: Infinity, maxBytes: Infinity, maxChars: Infinity, maxTokens: Infinity, ...given };
  const accumulator = createAccumulator({ limits, strategy, query, countTokens });
  for await (const chunk of store.read(id)) accumulator.write(chunk);
  return accumulator.finish();
}
