import { rm } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { SPILLWAY_CHECKS } from "../../gate/option-checks.ts";
import type { SpillwayOptions } from "../../gate/types.ts";
import { checkOptions, kinds } from "../../limits/options.ts";
import type { ListenOptions } from "../mcp-shared/listen-address.ts";
import type { StructuredMode } from "./bound/bound-context.ts";
import type { ClientPort } from "./client/client-port.ts";
import { serveStdio } from "./client/serve-stdio.ts";
import type { OpenLink, Report } from "./link/link.ts";
import { createStdioLinks } from "./link/stdio-link.ts";
import { createProxyGate } from "./proxy-gate.ts";
import { ProxySession } from "./session.ts";
import { createSpool } from "./spool/create-spool.ts";
import type { Spool } from "./spool/spool.ts";
import { openSpoolFolder } from "./spool/spool-folder.ts";

/** Largest message that is taken at all. */
export const MAX_MESSAGE_BYTES = 512 * 1024 * 1024;
/** How long a proxy that cannot start its server still answers. */
const LAST_WORDS_MS = 500;
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** The server behind the proxy. */
export type UpstreamTarget =
  | {
      readonly command: string;
      readonly args?: readonly string[];
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string | undefined>>;
    }
  | { readonly url: string | URL; readonly headers?: Readonly<Record<string, string>> };

export interface ProxyOptions extends SpillwayOptions {
  readonly upstream: UpstreamTarget;
  /** Serves Streamable HTTP there instead of `input` and `output`. */
  readonly listen?: ListenOptions | undefined;
  /** @default process.stdin */
  readonly input?: Readable | undefined;
  /** @default process.stdout */
  readonly output?: Writable | undefined;
  /** Adds the tools that read artifacts. @default true */
  readonly readers?: boolean | undefined;
  /** @default "shrink" */
  readonly structured?: StructuredMode | undefined;
  /** Most bytes (base64) of images, audio and binary resources in one result. @default the call's maxBytes */
  readonly maxMediaBytes?: number | undefined;
  /** A larger message is refused. @default 536870912 */
  readonly maxMessageBytes?: number | undefined;
  /** @default lines on standard error */
  readonly report?: Report | undefined;
}

export interface Proxy {
  /** The address, when it listens. */
  readonly url?: string;
  /** Settles when the client is gone or the upstream cannot be started; rejects in the latter case. */
  readonly done: Promise<void>;
  close(): Promise<void>;
}

const PROXY_CHECKS = {
  ...SPILLWAY_CHECKS,
  upstream: kinds.object,
  listen: kinds.object,
  input: kinds.object,
  output: kinds.object,
  readers: kinds.flag,
  structured: kinds.oneOf("shrink", "hide-schema"),
  maxMediaBytes: kinds.limit,
  maxMessageBytes: kinds.limit,
  report: kinds.call,
} satisfies Record<keyof ProxyOptions, unknown>;

/** Starts a proxy in front of an MCP server. */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  checkOptions(options, PROXY_CHECKS, "startProxy()");
  const {
    upstream,
    listen: address,
    input,
    output,
    readers,
    structured,
    maxMediaBytes,
    maxMessageBytes,
    report: given,
    ...gate
  } = options;
  const report = given ?? ((message) => void process.stderr.write(`spillway: ${message}\n`));
  const folder = await openSpoolFolder();
  const spillway = createProxyGate(gate);
  const spool = createSpool(spillway, gate, { folder, maxMessageBytes: maxMessageBytes ?? MAX_MESSAGE_BYTES });
  const openLink = await createLinks(upstream, spool, report);
  const ending = createDeferred();
  let fatal: Error | undefined;
  let served: Served | undefined;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      await served?.close();
      await spool.close();
      await spillway.flush();
      await rm(folder, { recursive: true, force: true });
      if (fatal) ending.reject(fatal);
      else ending.resolve();
    })();
    return closed;
  };
  const openSession = (client: ClientPort): ProxySession =>
    new ProxySession(client, {
      spillway,
      openLink,
      report,
      structured: structured ?? "shrink",
      readers: readers ?? true,
      maxMediaBytes,
      onFatal: (error) => {
        // Other clients may still be served; where there is only one, `done` tells it.
        if (address) return report(`giving up: ${error.message}`);
        fatal = error;
        // A client that is about to ask gets an answer, and answers leave first.
        setTimeout(() => void close(), LAST_WORDS_MS);
      },
    });
  const streams = { input: input ?? process.stdin, output: output ?? process.stdout };
  served = address
    ? await serveHttp(address, openSession)
    : serveStdio({ ...streams, spool, report, openSession, onEnd: () => void close() });
  return { ...(served.url === undefined ? {} : { url: served.url }), done: ending.promise, close };
}

interface Served {
  readonly url?: string;
  close(): Promise<void>;
}

async function serveHttp(address: ListenOptions, openSession: (client: ClientPort) => ProxySession): Promise<Served> {
  const { HttpClients } = await import("./client/serve-http.ts");
  const { listen } = await import("../mcp-shared/http-listener.ts");
  const clients = new HttpClients({ openSession, maxBodyBytes: MAX_BODY_BYTES });
  const listener = await listen(address, clients.handle);
  return {
    url: listener.url,
    close: async () => {
      await clients.close();
      await listener.close();
    },
  };
}

async function createLinks(target: UpstreamTarget, spool: Spool, report: Report): Promise<OpenLink> {
  if ("url" in target) {
    // The SDK is loaded only where it is used: a proxy between two pipes stays small.
    const { createHttpLinks } = await import("./link/http-link.ts");
    return createHttpLinks({ url: new URL(target.url), headers: target.headers ?? {}, spool, report });
  }
  return createStdioLinks({
    command: target.command,
    args: target.args ?? [],
    cwd: target.cwd,
    env: target.env,
    spool,
    report,
  });
}

function createDeferred(): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } {
  let resolve: () => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
