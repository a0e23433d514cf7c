import type { Bucket } from "./bucket.ts";

const FIRST_BYTES = 128 * 1024;

/** The buffer of one part; grows with its contents. */
export class PartBuffer {
  readonly #capacity: number;
  #bytes: Buffer;
  #used = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(capacity, FIRST_BYTES));
  }

  get full(): boolean {
    return this.#used === this.#capacity;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#used);
  }

  /** Takes as many bytes as there is room for and says how many these are. */
  take(chunk: Uint8Array): number {
    const count = Math.min(chunk.length, this.#capacity - this.#used);
    if (this.#used + count > this.#bytes.length) {
      const size = Math.min(this.#capacity, Math.max(this.#used + count, this.#bytes.length * 4));
      const grown = Buffer.allocUnsafeSlow(size);
      this.#bytes.copy(grown, 0, 0, this.#used);
      this.#bytes = grown;
    }
    this.#bytes.set(chunk.subarray(0, count), this.#used);
    this.#used += count;
    return count;
  }

  clear(): void {
    this.#used = 0;
  }
}

/** Parts uploaded at a time; with the part being filled, they are all the memory an upload uses. */
const IN_FLIGHT = 3;
const MAX_SPARE = IN_FLIGHT + 1;
/** S3 allows 10,000 parts; the part size doubles after each group of this many. */
const PARTS_BEFORE_DOUBLING = 2000;

/** An object of many parts: begun with the first, sent while the next one fills, there once it is completed. */
export class PartUpload {
  readonly #bucket: Bucket;
  readonly #key: string;
  readonly #type: string;
  readonly #abort = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #tags: string[] = [];
  readonly #spare: PartBuffer[] = [];
  readonly #partBytes: number;
  #uploadId: Promise<string> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #parts = 0;
  #bytes = 0;

  constructor(bucket: Bucket, key: string, type: string, partBytes: number) {
    this.#bucket = bucket;
    this.#key = key;
    this.#type = type;
    this.#partBytes = partBytes;
  }

  get begun(): boolean {
    return this.#uploadId !== undefined;
  }

  nextBuffer(): PartBuffer {
    return this.#spare.pop() ?? new PartBuffer(this.#partBytes * 2 ** Math.floor(this.#parts / PARTS_BEFORE_DOUBLING));
  }

  /** Uploads a part and takes over its buffer; waits while enough uploads are running. Rejects after one failed. */
  async add(buffer: PartBuffer): Promise<void> {
    const number = ++this.#parts;
    this.#bytes += buffer.bytes.length;
    this.#uploadId ??= this.#bucket.startUpload(this.#key, this.#type);
    const sending = this.#send(number, buffer).finally(() => this.#inFlight.delete(sending));
    this.#inFlight.add(sending);
    while (this.#inFlight.size >= IN_FLIGHT && this.#failure === undefined) await Promise.race(this.#inFlight);
    this.#check();
  }

  async complete(): Promise<void> {
    await Promise.all(this.#inFlight);
    this.#check();
    await this.#bucket.completeUpload(this.#key, (await this.#uploadId) as string, this.#tags, this.#bytes);
  }

  /** Gives the upload up and lets S3 forget its parts; never rejects. */
  async abort(): Promise<void> {
    this.#abort.abort();
    await Promise.allSettled(this.#inFlight);
    const uploadId = await this.#uploadId?.catch(() => undefined);
    if (uploadId !== undefined) await this.#bucket.abortUpload(this.#key, uploadId).catch(() => undefined);
  }

  async #send(number: number, buffer: PartBuffer): Promise<void> {
    try {
      const uploadId = (await this.#uploadId) as string;
      const { signal } = this.#abort;
      this.#tags[number - 1] = await this.#bucket.uploadPart(this.#key, uploadId, number, buffer.bytes, signal);
      buffer.clear();
      if (this.#spare.length < MAX_SPARE && number % PARTS_BEFORE_DOUBLING !== 0) this.#spare.push(buffer);
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
