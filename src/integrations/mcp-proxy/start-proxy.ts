import { rm } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { fieldsOf } from "../../bytes/json/is-object.ts";
import { invalidArgument } from "../../errors.ts";
import { SPILLWAY_CHECKS } from "../../gate/option-checks.ts";
import type { SpillwayOptions } from "../../gate/types.ts";
import { checkOptions, kinds, showValue } from "../../limits/options.ts";
import { createDeferred } from "../mcp-shared/http-body.ts";
import { type ListenOptions, tellAddress } from "../mcp-shared/listen-address.ts";
import type { FindClient } from "../mcp-shared/mcp-client.ts";
import type { ClientPort } from "./client/client-port.ts";
import { serveStdio } from "./client/serve-stdio.ts";
import type { Report } from "./link/link.ts";
import { createLinks, type UpstreamTarget } from "./link/upstream.ts";
import type { StructuredMode } from "./message/bound-context.ts";
import { createProxyGate } from "./proxy-gate.ts";
import type { createServersLinks, ServersTarget } from "./servers/create-servers-links.ts";
import { MessageProtection, ProxySession } from "./session/session.ts";
import { createSpool } from "./spool/create-spool.ts";
import { createMemorySpool } from "./spool/memory-spool.ts";
import { openSpoolFolder } from "./spool/spool-folder.ts";

/** Largest message that is taken at all. */
export const MAX_MESSAGE_BYTES = 512 * 1024 * 1024;
/** How long a proxy that cannot start its server still answers. */
const LAST_WORDS_MS = 500;
/** Each is a server process, or a connection to one. */
const MAX_SESSIONS = 32;
const MAX_BODY_BYTES = 64 * 1024 * 1024;

export interface ProxyOptions extends SpillwayOptions {
  /** The server behind the proxy. */
  readonly upstream: UpstreamTarget | ServersTarget;
  /** Serves Streamable HTTP there instead of `input` and `output`. */
  readonly listen?: ListenOptions | undefined;
  /** Where the client's messages come from. @default process.stdin */
  readonly input?: Readable | undefined;
  /** Where the client's messages go. @default process.stdout */
  readonly output?: Writable | undefined;
  /**
   * Adds the tool that reads artifacts. A string names another server's tool, as the client's model sees it: then
   * notices name it, and none is added. @default true
   */
  readonly readers?: boolean | string | undefined;
  /** How the client's configuration names this server, so that notices name tools as its model sees them. @default none */
  readonly serverName?: string | undefined;
  /** What is known of a client by its `clientInfo.name`: its limits come before the defaults. @default the agents that Spillway knows */
  readonly clients?: FindClient | undefined;
  /** What happens to structured content. @default "auto" */
  readonly structured?: StructuredMode | undefined;
  /** Most bytes (base64) of images and audio in one result. @default what the client takes, else 5000000 */
  readonly maxMediaBytes?: number | undefined;
  /** Most sessions at a time where it listens; one more is answered with 503. @default 32 */
  readonly maxSessions?: number | undefined;
  /** A larger message is refused. @default 536870912 */
  readonly maxMessageBytes?: number | undefined;
  /** Hears what a person should know. @default lines on standard error */
  readonly report?: Report | undefined;
}

export interface Proxy {
  /** The address, when it listens. */
  readonly url?: string;
  /** The bearer token that requests to it must carry. */
  readonly token?: string;
  /** Settles when the client is gone or the upstream cannot be started; rejects in the latter case. */
  readonly done: Promise<void>;
  close(): Promise<void>;
}

function checkUpstream(value: unknown, name: string): void {
  const forms = ["command", "url", "servers"].map((field) => fieldsOf(value)[field]);
  if (forms.every((form) => form === undefined))
    throw invalidArgument(`${name} must be { command, args }, { url } or { servers }, not ${showValue(value)}.`);
}

const PROXY_CHECKS = {
  ...SPILLWAY_CHECKS,
  upstream: checkUpstream,
  listen: kinds.object,
  input: kinds.object,
  output: kinds.object,
  readers: (value: unknown, name: string) => (typeof value === "string" ? undefined : kinds.flag(value, name)),
  serverName: kinds.text,
  clients: kinds.call,
  structured: kinds.oneOf("auto", "shrink", "hide-schema", "text"),
  maxMediaBytes: kinds.limit,
  maxSessions: kinds.limit,
  maxMessageBytes: kinds.limit,
  report: kinds.call,
} satisfies Record<keyof ProxyOptions, unknown>;

/** Starts a proxy in front of an MCP server. */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  checkOptions(options, PROXY_CHECKS, "startProxy()", { needs: ["upstream"] });
  const {
    upstream,
    listen: address,
    input,
    output,
    readers,
    serverName,
    clients,
    structured,
    maxMediaBytes,
    maxSessions,
    maxMessageBytes,
    report: given,
    ...gate
  } = options;
  const folder = await openSpoolFolder();
  const spillway = createProxyGate(gate);
  const redaction = await spillway.redaction();
  const tell = given ?? ((message) => void process.stderr.write(`spillway: ${message}\n`));
  const report: Report = redaction ? (message) => tell(redaction.text(message).text) : tell;
  const largest = maxMessageBytes ?? MAX_MESSAGE_BYTES;
  const spool = redaction
    ? createMemorySpool(spillway, largest)
    : createSpool(spillway, gate, { folder, maxMessageBytes: largest });
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
  const session = {
    spillway,
    report,
    structured: structured ?? "auto",
    transport: address ? "tcp" : "pipe",
    clients: clients ?? (() => undefined),
    maxMediaBytes,
  } as const;
  const { openLink, toolOf } =
    "servers" in upstream
      ? await openServers(upstream, { root: gate.root ?? process.cwd(), spool, redaction, session })
      : { openLink: await createLinks(upstream, { spool, report, redaction }) };
  const openSession = (client: ClientPort): ProxySession =>
    new ProxySession(client, {
      ...session,
      protection: redaction && new MessageProtection(redaction),
      openLink,
      toolOf,
      readers: readers ?? true,
      serverName,
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
    ? await serveHttp(address, openSession, maxSessions ?? MAX_SESSIONS)
    : serveStdio({ ...streams, spool, report, openSession, onEnd: () => void close() });
  return { ...tellAddress(served), done: ending.promise, close };
}

interface Served {
  readonly url?: string;
  readonly token?: string | undefined;
  close(): Promise<void>;
}

/** Code for several servers is loaded only if there are several. */
async function openServers(...given: Parameters<typeof createServersLinks>) {
  const { createServersLinks } = await import("./servers/create-servers-links.ts");
  return createServersLinks(...given);
}

async function serveHttp(
  address: ListenOptions,
  openSession: (client: ClientPort) => ProxySession,
  maxSessions: number,
): Promise<Served> {
  const { HttpClients } = await import("./client/serve-http.ts");
  const { listen } = await import("../mcp-shared/http-listener.ts");
  const clients = new HttpClients({ openSession, maxBodyBytes: MAX_BODY_BYTES, maxSessions });
  const listener = await listen(address, clients.handle);
  return {
    url: listener.url,
    token: listener.token,
    close: async () => {
      await clients.close();
      await listener.close();
    },
  };
}
