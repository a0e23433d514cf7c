import { statSync } from "node:fs";
import path from "node:path";
import { cleanupOnce } from "../artifacts/cleanup-once.ts";
import type { ArtifactStore } from "../artifacts/types.ts";
import { SpillwayError } from "../errors.ts";
import { type ConfigFile, readConfigFile } from "../limits/config-file.ts";
import { ARTIFACT_DIR, RETENTION_DAYS } from "../limits/defaults.ts";
import { readEnvironment } from "../limits/environment.ts";
import { checkOptions } from "../limits/options.ts";
import { type ResolvedLimits, resolveLimits } from "../limits/resolve.ts";
import type { Strategy } from "../limits/types.ts";
import { countLines } from "../preview/measure.ts";
import { type CaptureContext, OutputCapture } from "./capture.ts";
import { DeferredStore } from "./deferred-store.ts";
import { Ledger } from "./ledger.ts";
import { GOVERN_CHECKS, SPILLWAY_CHECKS } from "./option-checks.ts";
import { checkOutput, feed, renderValue } from "./output.ts";
import { resolveReader } from "./reader.ts";
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
const STORE_TIMEOUT_MS = 60_000;
/** Tools of which the limits are remembered. */
const USUAL_TOOLS = 256;

/** Makes a gate: the one boundary that every tool result passes. */
export function createSpillway(options: SpillwayOptions = {}): Spillway {
  return createGate(checkOptions(options, SPILLWAY_CHECKS, "createSpillway()"));
}

/** The same for modules that have another strategy where nothing says one. */
export function createGate(options: SpillwayOptions, defaultStrategy: Strategy = "smart"): Spillway {
  const { root } = options;
  if (root !== undefined && statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new SpillwayError("INVALID_ARGUMENT", `root must be a folder that exists, not ${JSON.stringify(root)}.`);
  }
  return new Gate(options, defaultStrategy);
}

class Gate implements Spillway {
  readonly root: string;
  readonly store: ArtifactStore;
  readonly #options: SpillwayOptions;
  readonly #defaultStrategy: Strategy;
  readonly #ledger: Ledger;
  readonly #environment: ReturnType<typeof readEnvironment>;
  /** Limits of calls that say nothing but their tool's name: the same every time. */
  readonly #usualLimits = new Map<string, ResolvedLimits>();
  #config: Promise<ConfigFile | undefined> | undefined;
  #localStore: Promise<ArtifactStore> | undefined;

  constructor(options: SpillwayOptions, defaultStrategy: Strategy) {
    this.#defaultStrategy = defaultStrategy;
    this.root = path.resolve(options.root ?? process.cwd());
    this.#options = options;
    this.#environment = readEnvironment(options.env ?? process.env);
    this.#ledger = new Ledger(options.surface ?? "sdk", options.logger);
    if (options.dir === "") throw new SpillwayError("INVALID_ARGUMENT", "The artifact folder must not be empty.");
    this.store = options.store ?? new DeferredStore(() => this.#openStore());
  }

  config(): Promise<ConfigFile | undefined> {
    const { config } = this.#options;
    this.#config ??= config === false ? Promise.resolve(undefined) : readConfigFile(this.root, config);
    return this.#config;
  }

  async limits(options: GovernOptions = {}): Promise<ResolvedLimits> {
    checkOptions(options, GOVERN_CHECKS, "govern()");
    if (!saysOnlyTool(options)) return this.#resolveLimits(options);
    const tool = options.tool || DEFAULT_TOOL;
    const known = this.#usualLimits.get(tool);
    if (known !== undefined) return known;
    const resolved = await this.#resolveLimits(options);
    if (this.#usualLimits.size < USUAL_TOOLS) this.#usualLimits.set(tool, resolved);
    return resolved;
  }

  async capture(options: GovernOptions = {}): Promise<Capture> {
    return new OutputCapture(await this.#contextFor(options, "txt"));
  }

  async govern(output: Output, options: GovernOptions = {}): Promise<Governed> {
    checkOutput(output);
    if (typeof output === "object" && "value" in output) {
      return this.#governValue(output.value, options);
    }
    if (typeof output === "string") return this.#governText(output, options, "txt");
    const capture = new OutputCapture(await this.#contextFor(options, "txt"));
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

  async #resolveLimits(options: GovernOptions): Promise<ResolvedLimits> {
    const { maxLines, maxBytes, maxChars, maxTokens, strategy } = options;
    const call = {
      ...pickLimits(this.#options),
      ...definedOnly({ maxLines, maxBytes, maxChars, maxTokens, strategy }),
    };
    return resolveLimits({
      call,
      file: await this.config(),
      toolNames: [options.tool || DEFAULT_TOOL, ...(options.aliases ?? [])],
      tool: options.toolLimits,
      environment: this.#environment,
      defaultStrategy: this.#defaultStrategy,
    });
  }

  async #governValue(value: unknown, options: GovernOptions): Promise<Governed> {
    const outcome = options.outcome ?? { kind: "success" };
    const text = renderValue(value);
    const resolved = await this.limits(options);
    // Each newline of a text inside the value is a line too, when it is measured by its parts.
    const small =
      wholeWithin(resolved, text, options, outcome) !== undefined &&
      text.split(/\n|\\n/).length <= resolved.limits.maxLines;
    if (!small && typeof value === "object" && value !== null) {
      const { governValue } = await import("./items/govern-value.ts");
      const context = await this.#contextFor(options, "json");
      const governed = await governValue(context, value, { text, outcome, saved: options.saved });
      if (governed !== undefined) return governed;
    }
    const governed = await this.#governText(text, options, "json");
    return governed.kind === "whole" ? { ...governed, value } : governed;
  }

  async #governText(text: string, options: GovernOptions, extension: string): Promise<Governed> {
    const outcome = options.outcome ?? { kind: "success" };
    const whole = wholeWithin(await this.limits(options), text, options, outcome);
    if (whole !== undefined) {
      if (options.counted !== false) this.#ledger.add(whole);
      return whole;
    }
    const capture = new OutputCapture(await this.#contextFor(options, extension));
    await feed(capture, text, options.signal);
    const governed = await capture.finish(outcome);
    if (governed.kind === "bounded") return governed;
    const { bytes: _, ...rest } = governed;
    return { ...rest, text };
  }

  async #contextFor(options: GovernOptions, extension: string): Promise<CaptureContext> {
    const { limits, strategy } = await this.limits(options);
    return {
      tool: options.tool || DEFAULT_TOOL,
      callId: options.callId,
      extension: options.extension ?? extension,
      adopt: options.adopt,
      query: options.query,
      limits,
      strategy: previewStrategy(strategy),
      reader: resolveReader(options, this.#options),
      store: this.store,
      storeTimeoutMs: this.#options.storeTimeoutMs ?? STORE_TIMEOUT_MS,
      countTokens: limits.maxTokens === Infinity ? undefined : (this.#options.countTokens ?? (await loadCounter())),
      words: this.#options.hint,
      markers: options.markers ?? "inside",
      onFinish: (result) => {
        if (options.counted !== false) this.#ledger.add(result);
        if (result.kind === "bounded") void this.#openStore().then(cleanupOnce, () => undefined);
      },
    };
  }

  #openStore(): Promise<ArtifactStore> {
    if (this.#options.store !== undefined) return Promise.resolve(this.#options.store);
    this.#localStore ??= this.#openLocalStore();
    return this.#localStore;
  }

  /** Loaded here and not before: most outputs are within limits and need no store. */
  async #openLocalStore(): Promise<ArtifactStore> {
    const { openStore } = await import("../artifacts/open-stores.ts");
    const config = await this.config();
    return openStore({
      root: this.root,
      dir: this.#options.dir ?? this.#environment.dir ?? config?.dir ?? this.#options.defaultDir ?? ARTIFACT_DIR,
      retentionDays:
        this.#options.retentionDays ?? this.#environment.retentionDays ?? config?.retentionDays ?? RETENTION_DAYS,
      quotaBytes: this.#options.quotaBytes ?? config?.quotaBytes,
    });
  }
}

/** A small text that is within limits, as a result; nothing of it is copied. */
function wholeWithin(
  { limits, strategy }: ResolvedLimits,
  text: string,
  options: GovernOptions,
  outcome: Outcome,
): Governed | undefined {
  const chars = text.length;
  if (chars > SMALL_CHARS || chars > limits.maxBytes || chars > limits.maxChars) return undefined;
  if (limits.maxTokens !== Infinity) return undefined;
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.maxBytes) return undefined;
  const lines = countLines(text);
  if (lines > limits.maxLines) return undefined;
  return {
    kind: "whole",
    tool: options.tool || DEFAULT_TOOL,
    callId: options.callId,
    outcome,
    size: { lines, bytes, chars },
    limits,
    strategy: previewStrategy(strategy),
    text,
  };
}

let counter: Promise<(text: string) => number> | undefined;

/** The exact counter, loaded with the first token limit: its tables take time and memory. */
function loadCounter(): Promise<(text: string) => number> {
  counter ??= import("../preview/tokenizer.ts").then(({ loadTokenizer }) => loadTokenizer());
  return counter;
}

/** A summary is the caller's to make; until then both ends are shown. */
function previewStrategy(strategy: ResolvedLimits["strategy"]): Strategy {
  return strategy === "summarize" ? "head_tail" : strategy;
}

/** What the caller says of the ending, unless it says only that all went well, which the source knows better. */
function conclusive(outcome: Outcome | undefined): Outcome | undefined {
  return outcome?.kind === "success" && outcome.cutShort === undefined ? undefined : outcome;
}

function saysOnlyTool(options: GovernOptions): boolean {
  return (
    options.maxLines === undefined &&
    options.maxBytes === undefined &&
    options.maxChars === undefined &&
    options.maxTokens === undefined &&
    options.strategy === undefined &&
    options.toolLimits === undefined &&
    options.aliases === undefined
  );
}

function pickLimits({ maxLines, maxBytes, maxChars, maxTokens, strategy }: SpillwayOptions): GovernOptions {
  return definedOnly({ maxLines, maxBytes, maxChars, maxTokens, strategy });
}

function definedOnly<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
