import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";

/** What a login to a remote server left. */
export interface Credentials {
  readonly client?: StoredOAuthClientInformation | undefined;
  /** Where the client was registered to be called back. */
  readonly redirectUrl?: string | undefined;
  readonly tokens?: StoredOAuthTokens | undefined;
  readonly discovery?: OAuthDiscoveryState | undefined;
}

/** The form of a server's address under which its login is kept. */
export function loginKey(url: string | URL): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, "")}${search}`;
}
