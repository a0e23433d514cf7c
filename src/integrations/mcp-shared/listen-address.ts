import { randomBytes } from "node:crypto";
import { invalidArgument } from "../../errors.ts";

/** An address that begins with http: or https:; undefined for any other text. */
export function webAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /**
   * Bearer token that every request must carry. `false` lets in every user and program of this machine, and is refused
   * where the host is not loopback. @default a new random one, which the server's `token` tells
   */
  readonly token?: string | false | undefined;
  /** Host names besides loopback and `host` that requests may name. @default none */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly path?: string | undefined;
}

/** Reads "HOST:PORT", ":PORT" or "PORT"; without a host it is 127.0.0.1. */
export function parseListen(text: string): { host: string; port: number } {
  const match = /^(?:(.*):)?(\d{1,5})$/.exec(text.trim());
  const port = Number(match?.[2]);
  if (!match || port > 65_535) throw invalidArgument(`--listen takes HOST:PORT, not ${JSON.stringify(text)}.`);
  const host = (match[1] ?? "").replace(/^\[|\]$/g, "");
  return { host: host === "" ? "127.0.0.1" : host, port };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Throws unless this address may be listened on: loopback, or with a token that the user chose. */
export function checkListen({ host, token }: Pick<ListenOptions, "host" | "token">, allowRemote: boolean): void {
  if (isLoopback(host)) return;
  if (!allowRemote) throw invalidArgument(`${host} is not a loopback address; pass --allow-remote to listen there.`);
  if (typeof token !== "string" || token.length < 16)
    throw invalidArgument("Listening beyond loopback needs a token of at least 16 characters in SPILLWAY_TOKEN.");
}

/** The token that requests must carry; undefined for none. */
export function resolveToken({ host, token }: Pick<ListenOptions, "host" | "token">): string | undefined {
  if (token === undefined) return randomBytes(24).toString("base64url");
  if (token === "") throw invalidArgument("The token of `listen` is empty. Leave it out for a random one.");
  if (token !== false) return token;
  if (!isLoopback(host)) throw invalidArgument(`${host} is not a loopback address; listening there needs a token.`);
  return undefined;
}

/** Describes a server's address; nothing for stdio. */
export function tellAddress({ url, token }: { url?: string; token?: string | undefined }): {
  url?: string;
  token?: string;
} {
  return { ...(url === undefined ? {} : { url }), ...(token === undefined ? {} : { token }) };
}
