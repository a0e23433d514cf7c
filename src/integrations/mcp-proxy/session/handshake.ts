import { fieldsOf, isObject } from "../../../bytes/json/is-object.ts";
import { isSpillwayError } from "../../../errors.ts";
import {
  addEnvelope,
  type Envelope,
  type Era,
  eraOf,
  LEGACY_VERSIONS,
  META_SERVER,
  MODERN_VERSION,
  readEnvelope,
} from "../../mcp-shared/era.ts";
import {
  INTERNAL_ERROR,
  type JsonObject,
  METHOD_NOT_FOUND,
  type RequestId,
  type RpcError,
  type RpcMessage,
  type RpcRequest,
  readMeta,
  UNSUPPORTED_VERSION,
} from "../../mcp-shared/json-rpc.ts";
import { ModernClientTranslator } from "../translate/modern-client.ts";
import { ModernUpstreamTranslator } from "../translate/modern-upstream.ts";
import type { Translator, TranslatorHost, UpstreamIdentity } from "../translate/translator.ts";
import { type OwnRequests, RpcFailure, Unanswered } from "./own-offer.ts";

/** A server of the handshake eras may leave a method it does not know unanswered. */
const PROBE_MS = 3000;

/** Knows which era either side speaks, brings them together, and opens a restarted upstream as the first was. */
export class Handshake {
  readonly #host: TranslatorHost;
  readonly #own: OwnRequests;
  /** The `initialize` that the upstream accepted. */
  #initialize: JsonObject | undefined;
  #initialized = false;
  #era: Era | undefined;
  /** The client's own `initialize`, while it waits. */
  #asked: RpcMessage | undefined;
  #opened = false;
  #envelope: Envelope | undefined;
  /** How the upstream refused `server/discover`: it belongs to the handshake eras. */
  #refused: Refusal | undefined;
  #capabilities: JsonObject | undefined;
  #version = "";
  #clientName = "";
  #level: JsonObject | undefined;
  readonly #watched = new Map<string, JsonObject>();
  #translator: Translator | undefined;
  addedResources = false;

  constructor(host: TranslatorHost, own: OwnRequests) {
    this.#host = host;
    this.#own = own;
  }

  /** The era that the client speaks. */
  get era(): Era {
    return this.#era ?? "legacy";
  }

  get translator(): Translator | undefined {
    return this.#translator;
  }

  /** The protocol version that the client speaks. */
  get version(): string {
    return this.#version;
  }

  /** The client's name; empty until it sends one. */
  get clientName(): string {
    return this.#clientName;
  }

  /** Puts the client's envelope on a request of the proxy's own, when the upstream is of the modern era. */
  envelop(params?: JsonObject): JsonObject | undefined {
    return this.#envelope && !this.#initialize ? addEnvelope(params, this.#envelope) : params;
  }

  /** The first request of the client says which era it speaks. */
  meet(message: RpcMessage): void {
    this.#era ??= eraOf(message);
  }

  /** Runs before a client's request is passed on: a modern client's first decides the era. True if it may pass. */
  async open(message: RpcRequest): Promise<boolean> {
    if (this.era === "legacy") {
      if (message.method === "initialize") {
        this.#asked = message;
        const requested = message.params?.protocolVersion;
        this.#version = typeof requested === "string" ? requested : LEGACY_VERSIONS[0]!;
        this.#meetClient(message.params?.clientInfo);
      }
      return true;
    }
    const envelope = readEnvelope(message.params);
    if (envelope) {
      this.#envelope = envelope;
      this.#meetClient(envelope.clientInfo);
    }
    if (this.#opened) return true;
    if (this.#refused) return this.#openOlder(message, envelope, this.#refused);
    this.#opened = true;
    this.#version = MODERN_VERSION;
    try {
      const params = addEnvelope({}, envelope ?? { version: MODERN_VERSION, capabilities: {}, clientInfo: {} });
      const found = await this.#own.probe("server/discover", params, PROBE_MS);
      if (!Array.isArray(found.supportedVersions)) throw new NotModern();
      this.#learn(found);
      return true;
    } catch (error) {
      if (asksForLogin(error)) return this.#notOpened(message.id, error);
      if (isRefusal(error)) return this.#openOlder(message, envelope, error);
      return this.#notOpened(message.id, error);
    }
  }

  /**
   * Opens an upstream that refused `server/discover`. A client that asks for just that gets the refusal, as without the
   * proxy: a client that speaks both eras then opens with `initialize`, and the server can ask it for roots as usual.
   * Any other request of the modern era comes from a client without that fallback, and is translated.
   */
  async #openOlder(message: RpcRequest, envelope: Envelope | undefined, refusal: Refusal): Promise<boolean> {
    const version = versionNamedBy(refusal);
    if (message.method !== "server/discover" && version !== "none") {
      this.#opened = true;
      return this.#openLegacy(message, envelope, version);
    }
    this.#opened = false;
    this.#refused = refusal;
    if (message.method === "server/discover") this.#era = undefined;
    const { code, message: reason, data } = refusalOf(refusal);
    this.#host.fail(message.id, code, reason, data);
    return false;
  }

  /** Records what the client sends to the upstream, to repeat it after a restart. */
  watch(message: RpcMessage): void {
    if (message.method === "notifications/initialized") this.#initialized = true;
    else if (message.method === "logging/setLevel") this.#level = message.params;
    else if (message.method === "resources/subscribe" && message.params)
      this.#watched.set(String(message.params.uri), message.params);
    else if (message.method === "resources/unsubscribe") this.#watched.delete(String(message.params?.uri));
  }

  /** Sees the upstream's answer to the client's opening. A refused `initialize` may mean an upstream of the modern era. */
  async answered(method: string, message: RpcMessage): Promise<void> {
    if (method !== "initialize" || !this.#asked) {
      if (message.result) this.#learn(message.result);
      return;
    }
    const asked = this.#asked;
    this.#asked = undefined;
    if (message.result) {
      this.#initialize = asked.params ?? {};
      const version = message.result.protocolVersion;
      if (typeof version === "string") this.#version = version;
      this.#learn(message.result);
      return;
    }
    await this.#openModern(asked).catch((error: unknown) => {
      if (asksForLogin(error)) this.#notOpened(asked.id!, error);
    });
  }

  /** The result of `initialize` with the proxy's resources added. */
  advertise(result: JsonObject): JsonObject {
    const capabilities = isObject(result.capabilities) ? result.capabilities : undefined;
    if (!capabilities || !this.addedResources || isObject(capabilities.resources)) return result;
    return { ...result, capabilities: { ...capabilities, resources: {} } };
  }

  /** Brings a fresh upstream to where the last one was. */
  async replay(): Promise<void> {
    if (!this.#initialize) return;
    await this.#own.request("initialize", this.#initialize, true, 30_000);
    if (!this.#initialized && !this.#translator) return;
    await this.#own.notify("notifications/initialized");
    if (this.#level) await this.#own.request("logging/setLevel", this.#level, true).catch(() => {});
    for (const params of this.#watched.values())
      await this.#own.request("resources/subscribe", params, true).catch(() => {});
    for (const kind of ["tools", "resources", "prompts"]) {
      const capability = this.#capabilities?.[kind];
      if (!isObject(capability) || capability.listChanged !== true) continue;
      const changed: RpcMessage = { jsonrpc: "2.0", method: `notifications/${kind}/list_changed` };
      const shown = this.#translator ? this.#translator.fromUpstream(changed) : changed;
      if (shown) this.#host.toClient(shown);
    }
  }

  async #openLegacy(
    message: RpcMessage & { id: RequestId },
    envelope: Envelope | undefined,
    version: string,
  ): Promise<boolean> {
    const params = {
      protocolVersion: version,
      capabilities: envelope?.capabilities ?? {},
      clientInfo: envelope?.clientInfo ?? { name: "spillway", version: "0" },
    };
    try {
      const result = await this.#own.request("initialize", params);
      this.#initialize = params;
      this.#learn(result);
      // Before the upstream may ask.
      this.#translator = new ModernClientTranslator(this.#host, identify(this.advertise(result)));
      await this.#own.notify("notifications/initialized");
      return true;
    } catch (error) {
      return this.#notOpened(message.id, error);
    }
  }

  #notOpened(id: RequestId, error: unknown): false {
    this.#opened = false;
    this.#host.fail(id, INTERNAL_ERROR, `The server could not be opened: ${(error as Error).message}`);
    return false;
  }

  async #openModern(asked: RpcMessage): Promise<void> {
    const { capabilities, clientInfo } = asked.params ?? {};
    const envelope: Envelope = {
      version: MODERN_VERSION,
      capabilities: fieldsOf(capabilities),
      clientInfo: isObject(clientInfo) ? clientInfo : { name: "unknown", version: "0" },
    };
    const result = await this.#own.probe("server/discover", addEnvelope({}, envelope), PROBE_MS);
    if (!Array.isArray(result.supportedVersions)) return;
    this.#envelope = envelope;
    this.#learn(result);
    const translator = new ModernUpstreamTranslator(this.#host, identify(this.advertise(result)), envelope);
    this.#translator = translator;
    const answer = translator.initializeResult(asked.params?.protocolVersion);
    this.#version = String(answer.protocolVersion);
    this.#host.answer(asked.id!, answer);
  }

  #meetClient(info: unknown): void {
    if (isObject(info) && typeof info.name === "string") this.#clientName = info.name;
  }

  #learn(result: JsonObject): void {
    this.#capabilities = fieldsOf(result.capabilities);
    this.addedResources = !isObject(this.#capabilities.resources);
  }
}

type Refusal = RpcFailure | Unanswered | NotModern;

/** The upstream's answer to `server/discover` shows that it does not know the method. */
class NotModern extends Error {
  constructor() {
    super("Method not found");
  }
}

function isRefusal(error: unknown): error is Refusal {
  return error instanceof RpcFailure || error instanceof Unanswered || error instanceof NotModern;
}

/** The error that answers `server/discover`: the server's own; a server that leaves the method unanswered does not know it. */
function refusalOf(error: Refusal): RpcError {
  return error instanceof RpcFailure ? error.rpcError : { code: METHOD_NOT_FOUND, message: error.message };
}

/** The server is unknown yet because it requires a login. */
export function asksForLogin(error: unknown): boolean {
  return isSpillwayError(error) && error.details.login !== undefined;
}

/** The version of the handshake eras to open with: the newest that a server which refused the modern one names. */
function versionNamedBy(error: unknown): string {
  const refusal =
    error instanceof RpcFailure && error.rpcError.code === UNSUPPORTED_VERSION ? error.rpcError : undefined;
  const supported = isObject(refusal?.data) ? refusal.data.supported : undefined;
  if (!Array.isArray(supported)) return LEGACY_VERSIONS[0]!;
  return LEGACY_VERSIONS.find((version) => supported.includes(version)) ?? "none";
}

function identify(result: JsonObject): UpstreamIdentity {
  const stamped = readMeta(result)[META_SERVER];
  const serverInfo = isObject(result.serverInfo)
    ? result.serverInfo
    : isObject(stamped)
      ? stamped
      : { name: "unknown", version: "0" };
  const instructions = result.instructions;
  return {
    capabilities: fieldsOf(result.capabilities),
    serverInfo,
    instructions: typeof instructions === "string" ? instructions : undefined,
  };
}
