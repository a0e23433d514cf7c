import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { Credentials, LoginStore } from "./login-store.ts";

export interface LoginProviderOptions {
  /** The redirect URL. */
  readonly redirectUrl: string;
  readonly state?: string | undefined;
  /** A client that was registered by hand. */
  readonly client?: StoredOAuthClientInformation | undefined;
  /** Opens the login page for the user; throws if there is no user. */
  readonly redirect: (url: URL) => void;
}

/** The SDK's OAuth client interface: storage, and who opens the browser. */
export class LoginProvider implements OAuthClientProvider {
  readonly #store: LoginStore;
  readonly #options: LoginProviderOptions;
  #credentials: Credentials;
  #verifier = "";

  constructor(store: LoginStore, credentials: Credentials | undefined, options: LoginProviderOptions) {
    this.#store = store;
    this.#credentials = credentials ?? {};
    this.#options = options;
  }

  get redirectUrl(): string {
    return this.#options.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: "Spillway",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: this.#options.client?.client_secret ? "client_secret_basic" : "none",
      application_type: "native",
    } as OAuthClientMetadata;
  }

  state(): string {
    return this.#options.state ?? "";
  }

  /** A registration is valid for the server that issued it and for its redirect URL. */
  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    if (this.#options.client) return this.#options.client;
    const { client, redirectUrl } = this.#credentials;
    if (!client || redirectUrl !== this.redirectUrl) return undefined;
    return context && client.issuer !== undefined && client.issuer !== context.issuer ? undefined : client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    return this.#save({ client, redirectUrl: this.redirectUrl });
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#credentials.tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    return this.#save({
      tokens,
      ...(this.#options.client ? { client: this.#options.client, redirectUrl: this.redirectUrl } : {}),
    });
  }

  redirectToAuthorization(url: URL): void {
    this.#options.redirect(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): Promise<void> {
    return this.#save({ discovery });
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#credentials.discovery;
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    const all = scope === "all";
    return this.#save({
      ...(all || scope === "client" ? { client: undefined } : {}),
      ...(all || scope === "tokens" ? { tokens: undefined } : {}),
      ...(all || scope === "discovery" ? { discovery: undefined } : {}),
    });
  }

  async #save(changes: Partial<Credentials>): Promise<void> {
    this.#credentials = { ...this.#credentials, ...changes };
    await this.#store.write(this.#credentials);
  }
}
