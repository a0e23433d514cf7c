/** Keeps a store to its quota in a process that lives long: it is cleaned up again after each tenth of that. */
export class QuotaKeeper {
  readonly #quotaBytes: number;
  readonly #cleanup: () => Promise<unknown>;
  #bytesSince = 0;

  constructor(quotaBytes: number | undefined, cleanup: () => Promise<unknown>) {
    this.#quotaBytes = quotaBytes ?? Number.POSITIVE_INFINITY;
    this.#cleanup = cleanup;
  }

  /** Hears of an artifact that was finished. A cleanup that fails is tried again later. */
  add(bytes: number): void {
    this.#bytesSince += bytes;
    if (this.#bytesSince < this.#quotaBytes / 10) return;
    this.#bytesSince = 0;
    this.#cleanup().catch(() => undefined);
  }
}
