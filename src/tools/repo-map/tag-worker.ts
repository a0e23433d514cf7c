import { parentPort } from "node:worker_threads";
import { TagExtractor } from "./extract-tags.ts";
import type { FromTagWorker, ToTagWorker } from "./worker-extractor.ts";

const extractor = new TagExtractor();
let last: Promise<void> = Promise.resolve();

async function answer({ id, name, text }: ToTagWorker): Promise<void> {
  const tags = await extractor.extract(text, name).catch(() => undefined);
  parentPort?.postMessage({ id, tags } satisfies FromTagWorker);
}

// One after the other, so that whoever waits knows which file it waits for.
parentPort?.on("message", (job: ToTagWorker) => {
  last = last.then(() => answer(job));
});
