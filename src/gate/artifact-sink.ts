import type { ArtifactStore, ArtifactWriter, Completion, CreateArtifact } from "../artifacts/types.ts";
import { formatPlural } from "../preview/omission.ts";
import type { Storage } from "./types.ts";

/** Writes an output into a store. Never rejects: a store that fails or does not answer costs the artifact, not the call. */
export class ArtifactSink {
  readonly #store: ArtifactStore;
  readonly #timeoutMs: number;
  #writer: ArtifactWriter | undefined;
  #lost: string | undefined;
  #silent = false;

  constructor(store: ArtifactStore, timeoutMs: number) {
    this.#store = store;
    this.#timeoutMs = timeoutMs;
  }

  /** Opens the artifact and writes what came so far. */
  async open(request: CreateArtifact, held: readonly Uint8Array[]): Promise<void> {
    try {
      const writer = await this.#inTime(this.#store.create(request));
      this.#writer = writer;
      for (const bytes of held) {
        const writing = writer.write(bytes);
        if (writing !== undefined) await this.#inTime(writing);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Gives a promise when the store asks to wait. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#lost !== undefined || this.#writer === undefined) return undefined;
    try {
      const writing = this.#writer.write(bytes);
      return writing === undefined ? undefined : this.#inTime(writing).catch((error: unknown) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  async close(completion: Completion): Promise<Storage> {
    const writer = this.#writer;
    if (writer === undefined) return { lost: this.#lost ?? "the store opened no artifact" };
    if (this.#lost !== undefined) return { lost: await this.#keepFirstPart(writer, this.#lost) };
    try {
      const { id, name, path } = writer;
      await this.#inTime(writer.finish(completion));
      return { artifact: { id, name, path } };
    } catch (error) {
      return { lost: await this.#keepFirstPart(writer, reasonOf(error)) };
    }
  }

  async discard(): Promise<void> {
    const writer = this.#writer;
    if (writer !== undefined && !this.#silent) await this.#inTime(writer.discard()).catch(() => undefined);
  }

  #fail(error: unknown): void {
    this.#lost ??= reasonOf(error);
  }

  /** What reached the store before it failed is still worth naming. */
  async #keepFirstPart(writer: ArtifactWriter, reason: string): Promise<string> {
    if (this.#silent) return reason;
    try {
      const manifest = await this.#inTime(writer.finish({ complete: false, reason }));
      return manifest.bytes === 0
        ? reason
        : `${reason}; only the first ${formatPlural(manifest.bytes, "byte")} are in ${writer.path}`;
    } catch {
      await this.discard();
      return reason;
    }
  }

  /** Waits for the store, but not for ever; once it was silent that long, nothing more is asked of it. */
  #inTime<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#silent = true;
        reject(new Error(`the store did not answer within ${this.#timeoutMs / 1000} s`));
      }, this.#timeoutMs);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\.$/, "") || "the store failed without saying why";
}
