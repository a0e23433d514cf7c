import { isSpillwayError, SpillwayError } from "../../../errors.ts";
import type { Redaction } from "../../../redact/redaction.ts";
import type { Frame } from "../../mcp-shared/json-rpc.ts";
import type { Spool } from "../spool/spool.ts";
import type { Link, LinkEvents, OpenLink, Report } from "./link.ts";
import { createStdioLinks } from "./stdio-link.ts";

/** A server behind the proxy. */
export type UpstreamTarget =
  | {
      readonly command: string;
      readonly args?: readonly string[];
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string | undefined>>;
    }
  | { readonly url: string | URL; readonly headers?: Readonly<Record<string, string>> };

export interface LinksContext {
  readonly spool: Spool;
  readonly report: Report;
  readonly redaction: Redaction | undefined;
}

/** Creates the link to a server from its address. */
export async function createLinks(
  target: UpstreamTarget,
  { spool, report, redaction }: LinksContext,
): Promise<OpenLink> {
  if ("url" in target) {
    // The SDK is loaded only where it is used: a proxy between two pipes stays small.
    const { createHttpLinks } = await import("./http-link.ts");
    return createHttpLinks({ url: new URL(target.url), headers: target.headers ?? {}, spool, report });
  }
  return createStdioLinks({
    command: target.command,
    args: target.args ?? [],
    cwd: target.cwd,
    env: target.env,
    spool,
    report,
    redaction,
  });
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;
/** A link that lived this long counts as healthy: the next failure starts with the shortest delay again. */
const HEALTHY_MS = 10_000;
/** Failures in a row, before the upstream ever worked, after which the proxy gives up. */
const MOST_FAILURES_AT_START = 3;

export interface UpstreamEvents extends Omit<LinkEvents, "onDown"> {
  /** Runs on a fresh link before anything else is sent; must use `sendNow`. */
  onOpen(): Promise<void>;
  /** Nothing sent so far will be answered. */
  onDown(reason: string): void;
  /** The upstream cannot be started at all. */
  onFatal(error: SpillwayError): void;
}

/** Keeps a link to the upstream alive: opens it, opens it again with backoff, holds messages back in between. */
export class Upstream {
  readonly #open: OpenLink;
  readonly #events: UpstreamEvents;
  readonly #report: Report;
  #link: Link | undefined;
  #ready = false;
  #everReady = false;
  #closed = false;
  #failures = 0;
  #openedAt = 0;
  #queue: { readonly run: (link: Link) => Promise<void>; readonly reject: (error: Error) => void }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #fatal: SpillwayError | undefined;
  #starting: Promise<void> = Promise.resolve();

  constructor(open: OpenLink, events: UpstreamEvents, report: Report) {
    this.#open = open;
    this.#events = events;
    this.#report = report;
  }

  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  async #start(): Promise<void> {
    if (this.#closed) return;
    try {
      let current: Link | undefined;
      this.#openedAt = Date.now();
      const link = await this.#open({
        onFrame: (frame) => this.#events.onFrame(frame),
        onLarge: (arrival) => this.#events.onLarge(arrival),
        onPolled: (id) => this.#events.onPolled?.(id),
        expected: () => this.#events.expected(),
        onDown: (reason) => this.#down(current, reason),
      });
      current = link;
      this.#link = link;
      if (this.#closed) {
        await link.close();
        return;
      }
      await this.#events.onOpen();
      if (this.#link !== link) return;
      this.#ready = true;
      this.#everReady = true;
      for (const { run, reject } of this.#queue.splice(0)) run(link).catch(reject);
    } catch (error) {
      if (this.#everReady || !isSpillwayError(error) || error.details.unstartable !== true)
        return this.#down(this.#link, (error as Error).message);
      this.#giveUp(error);
    }
  }

  /** Sends as soon as the upstream is ready; rejects when that message can no longer be answered. */
  send(frame: Frame): Promise<void> {
    if (this.#fatal) return Promise.reject(this.#fatal);
    if (this.#link && this.#ready) return this.#link.send(frame);
    return new Promise((resolve, reject) => {
      this.#queue.push({ run: (link) => link.send(frame).then(resolve), reject });
    });
  }

  /** Sends on a link that is open but not ready yet. */
  async sendNow(frame: Frame): Promise<void> {
    if (!this.#link) throw new SpillwayError("UPSTREAM_FAILED", "The server is not running");
    await this.#link.send(frame);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const opening = this.#link === undefined;
    if (opening) await this.#starting;
    else await this.#link?.close();
  }

  #rejectQueue(error: SpillwayError): void {
    for (const { reject } of this.#queue.splice(0)) reject(error);
  }

  /** Another try would not help; and a client that left meanwhile is no reason to keep silent. */
  #giveUp(error: SpillwayError): void {
    this.#closed = true;
    this.#fatal = error;
    this.#rejectQueue(error);
    this.#events.onFatal(error);
  }

  #down(link: Link | undefined, reason: string): void {
    if (this.#link !== link) return;
    this.#link = undefined;
    this.#ready = false;
    if (this.#closed) return;
    this.#failures = Date.now() - this.#openedAt > HEALTHY_MS ? 1 : this.#failures + 1;
    const error = new SpillwayError("UPSTREAM_FAILED", reason);
    this.#rejectQueue(error);
    this.#events.onDown(reason);
    if (!this.#everReady && this.#failures >= MOST_FAILURES_AT_START) {
      this.#giveUp(error);
      return;
    }
    const wait = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failures - 1));
    this.#report(`${reason}; starting it again in ${wait} ms`);
    this.#timer = setTimeout(() => void this.start(), wait);
  }
}
