import { lookup as dnsLookup, type LookupAddress } from "node:dns";
import { BlockList, isIP, isIPv4, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { ToolFailure } from "../../protocol/builder.ts";

/** IPv4 networks that are not the public internet: loopback, private, link-local, metadata, reserved. */
const CLOSED_IPV4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Parts of the public IPv6 range that are not public, or wrap an IPv4 address that may not be. */
const CLOSED_IPV6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const closed = new BlockList();
for (const [network, prefix] of CLOSED_IPV4) closed.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of CLOSED_IPV6) closed.addSubnet(network, prefix, "ipv6");
const publicIpv6 = new BlockList();
publicIpv6.addSubnet("2000::", 3, "ipv6");

/** True for an address of the public internet. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, "");
  if (isIPv4(plain)) return !closed.check(plain, "ipv4");
  return isIP(plain) === 6 && publicIpv6.check(plain, "ipv6") && !closed.check(plain, "ipv6");
}

/** Fails with ACCESS_DENIED for a host that is written as a closed address; names are checked when they are resolved. */
function checkLiteralHost(hostname: string): void {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw closedAddress(host, host);
}

/**
 * A DNS lookup for the moment of connecting: the addresses that are checked are the ones that are connected to, so that
 * a name cannot change its mind in between.
 */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  dnsLookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return callback(error, "", 0);
    const bad = addresses.find(({ address }) => !isPublicAddress(address));
    if (bad !== undefined) return callback(closedAddress(hostname, bad.address), "", 0);
    if (options.all === true) return callback(null, addresses as never);
    const [first] = addresses;
    callback(null, first?.address ?? "", first?.family ?? 0);
  });
};

function closedAddress(host: string, address: string): ToolFailure {
  const what = host === address ? host : `${host} (${address})`;
  return new ToolFailure("ACCESS_DENIED", `${what} is a loopback, private, link-local or reserved address.`, {
    next: "Give a url of the public internet.",
  });
}

const MAX_REDIRECTS = 10;
const MAX_ENCODINGS = 5;
const USER_AGENT = "spillway-webfetch";

export interface WebRequest {
  readonly url: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Skips the check of addresses. */
  readonly allowPrivateAddresses: boolean;
}

export interface WebAnswer {
  /** The address after all redirects. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  /** Decompressed, at most `maxBytes`. */
  readonly body: Buffer;
  /** True if the body continued after `maxBytes`. */
  readonly cut: boolean;
}

/** Fetches over http or https; each redirect is checked as the first address was. */
export async function requestWeb(request: WebRequest): Promise<WebAnswer> {
  const { Agent, request: send } = await import("undici");
  const connect = request.allowPrivateAddresses ? {} : { lookup: publicLookup };
  const dispatcher = new Agent({ connect, connections: 1, pipelining: 0 });
  try {
    let url = parseWebUrl(request.url);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (!request.allowPrivateAddresses) checkLiteralHost(url.hostname);
      const headers = {
        "user-agent": USER_AGENT,
        accept: "text/html,text/*;q=0.9,*/*;q=0.5",
        "accept-encoding": "gzip, deflate, br",
      };
      const answer = await send(url, { dispatcher, signal: request.signal, headers });
      const location = answer.headers.location;
      if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === "string") {
        answer.body.on("error", () => {}).destroy();
        url = parseWebUrl(new URL(location, url).href);
        continue;
      }
      const { body, cut } = await collect(answer.body, single(answer.headers["content-encoding"]), request.maxBytes);
      const contentType = single(answer.headers["content-type"]);
      return { url: url.href, status: answer.statusCode, contentType, body, cut };
    }
    throw new ToolFailure("EXECUTION_ERROR", `${request.url} redirects more than ${MAX_REDIRECTS} times.`, {
      next: "Give the url it leads to.",
    });
  } finally {
    await dispatcher.destroy();
  }
}

function parseWebUrl(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ToolFailure("INVALID_PARAM", `${given.slice(0, 200)} is not an http or https address.`, {
      next: 'Give a whole url, such as "https://example.com/".',
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new ToolFailure("INVALID_PARAM", "An address must not hold a user name or password.");
  }
  return url;
}

function single(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header.at(-1) : header) ?? "";
}

/** Decompresses while it reads and stops at the limit, so that a small answer cannot grow without end. */
async function collect(raw: Readable, encoding: string, maxBytes: number): Promise<{ body: Buffer; cut: boolean }> {
  const names = encoding.split(",").map((name) => name.trim().toLowerCase());
  if (names.length > MAX_ENCODINGS)
    throw new ToolFailure("EXECUTION_ERROR", `The answer is compressed ${names.length} times over.`);
  const streams: Readable[] = [raw];
  // The last applied encoding is listed last and is undone first.
  for (const name of names.reverse()) {
    const from = streams.at(-1) as Readable;
    const stage = decompressor(name);
    if (stage === undefined) continue;
    from.on("error", (error) => stage.destroy(error));
    streams.push(from.pipe(stage));
  }
  const source = streams.at(-1) as Readable;
  const chunks: Buffer[] = [];
  let bytes = 0;
  let cut = false;
  try {
    for await (const chunk of source) {
      const room = maxBytes - bytes;
      chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
      bytes += Math.min(chunk.length, room);
      cut = chunk.length > room;
      if (cut) break;
    }
  } finally {
    for (const stream of streams) stream.on("error", () => {}).destroy();
  }
  return { body: Buffer.concat(chunks), cut };
}

function decompressor(name: string) {
  switch (name) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      return undefined;
  }
}
