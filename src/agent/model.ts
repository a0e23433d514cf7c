import { invalidArgument } from "../errors.ts";
import { checkOptions, kinds } from "../limits/options.ts";

/** Any language model of the AI SDK, told by its outside, so that no version of the SDK is needed for the types. */
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

/** Throws a sentence for what is no model. */
export function checkModel(value: unknown, name: string): void {
  isModel(isLoaded(value) ? value.model : value, name);
}

/** True for what `loadModel` gives. */
export function isLoaded(value: unknown): value is LoadedModel {
  return typeof value === "object" && value !== null && "contextWindow" in value && "model" in value;
}
