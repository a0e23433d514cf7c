const MIN_ROOM = 200;

/** Keeps the newest of many paths without holding or sorting the rest. */
export class NewestPaths {
  /** How many were added. */
  total = 0;
  /** UTF-8 bytes of all of them. */
  bytes = 0;
  readonly #limit: number;
  readonly #room: number;
  #kept: { readonly path: string; readonly modified: number }[] = [];
  /** Older ones are no longer among the newest. */
  #oldest = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
    this.#room = Math.max(MIN_ROOM, limit * 2);
  }

  add(path: string, modified: number): void {
    this.total++;
    this.bytes += Buffer.byteLength(path);
    if (modified < this.#oldest) return;
    this.#kept.push({ path, modified });
    if (this.#kept.length > this.#room) this.#cut();
  }

  /** The newest first; equally old ones in the order of paths. */
  list(): string[] {
    this.#cut();
    return this.#kept.map(({ path }) => path);
  }

  #cut(): void {
    this.#kept.sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1));
    if (this.#kept.length < this.#limit) return;
    this.#kept.length = this.#limit;
    this.#oldest = this.#kept.at(-1)?.modified ?? this.#oldest;
  }
}
