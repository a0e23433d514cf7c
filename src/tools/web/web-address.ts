import { lookup as dnsLookup, type LookupAddress } from "node:dns";
import { BlockList, isIP, isIPv4, type LookupFunction } from "node:net";
import { ToolFailure } from "../../protocol/tool-failure.ts";

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
export function checkLiteralHost(hostname: string): void {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw closedAddress(host, host);
}

/**
 * A DNS lookup for the moment of connecting: the addresses that are checked are the ones that are connected to, so that
 * a name cannot change its mind in between.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
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
