import { closeSync, fstatSync, lstatSync, readSync, type Stats } from "node:fs";
import { availableParallelism } from "node:os";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import type { ToolRun } from "../registry/tool-run.ts";
import { openBelow } from "../sandbox/open-below.ts";
import type { SandboxedHandle } from "../sandbox/sandbox.ts";
import { type FileTags, NO_TAGS, TagExtractor } from "./extract-tags.ts";
import { TagCache } from "./tag-cache.ts";
import { WorkerExtractor } from "./worker-extractor.ts";

/** Files between two chances for others to run, when nothing has to be parsed. */
const BATCH = 20;
/** A second thread starts once so many files were parsed and as many are still to come. */
const SECOND_AFTER = 50;
/** Files handed to a worker at a time, so that it never waits for us. */
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

function lookAt(location: string): Stats | undefined {
  try {
    return lstatSync(location);
  } catch {
    return undefined; // gone since it was listed
  }
}

/** The tags of files below a directory: from the cache as far as it knows them, else parsed, on threads that can be ended. */
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
  const extractHere: Extract = async (text, name) => {
    await yieldToOthers();
    return run.signal?.aborted ? NO_TAGS : extractor.extract(text, name);
  };
  const workers: (WorkerExtractor | undefined)[] = [];
  /** By thread number `at`, which starts with its first file, or here where there is none. */
  const extractBy =
    (at: number): Extract =>
    async (text, name) => {
      if (!(at in workers)) workers[at] = WorkerExtractor.start();
      return (await workers[at]?.extract(text, name)) ?? (await extractHere(text, name));
    };
  const takers: Promise<void>[] = [];
  let parsed = 0;

  async function tagsOf(name: string, extract: Extract): Promise<FileTags | undefined> {
    const file = pathOf(name);
    const location = `${directory.real}/${name}`;
    const stats = lookAt(location);
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

  /** Takes names from the queue until it is empty; several do so at once. */
  async function take(extract: Extract): Promise<void> {
    for (const [index, name] of queue) {
      if (run.signal?.aborted) return;
      if (index % BATCH === 0) await yieldToOthers();
      found[index] = await tagsOf(name, extract);
      if (parsed >= SECOND_AFTER && names.length - index > SECOND_AFTER && availableParallelism() > 1) startTakers(1);
    }
  }

  function startTakers(at: number): void {
    if (takers.length > at * WORKER_AHEAD) return;
    for (let count = 0; count < WORKER_AHEAD; count++) {
      const taker = take(extractBy(at));
      taker.catch(() => {}); // seen below
      takers.push(taker);
    }
  }

  const stop = () => {
    for (const worker of workers) void worker?.dispose();
  };
  run.signal?.addEventListener("abort", stop, { once: true });
  try {
    startTakers(0);
    for (let done = 0; done < takers.length; done++) await takers[done];
  } finally {
    run.signal?.removeEventListener("abort", stop);
    stop();
    await Promise.allSettled(takers);
    await extractor.dispose();
  }
  run.throwIfAborted();
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

/** Larger files are generated more often than written. */
const MAX_FILE_BYTES = 512 * 1024;

/** A source file's content; undefined when it is gone, too large, or a link that was put in its place. */
function readSource(location: string, root: string): Buffer | undefined {
  const fd = openBelow(location, root);
  if (fd === undefined) return undefined;
  try {
    const { size } = fstatSync(fd);
    if (size > MAX_FILE_BYTES) return undefined;
    const buffer = Buffer.allocUnsafe(size);
    return buffer.subarray(0, readSync(fd, buffer, 0, size, 0));
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
