import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { closing } from "../../artifacts/byte-source.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { writeAtomic } from "../sandbox/write-atomic.ts";
import type { FileTags } from "./extract-tags.ts";
import { languageOf } from "./languages.ts";

const CACHE_FOLDER = ".agents/cache";
const CACHE_FILE = `${CACHE_FOLDER}/repo-map.json`;
const CACHE_VERSION = 2;
const MAX_ENTRIES = 20_000;
/** A file that changed this shortly before it was read could change again within the same tick of the disk's clock. */
const CLOCK_TICK_MS = 2000;

/** Words are numbers of a common table: most of them stand in many files. */
interface StoredTags {
  readonly defs: FileTags["defs"];
  readonly words: readonly number[];
  readonly counts: readonly number[];
}

/** What a file looked like from outside when its content had the key. */
type Sighting = readonly [key: string, size: number, modified: number, changed: number, inode: number];

interface CacheFile {
  readonly version: number;
  readonly words: readonly string[];
  readonly entries: Readonly<Record<string, StoredTags>>;
  readonly files: Readonly<Record<string, Sighting>>;
}

/** Tags by the hash of a file's content, kept below the root between calls. A cache that cannot be read is empty. */
export class TagCache {
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

  /** Writes what this call used and, as far as there is room, what it did not; a failure only costs time later. */
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

/** What changes when a file is written, replaced or moved; the time of change cannot be set back by its owner. */
function outside({ size, mtimeMs, ctimeMs, ino }: Stats): [number, number, number, number] {
  return [size, mtimeMs, ctimeMs, ino];
}
