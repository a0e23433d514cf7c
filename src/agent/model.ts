import { invalidArgument, messageOf } from "../errors.ts";
import { checkOptions, kinds } from "../limits/options.ts";

export interface RetryOptions {
  /** How often a failed request is sent again. @default 4 */
  readonly retries?: number | undefined;
  /** Wait before the first retry when the provider names none; doubles each time. @default 1000 */
  readonly retryDelayMs?: number | undefined;
  /** Longest wait; a provider that asks for more ends the turn. @default 60000 */
  readonly maxRetryDelayMs?: number | undefined;
  /** Longest silence of the provider, before and within its answer. @default 120000 */
  readonly idleTimeoutMs?: number | undefined;
}
/** The provider's answer broke off, stayed silent or made no sense; asking again may help. */
export class IncompleteAnswer extends Error {
  override readonly name = "IncompleteAnswer";
}

export interface ModelFailure {
  readonly message: string;
  readonly retriable: boolean;
  readonly tooLong: boolean;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
}

interface CallFailure {
  readonly name?: unknown;
  readonly statusCode?: unknown;
  readonly responseBody?: unknown;
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

/** Only OpenAI has a code for it; the others say it in words. */
const TOO_LONG =
  /context_length_exceeded|prompt is too long|input is too long|maximum context length|context window|too many (input )?tokens|request_too_large/i;

/** Mistakes of the caller, which asking again does not mend. */
const NOT_THE_PROVIDER =
  /^AI_(InvalidPrompt|InvalidArgument|MessageConversion|UnsupportedFunctionality|NoSuchModel|LoadAPIKey|InvalidDataContent)/;

/** Messages of the system, Node and fetch for an address that will not start to work by itself. */
const WRONG_ADDRESS =
  /^(?:ENOTFOUND|EAI_NONAME|EADDRNOTAVAIL|ERR_INVALID_(?:URL|PROTOCOL|IP_ADDRESS)|UND_ERR_INVALID_ARG|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|ERR_TLS_\w+|ERR_SSL_\w+)$/;
const WRONG_ADDRESS_WORDS = /^(?:bad port|unknown scheme|invalid url\b.*)$/i;

/** True if a failure or its cause is an address that cannot work. */
function isWrongAddress(error: unknown): boolean {
  for (let at = error, depth = 0; typeof at === "object" && at !== null && depth < 8; depth++) {
    const { code, message, cause, errors, lastError } = at as Record<string, unknown>;
    if (WRONG_ADDRESS.test(String(code)) || WRONG_ADDRESS_WORDS.test(String(message))) return true;
    at = cause ?? lastError ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return false;
}

/** The meaning of an AI SDK or provider failure for the loop. */
export function classifyFailure(error: unknown): ModelFailure {
  const failure = (typeof error === "object" && error !== null ? error : {}) as CallFailure;
  const said = messageOf(error) || "it failed without saying why";
  const body = typeof failure.responseBody === "string" ? failure.responseBody : "";
  const status = typeof failure.statusCode === "number" ? failure.statusCode : undefined;
  const refused = status !== undefined && status >= 400 && status < 500;
  const tooLong = (status === 413 || status === 400 || status === undefined) && TOO_LONG.test(`${said} ${body}`);
  const wrongAddress = status === undefined && isWrongAddress(error);
  const next = wrongAddress ? "; check the address, such as --base-url" : "";
  return {
    message: `The model could not be asked${status === undefined ? "" : ` (HTTP ${status})`}: ${firstLine(said)}${next}`,
    retriable:
      !tooLong &&
      !wrongAddress &&
      !NOT_THE_PROVIDER.test(String(failure.name)) &&
      (!refused || status === 408 || status === 409 || status === 429),
    tooLong,
    status,
    retryAfterMs: readRetryAfter(failure.responseHeaders ?? {}),
  };
}

function readRetryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const milliseconds = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (milliseconds >= 0) return milliseconds;
  const after = headers["retry-after"];
  if (after === undefined) return undefined;
  const seconds = Number(after);
  const delay = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(after) - Date.now();
  return Number.isNaN(delay) ? undefined : Math.max(0, delay);
}

function firstLine(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/** Any language model of the AI SDK, recognized by its shape, so that no version of the SDK is needed for the types. */
export interface AgentModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

/** A model as the AI SDK has it, with the name that the session records. */
export interface LoadedModel {
  readonly model: AgentModel;
  readonly name: string;
  readonly baseURL?: string | undefined;
  /** Tokens of the model's window. */
  readonly contextWindow: number;
  /** Loads another model where this one's keys are; at the same address when it is of the same provider. */
  readonly loadAnother?: ((specifier: string) => Promise<LoadedModel>) | undefined;
}

export interface LoadModelOptions {
  /** Needed for openai-compatible. @default the provider's own */
  readonly baseURL?: string | undefined;
  /** Where the keys are. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Tokens of the model's window. @default 200000 for anthropic, 128000 for others */
  readonly contextWindow?: number | undefined;
}

export const DEFAULT_CONTEXT_WINDOW = 128_000;
const ANTHROPIC_CONTEXT_WINDOW = 200_000;

const MODEL_CHECKS = {
  baseURL: kinds.text,
  env: kinds.object,
  contextWindow: kinds.above0,
} satisfies Record<keyof LoadModelOptions, unknown>;

/** Loads `openai/NAME`, `anthropic/NAME` or `openai-compatible/NAME`; only that provider's package is imported. */
export async function loadModel(specifier: string, options: LoadModelOptions = {}): Promise<LoadedModel> {
  kinds.text(specifier, "The model's name for loadModel()");
  checkOptions(options, MODEL_CHECKS, "loadModel()");
  const [, provider, name] = /^([^/]+)\/(.+)$/.exec(specifier) ?? [];
  const env = options.env ?? process.env;
  const { baseURL } = options;
  const settings = baseURL === undefined ? {} : { baseURL };
  const loaded = (model: AgentModel, contextWindow = DEFAULT_CONTEXT_WINDOW): LoadedModel => ({
    model,
    name: specifier,
    baseURL,
    contextWindow: options.contextWindow ?? contextWindow,
    loadAnother: (other) => loadModel(other, { env, baseURL: other.startsWith(`${provider}/`) ? baseURL : undefined }),
  });
  if (name !== undefined) {
    switch (provider) {
      case "openai": {
        const apiKey = requireKey(env, "OPENAI_API_KEY", specifier);
        const { createOpenAI } = await import("@ai-sdk/openai");
        return loaded(createOpenAI({ apiKey, ...settings }).chat(name));
      }
      case "anthropic": {
        const apiKey = requireKey(env, "ANTHROPIC_API_KEY", specifier);
        const { createAnthropic } = await import("@ai-sdk/anthropic");
        return loaded(createAnthropic({ apiKey, ...settings })(name), ANTHROPIC_CONTEXT_WINDOW);
      }
      case "openai-compatible": {
        if (baseURL === undefined) throw invalid(`${specifier} needs the server's address: --base-url URL.`);
        const apiKey = env.OPENAI_COMPATIBLE_API_KEY;
        const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
        const create = createOpenAICompatible({
          name: "openai-compatible",
          baseURL,
          includeUsage: true,
          ...(apiKey ? { apiKey } : {}),
        });
        return loaded(create(name));
      }
    }
  }
  throw invalid(`"${specifier}" is not a model: use openai/NAME, anthropic/NAME or openai-compatible/NAME.`);
}

function requireKey(env: NonNullable<LoadModelOptions["env"]>, variable: string, specifier: string): string {
  const key = env[variable];
  if (!key) throw invalid(`${specifier} needs the environment variable ${variable}.`);
  return key;
}

const invalid = (message: string) => invalidArgument(message);

const isModel = kinds.having("a model of the AI SDK, or what loadModel() gives", "modelId", "provider");

/** Throws a readable error if the value is not a model. */
export function checkModel(value: unknown, name: string): void {
  isModel(isLoaded(value) ? value.model : value, name);
}

/** True for results of `loadModel`. */
export function isLoaded(value: unknown): value is LoadedModel {
  return typeof value === "object" && value !== null && "contextWindow" in value && "model" in value;
}
