import { createDeferred, type Deferred } from "../../mcp-shared/deferred.ts";

/** How long requests wait for the stream to open, once the server has shown that it answers. */
const WAIT_MS = 5000;
/** A server that ends its stream sooner does not mean to use it, and nobody waits for the next. */
const SHORTEST_LIFE_MS = 250;

/**
 * Knows whether the stream is open on which a server says what belongs to no request. What it asks there while the
 * stream is closed is lost, and the call that it asked for would never end: requests wait until it can be asked.
 */
export class ServerStream {
  #open = 0;
  #late: NodeJS.Timeout | undefined;
  #expected: Deferred<void> | undefined;

  /** The stream is about to open: requests wait from now on. */
  expect(): void {
    this.#expected ??= createDeferred();
  }

  /** The server answers: when it opens no stream now, it means to open none. */
  answered(): void {
    if (this.#expected) this.#late ??= setTimeout(() => this.#stopWaiting(), WAIT_MS).unref();
  }

  async ready(): Promise<void> {
    await this.#expected?.promise;
  }

  /** Fetches what may be the stream; a response of it looks the same, and its end is noticed. */
  async watch(fetching: Promise<Response>): Promise<Response> {
    try {
      const response = await fetching;
      if (!response.ok || !response.body) return response;
      const { status, statusText, headers } = response;
      return new Response(ReadableStream.from(this.#follow(response.body)), { status, statusText, headers });
    } finally {
      this.#stopWaiting();
    }
  }

  async *#follow(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const openedAt = Date.now();
    this.#open += 1;
    try {
      yield* chunks;
    } finally {
      this.#open -= 1;
      if (this.#open === 0 && Date.now() - openedAt >= SHORTEST_LIFE_MS) {
        this.expect();
        this.answered();
      }
    }
  }

  #stopWaiting(): void {
    clearTimeout(this.#late);
    this.#late = undefined;
    this.#expected?.resolve();
    this.#expected = undefined;
  }
}
