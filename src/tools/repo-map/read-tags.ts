import { createHash } from "node:crypto";
import { closeSync, fstatSync, lstatSync, readSync, type Stats } from "node:fs";
import { availableParallelism } from "node:os";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { closing } from "../../artifacts/byte-source.ts";
import type { ToolRun } from "../registry/tool-run.ts";
import type { Sandbox, SandboxedHandle } from "../sandbox/sandbox.ts";
import { openBelow, writeAtomic } from "../sandbox/write-atomic.ts";
import { type FileTags, NO_TAGS, TagExtractor } from "./extract-tags.ts";
import { languageOf } from "./languages.ts";
import { WorkerExtractor } from "./worker-extractor.ts";

const CACHE_FOLDER = ".agents/cache";
const CACHE_FILE = `${CACHE_FOLDER}/repo-map.json`;
const CACHE_VERSION = 2;
const MAX_ENTRIES = 20_000;
/** A file that changed this shortly before it was read could change again within the same tick of the disk's clock. */
const CLOCK_TICK_MS = 2000;

/** Words are stored as indexes into a common table, because most occur in many files. */
interface StoredTags {
  readonly defs: FileTags["defs"];
  readonly words: readonly number[];
  readonly counts: readonly number[];
}

/** A file's metadata when its content had the key. */
type Sighting = readonly [key: string, size: number, modified: number, changed: number, inode: number];

interface CacheFile {
  readonly version: number;
  readonly words: readonly string[];
  readonly entries: Readonly<Record<string, StoredTags>>;
  readonly files: Readonly<Record<string, Sighting>>;
}

/** Tags by the hash of a file's content, kept below the root between calls. A cache that cannot be read is empty. */
class TagCache {
  readonly #sandbox: Sandbox;
  readonly #words: readonly string[];
  readonly #known: Map<string, StoredTags>;
  readonly #sightings: Map<string, Sighting>;
  readonly #used = new Map<string, FileTags>();
  #changed = false;

  private constructor(sandbox: Sandbox, file?: CacheFile) {
    this.#sandbox = sandbox;
    this.#words = file?.words ?? [];
    this.#known = new Map(Object.entries(file?.entries ?? {}));
    this.#sightings = new Map(Object.entries(file?.files ?? {}));
  }

  static async load(sandbox: Sandbox): Promise<TagCache> {
    try {
      const { handle } = await sandbox.openFile(CACHE_FILE);
      const file: CacheFile = JSON.parse(await closing(handle, () => handle.readFile("utf8")));
      return new TagCache(sandbox, file.version === CACHE_VERSION ? file : undefined);
    } catch {
      return new TagCache(sandbox);
    }
  }

  /** The key of a content in the language of a file with this name. */
  static keyOf(content: Uint8Array, name: string): string {
    return `${languageOf(name)?.grammar}:${createHash("sha256").update(content).digest("base64url").slice(0, 22)}`;
  }

  /** The tags of a file that has not been touched since it was last read, which need not be read again. */
  getUntouched(file: string, stats: Stats): FileTags | undefined {
    const sighting = this.#sightings.get(file);
    if (sighting === undefined) return undefined;
    const [key, ...seen] = sighting;
    const isSame = outside(stats).every((value, index) => value === seen[index]);
    return isSame ? this.get(key) : undefined;
  }

  get(key: string): FileTags | undefined {
    const used = this.#used.get(key);
    if (used !== undefined) return used;
    const stored = this.#known.get(key);
    if (stored === undefined) return undefined;
    const words = stored.words.map((number) => this.#words[number] as string);
    const tags = { defs: stored.defs, words, counts: stored.counts };
    this.#used.set(key, tags);
    return tags;
  }

  set(key: string, tags: FileTags): void {
    this.#used.set(key, tags);
    this.#changed = true;
  }

  /** Remembers that a file, looked at before it was read, held the content of a key. */
  sight(file: string, stats: Stats, key: string, now = Date.now()): void {
    if (Math.max(stats.mtimeMs, stats.ctimeMs) + CLOCK_TICK_MS > now) return;
    this.#sightings.set(file, [key, ...outside(stats)]);
    this.#changed = true;
  }

  /** Saves the used entries and, as far as there is room, the unused ones; a failure only costs time later. */
  async save(): Promise<void> {
    if (!this.#changed) return;
    for (const key of this.#known.keys()) {
      if (this.#used.size >= MAX_ENTRIES) break;
      this.get(key);
    }
    try {
      const ignore = await this.#sandbox.resolve(`${CACHE_FOLDER}/.gitignore`);
      await writeAtomic(this.#sandbox, ignore, Buffer.from("*\n"));
      const target = await this.#sandbox.resolve(CACHE_FILE);
      const content = Buffer.from(JSON.stringify(this.#toFile()));
      await writeAtomic(this.#sandbox, target, content, { mode: 0o600 });
    } catch {}
  }

  #toFile(): CacheFile {
    const numbers = new Map<string, number>();
    const numberOf = (word: string) => {
      const number = numbers.get(word) ?? numbers.size;
      numbers.set(word, number);
      return number;
    };
    const entries = [...this.#used].map(
      ([key, tags]) => [key, { ...tags, words: tags.words.map(numberOf) }] satisfies [string, StoredTags],
    );
    const files = [...this.#sightings].filter(([, [key]]) => this.#used.has(key));
    return {
      version: CACHE_VERSION,
      words: [...numbers.keys()],
      entries: Object.fromEntries(entries),
      files: Object.fromEntries(files),
    };
  }
}

/** Changes when a file is written, replaced or moved; its owner cannot set it back. */
function outside({ size, mtimeMs, ctimeMs, ino }: Stats): [number, number, number, number] {
  return [size, mtimeMs, ctimeMs, ino];
}

/** Files between two chances for others to run, when nothing has to be parsed. */
const BATCH = 20;
/** A second thread starts once this many files were parsed and as many remain. */
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
  /** Parses on thread `at`, started with its first file, or here if there are no threads. */
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
