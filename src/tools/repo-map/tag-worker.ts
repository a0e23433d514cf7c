import { parentPort } from "node:worker_threads";
import { TagExtractor } from "./extract-tags.ts";
import type { FromTagWorker, ToTagWorker } from "./worker-extractor.ts";

const extractor = new TagExtractor();

parentPort?.on("message", async ({ id, name, text }: ToTagWorker) => {
  const tags = await extractor.extract(text, name).catch(() => undefined);
  parentPort?.postMessage({ id, tags } satisfies FromTagWorker);
});
