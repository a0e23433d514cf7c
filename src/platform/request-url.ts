import type { IncomingMessage } from "node:http";

/** The address that a request asks for. Anybody may send anything, such as `//`, which is no address beside another. */
export function requestUrl({ url = "/" }: IncomingMessage): URL {
  const address = url.startsWith("/") ? `http://localhost${url}` : url;
  return new URL(URL.canParse(address) ? address : "http://localhost/");
}
