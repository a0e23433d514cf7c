import {
  type AuthProvider,
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  type InsufficientScopeError,
  isStrictScopeSuperset,
} from "@modelcontextprotocol/client";
import { SpillwayError } from "../../../errors.ts";
import { LoginProvider } from "./login-provider.ts";
import { LoginStore } from "./login-store.ts";

const NONE = "it asks for a login";
const ENDED = "the login to it has ended";

type UnauthorizedContext = Parameters<NonNullable<AuthProvider["onUnauthorized"]>>[0];

/** Uses and refreshes the login that `spillway mcp login` saved; nobody can log in here. */
export class SavedLogin implements AuthProvider {
  readonly #url: URL;
  readonly #store: LoginStore;
  #token: string | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(url: URL) {
    this.#url = url;
    this.#store = new LoginStore(url);
  }

  async token(): Promise<string | undefined> {
    this.#token ??= (await this.#store.read())?.tokens?.access_token;
    return this.#token;
  }

  /** Calls that are refused at the same time wait for the same new token. */
  async onUnauthorized(context: UnauthorizedContext): Promise<void> {
    this.#refreshing ??= this.#refresh(context).finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  async #refresh({ response, serverUrl, fetchFn }: UnauthorizedContext): Promise<void> {
    await this.#store.alone(async () => {
      const saved = await this.#store.read();
      const token = saved?.tokens?.access_token;
      const refused = this.#token;
      this.#token = token;
      // Another process may have refreshed it meanwhile.
      if (token !== undefined && token !== refused) return;
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      const wanted = computeScopeUnion(saved?.tokens?.scope, scope);
      if (saved?.tokens?.refresh_token === undefined) throw this.#needed(token === undefined ? NONE : ENDED, wanted);
      // The server may have moved to another authorization server since.
      const provider = new LoginProvider(
        this.#store,
        { ...saved, discovery: undefined },
        {
          redirectUrl: saved.redirectUrl ?? "http://127.0.0.1/callback",
          redirect: () => {
            throw this.#needed(ENDED, wanted);
          },
        },
      );
      await auth(provider, {
        serverUrl,
        fetchFn,
        ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
        ...(scope === undefined ? {} : { scope }),
      });
      this.#token = provider.tokens()?.access_token;
    });
  }

  /** The error if the login is valid but lacks permissions. */
  async wider({ requiredScope }: InsufficientScopeError): Promise<SpillwayError> {
    const granted = (await this.#store.read())?.tokens?.scope;
    const asked = isPlain(requiredScope) ? computeScopeUnion(granted, requiredScope) : undefined;
    if (granted !== undefined && asked !== undefined && !isStrictScopeSuperset(asked, granted))
      return this.#failure(`it refuses this although the login has what it asks for (${requiredScope})`);
    return this.#needed("it asks for more than the login allows", asked);
  }

  #needed(why: string, scope?: string | undefined): SpillwayError {
    const more = isPlain(scope) ? ` --scope "${scope}"` : "";
    return this.#failure(`${why}: run \`spillway mcp login ${this.#url.href}${more}\` in a terminal`);
  }

  #failure(message: string): SpillwayError {
    return new SpillwayError("UPSTREAM_FAILED", message, { details: { login: this.#url.href } });
  }
}

/** Scopes that are safe in a shell line: they come from the server. */
function isPlain(scope: string | undefined): scope is string {
  return scope !== undefined && /^[\w:./-]+( [\w:./-]+)*$/.test(scope);
}
