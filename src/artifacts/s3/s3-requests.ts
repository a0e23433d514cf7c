import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import http from "node:http";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { errorType, inSpan, isObserved, measure, secondsSince } from "../../telemetry/telemetry.ts";
import { failureOf, isExpired, isTransient, S3Failure } from "./s3-failure.ts";
import { escapeUri, type S3Credentials, signRequest } from "./sign-request.ts";

/** Sends a request inside a span, its repetitions included; `place` is known once it was sent. */
async function observeRequest<T>(
  { method, key }: Pick<S3Request, "method" | "key">,
  place: () => { readonly bucket: string; readonly endpoint: string },
  send: (onTry: (tries: number) => void) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const asked = { "http.request.method": method };
  const attributes = { ...asked, "aws.s3.bucket": place().bucket, "aws.s3.key": key };
  return inSpan(`S3 ${method}`, { kind: "client", attributes }, async (span) => {
    let resent = 0;
    let failed: string | undefined;
    try {
      return await send((tries) => {
        resent = tries - 1;
      });
    } catch (error) {
      failed = errorType(error);
      throw error;
    } finally {
      const { endpoint } = place();
      const address = URL.canParse(endpoint) ? new URL(endpoint).hostname : undefined;
      span?.set({ "server.address": address, "http.request.resend_count": resent });
      measure("spillway.store.request.duration", secondsSince(startedAt), { ...asked, "error.type": failed });
    }
  });
}

/** The bucket's address and the credentials. */
export interface S3Place {
  readonly bucket: string;
  /** Without the bucket, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly region: string;
  /** The bucket in the path instead of in the host name. */
  readonly pathStyle: boolean;
  /** Gives credentials; `refresh` after those given before were refused. */
  readonly credentials: (refresh: boolean) => Promise<S3Credentials>;
}

export interface S3RequestOptions {
  /** Idle time after which a connection is closed. */
  readonly timeoutMs: number;
  /** How long a request that fails for a while is repeated. */
  readonly retryForMs: number;
}

export interface S3Request {
  readonly method: "GET" | "PUT" | "POST" | "DELETE" | "HEAD";
  /** The object key; absent for requests to the bucket itself. */
  readonly key?: string | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface S3Answer {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const NOTHING = new Uint8Array(0);
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 2_000;
const SOCKETS = 16;
/** Connections in a row that may break before a byte came. */
const MAX_BREAKS = 5;
const MAX_SKEW_CORRECTIONS = 2;

/** Signed requests to one bucket, repeated with growing, random delays where that may help. */
export class S3Requests {
  readonly #bucket: string;
  readonly #resolvePlace: () => Promise<S3Place>;
  #resolved: Promise<S3Place> | undefined;
  #endpoint = "S3";
  /** Requests sent, repeated ones included. */
  sent = 0;
  readonly #options: S3RequestOptions;
  #agent: http.Agent | undefined;
  #clockOffsetMs = 0;

  /** Address and credentials are looked up with the first request. */
  constructor(bucket: string, resolvePlace: () => Promise<S3Place>, options: S3RequestOptions) {
    this.#bucket = bucket;
    this.#resolvePlace = resolvePlace;
    this.#options = options;
  }

  /** The bucket's address for error messages. */
  get place(): { readonly bucket: string; readonly endpoint: string } {
    return { bucket: this.#bucket, endpoint: this.#endpoint };
  }

  get region(): Promise<string> {
    return this.#locate().then(({ region }) => region);
  }

  /** Sends a request and gives its whole answer; rejects with `S3Failure`. */
  async send(request: S3Request): Promise<S3Answer> {
    return this.#repeat(request, async () => {
      const response = await this.#ask(request);
      const body = await readWhole(response);
      // S3 may answer 200 before it knows that it cannot complete an upload.
      if (request.method === "POST" && body.includes("<Error>")) throw failureOf(500, body.toString(), undefined);
      return { headers: response.headers, body };
    });
  }

  /** Streams an object's byte range; a broken connection is resumed at the byte where it broke. */
  async *stream(key: string, startByte: number, endByte: number, signal?: AbortSignal): AsyncIterable<Uint8Array> {
    let breaks = 0;
    for (let at = startByte; at < endByte; ) {
      const from = at;
      const request: S3Request = { method: "GET", key, headers: { range: `bytes=${at}-${endByte - 1}` }, signal };
      const response = await this.#repeat(request, () => this.#ask(request));
      try {
        for await (const chunk of response as AsyncIterable<Buffer>) {
          at += chunk.length;
          yield chunk;
        }
        return;
      } catch (error) {
        breaks = at > from ? 0 : breaks + 1;
        if (signal?.aborted || breaks > MAX_BREAKS) throw asFailure(error);
      } finally {
        response.destroy();
      }
    }
  }

  /** Repeats a request where that may help. */
  #repeat<T>(request: S3Request, attempt: () => Promise<T>): Promise<T> {
    if (!isObserved()) return this.#persist(request, attempt);
    return observeRequest(
      request,
      () => this.place,
      (onTry) => this.#persist(request, attempt, onTry),
    );
  }

  async #persist<T>(request: S3Request, attempt: () => Promise<T>, onTry?: (tries: number) => void): Promise<T> {
    const giveUpAt = performance.now() + this.#options.retryForMs;
    let refreshed = false;
    let corrections = 0;
    for (let tries = 1; ; tries++) {
      onTry?.(tries);
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof S3Failure) || request.signal?.aborted) throw error;
        if (isExpired(error) && !refreshed) {
          refreshed = true;
          await (await this.#locate()).credentials(true);
          continue;
        }
        const skewed = error.code === "RequestTimeTooSkewed" && error.serverTime !== undefined;
        if (skewed && corrections++ < MAX_SKEW_CORRECTIONS) {
          this.#clockOffsetMs = (error.serverTime as number) - Date.now();
          continue;
        }
        const delayMs = Math.random() * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** tries);
        if (!isTransient(error) || performance.now() + delayMs >= giveUpAt) throw error;
        await sleep(delayMs);
      }
    }
  }

  /** One try; gives the answer's beginning when it is 2xx. */
  async #ask(request: S3Request): Promise<IncomingMessage> {
    const { method, body = NOTHING, signal } = request;
    const place = await this.#locate();
    const credentials = await place.credentials(false);
    const url = urlOf(place, request);
    const { region } = place;
    const now = Date.now() + this.#clockOffsetMs;
    const unsigned = { method, url, headers: request.headers ?? {}, body, region, now };
    const headers: Record<string, string> = {
      ...signRequest(unsigned, credentials),
      "content-length": String(body.length),
    };
    this.sent += 1;
    const module = url.protocol === "https:" ? https : http;
    this.#agent ??= new module.Agent({ keepAlive: true, maxSockets: SOCKETS });
    const sending = module.request(url, {
      method,
      headers,
      agent: this.#agent,
      signal,
      timeout: this.#options.timeoutMs,
    });
    sending.on("timeout", () => sending.destroy(timedOut(this.#options.timeoutMs)));
    // The pending request is rejected; a later error breaks the response's stream.
    sending.on("error", () => {});
    sending.end(body);
    let response: IncomingMessage;
    try {
      [response] = (await once(sending, "response")) as [IncomingMessage];
    } catch (error) {
      throw asFailure(error);
    }
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return response;
    throw failureOf(status, (await readWhole(response)).toString(), response.headers.date);
  }

  #locate(): Promise<S3Place> {
    this.#resolved ??= this.#resolvePlace().then(
      (place) => {
        this.#endpoint = place.endpoint;
        return place;
      },
      (error: unknown) => {
        // Whoever could not say it now may be able to later.
        this.#resolved = undefined;
        throw error;
      },
    );
    return this.#resolved;
  }
}

function urlOf({ endpoint, bucket, pathStyle }: S3Place, { key, query = {} }: S3Request): URL {
  const url = new URL(endpoint);
  if (!pathStyle) url.host = `${bucket}.${url.host}`;
  const base = url.pathname.replace(/\/$/, "");
  const steps = [...(pathStyle ? [bucket] : []), ...(key === undefined ? [] : key.split("/"))];
  url.pathname = `${base}/${steps.map(escapeUri).join("/")}`;
  url.search = Object.entries(query)
    .map(([name, value]) => `${escapeUri(name)}=${escapeUri(value)}`)
    .join("&");
  return url;
}

async function readWhole(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    throw asFailure(error);
  }
  return Buffer.concat(chunks);
}

function timedOut(timeoutMs: number): S3Failure {
  return new S3Failure(0, "ETIMEDOUT", `no answer within ${timeoutMs / 1000} s (ETIMEDOUT)`);
}

function asFailure(error: unknown): unknown {
  if (error instanceof S3Failure) return error;
  const { code, message, name } = error as NodeJS.ErrnoException;
  if (name === "AbortError") return error;
  return new S3Failure(0, code ?? "network", `${message || "the connection broke"}`, undefined, error);
}
