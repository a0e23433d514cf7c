import type { Configuration } from "../limits/configuration.ts";
import type { Limits } from "../limits/types.ts";
import type { Preview } from "../preview/types.ts";
import { mapQuery } from "../query/query-context.ts";
import type { Redaction } from "../redact/redaction.ts";
import { SecretNumbers } from "../redact/secret-numbers.ts";
import { parseRedact } from "../redact/settings.ts";
import { cleanerOf, cleanOutcome } from "./clean.ts";
import type { BoundedResult, GateOptions, SpillwayOptions } from "./types.ts";

/** A bounded result with another preview of the same output, made elsewhere within these limits. */
export function withPreview(governed: BoundedResult, preview: Preview, limits: Limits): BoundedResult {
  return { ...governed, limits, preview, size: preview.source, strategy: preview.strategy };
}

/** Redacts the outputs of one gate; loaded only when redaction is on. */
export class GateRedaction {
  /** True once it is known that outputs are left as they are. */
  leavesSecrets = false;
  readonly #options: SpillwayOptions;
  readonly #config: () => Promise<Configuration>;
  #loaded: Promise<Redaction | undefined> | undefined;

  constructor(options: SpillwayOptions, config: () => Promise<Configuration>) {
    this.#options = options;
    this.#config = config;
  }

  /** Undefined when outputs are left as they are. */
  load(): Promise<Redaction | undefined> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  /** Options with secrets redacted in tool name, call id, question, command and outcome, and the placeholder numbers. */
  async clean(options: GateOptions): Promise<GateOptions> {
    const redaction = this.leavesSecrets ? undefined : await this.load();
    if (redaction === undefined) return options;
    const { secrets = new SecretNumbers(), tool, callId, query, commandLine, outcome } = options;
    const clean = cleanerOf(redaction, secrets);
    return {
      ...options,
      secrets,
      ...(tool !== undefined && { tool: clean(tool) }),
      ...(callId !== undefined && { callId: clean(callId) }),
      ...(query !== undefined && { query: mapQuery(query, clean) }),
      ...(commandLine !== undefined && { commandLine: clean(commandLine) }),
      ...(outcome !== undefined && { outcome: cleanOutcome(outcome, clean) }),
    };
  }

  async #load(): Promise<Redaction | undefined> {
    const { redact, env = process.env } = this.#options;
    const inFile = (await this.#config()).redact;
    // The bare wish to have it takes the file's patterns along.
    const settings = redact === undefined || (redact === true && inFile) ? inFile : parseRedact(redact, "redact");
    this.leavesSecrets = !settings;
    if (!settings) return undefined;
    const { Redaction } = await import("../redact/redaction.ts");
    return new Redaction(settings, env);
  }
}
