import path from "node:path";
import { cleanupOnce } from "../artifacts/cleanup-once.ts";
import { createLocalStore } from "../artifacts/local/local-store.ts";
import type { ArtifactStore } from "../artifacts/types.ts";
import { SpillwayError } from "../errors.ts";
import { checkLimitOptions } from "../limits/check.ts";
import { type ConfigFile, readConfigFile } from "../limits/config-file.ts";
import { ARTIFACT_DIR, RETENTION_DAYS } from "../limits/defaults.ts";
import { readEnvironment } from "../limits/environment.ts";
import { type ResolvedLimits, resolveLimits } from "../limits/resolve.ts";
import { countLines } from "../preview/measure.ts";
import { type CaptureContext, OutputCapture } from "./capture.ts";
import { DeferredStore } from "./deferred-store.ts";
import { ASSUMED_TOOLS } from "./hint.ts";
import { Ledger } from "./ledger.ts";
import { checkOutput, feed, renderValue } from "./output.ts";
import type {
  Capture,
  Governed,
  GovernOptions,
  Outcome,
  Output,
  Spillway,
  SpillwayOptions,
  ToolCounters,
} from "./types.ts";

const DEFAULT_TOOL = "tool";
/** A string up to this length is measured at once; only a longer one goes through a capture unmeasured. */
const SMALL_CHARS = 1024 * 1024;

/** Makes a gate: the one boundary that every tool result passes. */
export function createSpillway(options: SpillwayOptions = {}): Spillway {
  return new Gate(checkLimitOptions(options));
}

class Gate implements Spillway {
  readonly root: string;
  readonly store: ArtifactStore;
  readonly #options: SpillwayOptions;
  readonly #ledger: Ledger;
  readonly #environment: ReturnType<typeof readEnvironment>;
  #config: Promise<ConfigFile | undefined> | undefined;
  #store: ArtifactStore | undefined;

  constructor(options: SpillwayOptions) {
    this.root = path.resolve(options.root ?? process.cwd());
    this.#options = options;
    this.#environment = readEnvironment(options.env ?? process.env);
    this.#ledger = new Ledger(options.surface ?? "sdk", options.logger);
    if (options.dir === "") throw new SpillwayError("INVALID_ARGUMENT", "The artifact folder must not be empty.");
    this.store = options.store ?? new DeferredStore(async () => this.#openStore(await this.config()));
  }

  config(): Promise<ConfigFile | undefined> {
    const { config } = this.#options;
    this.#config ??= config === false ? Promise.resolve(undefined) : readConfigFile(this.root, config);
    return this.#config;
  }

  async limits(options: GovernOptions = {}): Promise<ResolvedLimits> {
    const { maxLines, maxBytes, maxChars, maxTokens, strategy } = options;
    const call = {
      ...pickLimits(this.#options),
      ...definedOnly(checkLimitOptions({ maxLines, maxBytes, maxChars, maxTokens, strategy })),
    };
    return resolveLimits({
      call,
      file: await this.config(),
      toolNames: [options.tool || DEFAULT_TOOL, ...(options.aliases ?? [])],
      tool: options.toolLimits,
      environment: this.#environment,
      defaultStrategy: this.#options.defaultStrategy,
    });
  }

  async capture(options: GovernOptions = {}): Promise<Capture> {
    return new OutputCapture(await this.#contextFor(options, "txt"));
  }

  async govern(output: Output, options: GovernOptions = {}): Promise<Governed> {
    checkOutput(output);
    if (typeof output === "object" && "value" in output) {
      const governed = await this.#governText(
        renderValue(output.value),
        await this.#contextFor(options, "json"),
        options,
      );
      return governed.kind === "whole" ? { ...governed, value: output.value } : governed;
    }
    const context = await this.#contextFor(options, "txt");
    if (typeof output === "string") return this.#governText(output, context, options);
    const capture = new OutputCapture(context);
    const ended = await feed(capture, output, options.signal);
    return capture.finish(conclusive(options.outcome) ?? ended);
  }

  stats(): Readonly<Record<string, ToolCounters>> {
    return this.#ledger.counters;
  }

  record(result: Governed): void {
    this.#ledger.add(result);
  }

  async flush(): Promise<void> {
    await this.#ledger.flush(this.root);
  }

  async #governText(text: string, context: CaptureContext, options: GovernOptions): Promise<Governed> {
    const { limits } = context;
    const outcome = options.outcome ?? { kind: "success" };
    if (text.length <= SMALL_CHARS && text.length <= limits.maxBytes && limits.maxTokens === Infinity) {
      const size = { lines: countLines(text), bytes: Buffer.byteLength(text), chars: text.length };
      if (size.lines <= limits.maxLines && size.bytes <= limits.maxBytes && size.chars <= limits.maxChars) {
        const whole: Governed = {
          kind: "whole",
          tool: context.tool,
          callId: context.callId,
          outcome,
          size,
          limits,
          strategy: context.strategy,
          text,
        };
        this.#ledger.add(whole);
        return whole;
      }
    }
    const capture = new OutputCapture(context);
    await feed(capture, text, options.signal);
    const governed = await capture.finish(outcome);
    if (governed.kind === "bounded") return governed;
    const { bytes: _, ...rest } = governed;
    return { ...rest, text };
  }

  async #contextFor(options: GovernOptions, extension: string): Promise<CaptureContext> {
    const { limits, strategy } = await this.limits(options);
    const store = this.#openStore(await this.config());
    return {
      tool: options.tool || DEFAULT_TOOL,
      callId: options.callId,
      extension: options.extension ?? extension,
      query: options.query,
      limits,
      strategy: strategy === "summarize" ? "head_tail" : strategy,
      tools: options.tools ?? this.#options.tools ?? ASSUMED_TOOLS,
      textPath: options.textPath,
      store,
      countTokens: this.#options.countTokens,
      hint: this.#options.hint,
      markers: options.markers ?? "inside",
      onFinish: (result) => {
        this.#ledger.add(result);
        if (result.kind === "bounded") void cleanupOnce(store).catch(() => undefined);
      },
    };
  }

  #openStore(config: ConfigFile | undefined): ArtifactStore {
    if (this.#options.store !== undefined) return this.#options.store;
    const dir = this.#options.dir ?? this.#environment.dir ?? config?.dir ?? this.#options.defaultDir ?? ARTIFACT_DIR;
    this.#store ??= createLocalStore({
      root: this.root,
      dir,
      retentionDays:
        this.#options.retentionDays ?? this.#environment.retentionDays ?? config?.retentionDays ?? RETENTION_DAYS,
      quotaBytes: this.#options.quotaBytes ?? config?.quotaBytes,
    });
    return this.#store;
  }
}

/** What the caller says of the ending, unless it says only that all went well, which the source knows better. */
function conclusive(outcome: Outcome | undefined): Outcome | undefined {
  return outcome?.kind === "success" && outcome.cutShort === undefined ? undefined : outcome;
}

function pickLimits({ maxLines, maxBytes, maxChars, maxTokens, strategy }: SpillwayOptions): GovernOptions {
  return definedOnly({ maxLines, maxBytes, maxChars, maxTokens, strategy });
}

function definedOnly<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
