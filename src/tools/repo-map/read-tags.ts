import { lstatSync } from "node:fs";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { ToolFailure } from "../../protocol/tool-failure.ts";
import type { SandboxedHandle } from "../sandbox.ts";
import type { ToolRun } from "../tool-run.ts";
import { type FileTags, TagExtractor } from "./extract-tags.ts";
import { readSource } from "./read-source.ts";
import { TagCache } from "./tag-cache.ts";
import { WorkerExtractor } from "./worker-extractor.ts";

/** Files between two chances for others to run, when nothing has to be parsed. */
const BATCH = 20;
/** A second thread starts once so many files were parsed and as many are still to come. */
const WORKER_AFTER = 50;
/** Files handed to the worker at a time, so that it never waits for us. */
const WORKER_AHEAD = 8;

export interface RepositoryTags {
  /** By path relative to the root, in the order of the names. */
  readonly tags: ReadonlyMap<string, FileTags>;
  /** How many needed no parsing. */
  readonly cached: number;
  /** Names of files that could not be read. */
  readonly failed: readonly string[];
}

type Extract = (text: string, name: string) => Promise<FileTags>;

/** The tags of files below a directory: from the cache as far as it knows them, else parsed, by two threads when many are. */
export async function readTags(
  run: ToolRun,
  directory: SandboxedHandle,
  names: readonly string[],
): Promise<RepositoryTags> {
  const cache = await TagCache.load(run.sandbox);
  const pathOf = (name: string) => (directory.relative === "." ? name : `${directory.relative}/${name}`);
  const found = names.map((): FileTags | undefined => undefined);
  const queue = names.entries();
  const extractor = new TagExtractor();
  const extractHere: Extract = (text, name) => extractor.extract(text, name);
  let worker: WorkerExtractor | undefined;
  const extractThere: Extract = async (text, name) =>
    (await worker?.extract(text, name)) ?? (await extractHere(text, name));
  const others: Promise<void>[] = [];
  let parsed = 0;

  async function tagsOf(name: string, extract: Extract): Promise<FileTags | undefined> {
    const file = pathOf(name);
    const location = `${directory.real}/${name}`;
    const stats = lstatSync(location, { throwIfNoEntry: false });
    const untouched = stats && cache.getUntouched(file, stats);
    if (untouched !== undefined) return untouched;
    const content = readSource(location, run.sandbox.root);
    if (stats === undefined || content === undefined) return undefined;
    const key = TagCache.keyOf(content, name);
    let tags = cache.get(key);
    if (tags === undefined) {
      parsed++;
      tags = await extract(content.toString(), name);
      cache.set(key, tags);
    }
    cache.sight(file, stats, key);
    return tags;
  }

  /** Takes names from the queue until it is empty; several may do so at once. */
  async function take(extract: Extract): Promise<void> {
    for (const [index, name] of queue) {
      if (run.signal?.aborted) return;
      if (worker !== undefined || index % BATCH === 0) await yieldToOthers();
      found[index] = await tagsOf(name, extract);
      if (parsed === WORKER_AFTER && names.length - index > WORKER_AFTER) startWorker();
    }
  }

  function startWorker(): void {
    worker ??= WorkerExtractor.start();
    if (worker === undefined || others.length > 0) return;
    for (let count = 0; count < WORKER_AHEAD; count++) {
      const other = take(extractThere);
      other.catch(() => {}); // seen below
      others.push(other);
    }
  }

  try {
    await take(extractHere);
    await Promise.all(others);
  } finally {
    await worker?.dispose();
    await Promise.allSettled(others);
    await extractor.dispose();
  }
  if (run.signal?.aborted) throw new ToolFailure("EXECUTION_ERROR", "The call was aborted.");
  await cache.save();
  const tags = new Map<string, FileTags>();
  const failed: string[] = [];
  for (const [index, name] of names.entries()) {
    const own = found[index];
    if (own === undefined) failed.push(name);
    else tags.set(pathOf(name), own);
  }
  return { tags, cached: tags.size - parsed, failed };
}
