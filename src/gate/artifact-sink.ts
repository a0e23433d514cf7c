import type { ArtifactWriter, Completion, CreateArtifact, FinishedArtifact } from "../artifacts/types.ts";
import { messageOf } from "../errors.ts";
import { startTimer } from "../platform/platform.ts";
import { formatPlural } from "../preview/omission.ts";
import { isObserved, measure, type OpenSpan, secondsSince, startSpan } from "../telemetry/telemetry.ts";
import { storageAttributes } from "./observe.ts";
import type { Storage } from "./types.ts";

/** As much of a store as writing takes. */
export interface ArtifactOpener {
  create(request: CreateArtifact): Promise<OpenArtifact>;
  /** False where nothing is written, so that there is nothing to tell. @default true */
  readonly writes?: boolean;
}

/** Facts of a finished artifact; a store that wraps another may not know its sha256. */
type FinishedPart = Pick<FinishedArtifact, "bytes" | "unrecorded" | "spooled"> &
  Partial<Pick<FinishedArtifact, "sha256">>;

type OpenArtifact = Omit<ArtifactWriter, "finish"> & {
  finish(completion: Completion): Promise<FinishedPart>;
};

/** Writes an output into a store. Never rejects: a store that fails or does not answer costs the artifact, not the call. */
export class ArtifactSink {
  readonly #store: ArtifactOpener;
  readonly #timeoutMs: number;
  #writer: OpenArtifact | undefined;
  #lost: string | undefined;
  #silent = false;
  #span: OpenSpan | undefined;
  #openedAt = 0;
  #sha256: string | undefined;

  constructor(store: ArtifactOpener, timeoutMs: number) {
    this.#store = store;
    this.#timeoutMs = timeoutMs;
  }

  /** Of all that was written, once it is closed and the store has it. */
  get sha256(): string | undefined {
    return this.#sha256;
  }

  /** Opens the artifact and writes everything captured so far. */
  async open(request: CreateArtifact, held: readonly Uint8Array[]): Promise<void> {
    if (isObserved() && this.#store.writes !== false) {
      this.#openedAt = performance.now();
      const attributes = { "gen_ai.tool.name": request.tool, "gen_ai.tool.call.id": request.callId };
      this.#span = await startSpan("spillway.store.write", { attributes });
    }
    try {
      const writer = await this.#inTime(this.#inside(() => this.#create(request)));
      this.#writer = writer;
      for (const bytes of held) {
        const writing = this.#inside(() => writer.write(bytes));
        if (writing !== undefined) await this.#inTime(writing);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Nobody owns a writer that opens too late; it would stay open. */
  async #create(request: CreateArtifact): Promise<OpenArtifact> {
    const writer = await this.#store.create(request);
    if (this.#silent) await writer.discard();
    return writer;
  }

  /** Gives a promise when the store asks to wait. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#lost !== undefined || this.#writer === undefined) return undefined;
    const writer = this.#writer;
    try {
      const writing = this.#inside(() => writer.write(bytes));
      return writing === undefined ? undefined : this.#inTime(writing).catch((error: unknown) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  async close(completion: Completion): Promise<Storage> {
    const storage = await this.#inside(() => this.#close(completion));
    if (this.#openedAt > 0) this.#tell(storage);
    return storage;
  }

  async #close(completion: Completion): Promise<Storage> {
    const writer = this.#writer;
    if (writer === undefined) return { lost: this.#lost ?? "the store opened no artifact" };
    if (this.#lost !== undefined) return { lost: await this.#keepFirstPart(writer, this.#lost) };
    try {
      const { unrecorded, spooled, sha256 } = await this.#inTime(writer.finish(completion));
      this.#sha256 = sha256;
      // A store that failed half-way may have written the artifact to another place.
      const { id, name, path } = writer;
      return {
        artifact: { id, name, path },
        ...(unrecorded !== undefined && { unrecorded }),
        ...(spooled !== undefined && { spooled }),
      };
    } catch (error) {
      return { lost: await this.#keepFirstPart(writer, reasonOf(error)) };
    }
  }

  async discard(): Promise<void> {
    await this.#remove();
    this.#span?.end();
  }

  async #remove(): Promise<void> {
    const writer = this.#writer;
    if (writer !== undefined && !this.#silent) await this.#inTime(writer.discard()).catch(() => undefined);
  }

  #inside<T>(work: () => T): T {
    return this.#span === undefined ? work() : this.#span.run(work);
  }

  /** Reports the result to the observer. */
  #tell(storage: Storage): void {
    const wrong = problemOf(storage);
    this.#span?.set(storageAttributes(storage));
    if (wrong !== undefined) {
      this.#span?.fail(wrong.kind, wrong.reason);
      measure("spillway.store.errors", 1, { "error.type": wrong.kind });
    }
    this.#span?.end();
    measure("spillway.store.duration", secondsSince(this.#openedAt), { "error.type": wrong?.kind });
  }

  #fail(error: unknown): void {
    this.#lost ??= reasonOf(error);
  }

  /** The part that reached the store before it failed is kept and named. */
  async #keepFirstPart(writer: OpenArtifact, reason: string): Promise<string> {
    if (this.#silent) return reason;
    try {
      const { bytes, unrecorded } = await this.#inTime(writer.finish({ complete: false, reason }));
      if (bytes > 0) {
        const first = `${reason}; only the first ${formatPlural(bytes, "byte")} ${bytes === 1 ? "is" : "are"} in ${writer.path}`;
        return unrecorded === undefined ? first : `${first} (${unrecorded})`;
      }
      await this.#remove();
    } catch {
      // The reason that came first is the one to tell.
    }
    return reason;
  }

  /** Waits for the store, but not for ever; once it was silent that long, nothing more is asked of it. */
  #inTime<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = startTimer(() => {
        this.#silent = true;
        reject(new Error(`the store did not answer within ${this.#timeoutMs / 1000} s`));
      }, this.#timeoutMs);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}

function problemOf(storage: Storage): { readonly kind: string; readonly reason: string } | undefined {
  if ("lost" in storage) return { kind: "lost", reason: storage.lost };
  if (storage.spooled !== undefined) return { kind: "spooled", reason: storage.spooled };
  return storage.unrecorded === undefined ? undefined : { kind: "unrecorded", reason: storage.unrecorded };
}

function reasonOf(error: unknown): string {
  const message = messageOf(error);
  return message.replace(/\.$/, "") || "the store failed without saying why";
}
