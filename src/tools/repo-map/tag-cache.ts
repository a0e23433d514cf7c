import { createHash } from "node:crypto";
import type { Sandbox } from "../sandbox.ts";
import { writeAtomic } from "../write-atomic.ts";
import type { FileTags } from "./extract-tags.ts";

const CACHE_FOLDER = ".agents/cache";
const CACHE_FILE = `${CACHE_FOLDER}/repo-map.json`;
const CACHE_VERSION = 1;
const MAX_ENTRIES = 20_000;

/** Tags by the hash of a file's content, kept below the root between calls. A cache that cannot be read is empty. */
export class TagCache {
  readonly #sandbox: Sandbox;
  readonly #known: Map<string, FileTags>;
  readonly #used = new Map<string, FileTags>();
  #changed = false;

  private constructor(sandbox: Sandbox, known: Map<string, FileTags>) {
    this.#sandbox = sandbox;
    this.#known = known;
  }

  static async load(sandbox: Sandbox): Promise<TagCache> {
    try {
      const { handle } = await sandbox.openFile(CACHE_FILE);
      try {
        const { version, entries } = JSON.parse(await handle.readFile("utf8"));
        return new TagCache(sandbox, new Map(version === CACHE_VERSION ? Object.entries(entries as object) : []));
      } finally {
        await handle.close();
      }
    } catch {
      return new TagCache(sandbox, new Map());
    }
  }

  /** The key of a content in a language. */
  static keyOf(content: Uint8Array, grammar: string): string {
    return `${grammar}:${createHash("sha256").update(content).digest("base64url").slice(0, 22)}`;
  }

  get(key: string): FileTags | undefined {
    const tags = this.#known.get(key);
    if (tags !== undefined) this.#used.set(key, tags);
    return tags;
  }

  set(key: string, tags: FileTags): void {
    this.#used.set(key, tags);
    this.#changed = true;
  }

  /** Writes what this call used and, as far as there is room, what it did not; a failure only costs time later. */
  async save(): Promise<void> {
    if (!this.#changed) return;
    const others = [...this.#known].filter(([key]) => !this.#used.has(key));
    const entries = Object.fromEntries([...this.#used, ...others].slice(0, MAX_ENTRIES));
    try {
      const ignore = await this.#sandbox.resolve(`${CACHE_FOLDER}/.gitignore`);
      await writeAtomic(this.#sandbox, ignore, Buffer.from("*\n"));
      const target = await this.#sandbox.resolve(CACHE_FILE);
      const content = Buffer.from(JSON.stringify({ version: CACHE_VERSION, entries }));
      await writeAtomic(this.#sandbox, target, content, { mode: 0o600 });
    } catch {}
  }
}
