import { randomBytes } from "node:crypto";
import { lstat, mkdir, open, readdir, readFile, rename, unlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { userFolder } from "../../platform/folders.ts";
import { PLATFORM } from "../../platform/platform.ts";

/** The folder in which programs of this user keep what they can get again. */
export function cacheFolder(): string {
  const folder = path.join(userFolder("cache"), "spillway");
  // Windows has one folder for state and cache.
  return PLATFORM.name === "win32" && !process.env.XDG_CACHE_HOME ? path.join(folder, "cache") : folder;
}

/** An entry may take this share of the cache. */
const SHARE = 0.25;

/**
 * Files that a store can fetch again, kept within a bound by dropping what was not used longest. Entries never change, as
 * artifacts do not. Whatever goes wrong costs the cache, never the reader.
 */
export class ReadCache {
  readonly #dir: string;
  readonly #maxBytes: number;

  constructor(dir: string, maxBytes: number) {
    this.#dir = dir;
    this.#maxBytes = maxBytes;
  }

  /** True when something of this size is worth keeping. */
  takes(bytes: number): boolean {
    return bytes <= this.#maxBytes * SHARE;
  }

  /** The path of an entry of just this size; undefined when there is none. */
  async find(name: string, bytes: number): Promise<string | undefined> {
    const file = path.join(this.#dir, name);
    const stats = await lstat(file).catch(() => undefined);
    if (!stats?.isFile() || stats.size !== bytes) return undefined;
    const now = new Date();
    await utimes(file, now, now).catch(() => undefined);
    return file;
  }

  async read(name: string): Promise<Buffer | undefined> {
    return readFile(path.join(this.#dir, name)).catch(() => undefined);
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    if (!this.takes(bytes.length)) return;
    const draft = this.#draft();
    try {
      await mkdir(this.#dir, { recursive: true, mode: 0o700 });
      await writeFile(draft, bytes, { mode: 0o600, flag: "wx" });
      await rename(draft, path.join(this.#dir, name));
      await this.#bound();
    } catch {
      await unlink(draft).catch(() => undefined);
    }
  }

  /** Hands on what passes and keeps it, once all of it came. */
  async *tee(name: string, bytes: number, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const draft = this.#draft();
    await mkdir(this.#dir, { recursive: true, mode: 0o700 }).catch(() => undefined);
    let file = await open(draft, "wx", 0o600).catch(() => undefined);
    let written = 0;
    try {
      for await (const chunk of chunks) {
        await file?.write(chunk).catch(async () => {
          await file?.close().catch(() => undefined);
          file = undefined;
        });
        written += chunk.length;
        yield chunk;
      }
    } finally {
      await file?.close().catch(() => undefined);
      if (file !== undefined && written === bytes) {
        await rename(draft, path.join(this.#dir, name)).catch(() => undefined);
        await this.#bound();
      } else await unlink(draft).catch(() => undefined);
    }
  }

  async remove(name: string): Promise<void> {
    await unlink(path.join(this.#dir, name)).catch(() => undefined);
  }

  #draft(): string {
    return path.join(this.#dir, `draft-${randomBytes(8).toString("hex")}`);
  }

  async #bound(): Promise<void> {
    const names = await readdir(this.#dir).catch(() => []);
    const files = await Promise.all(
      names.map(async (name) => {
        const file = path.join(this.#dir, name);
        const stats = await lstat(file).catch(() => undefined);
        return { file, bytes: stats?.size ?? 0, used: stats?.mtimeMs ?? 0 };
      }),
    );
    let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { file, bytes } of files.sort((left, right) => left.used - right.used)) {
      if (total <= this.#maxBytes) return;
      await unlink(file).catch(() => undefined);
      total -= bytes;
    }
  }
}
