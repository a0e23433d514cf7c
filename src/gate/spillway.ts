import type { ChildProcess } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";
import { DeferredStore } from "../artifacts/routed-store.ts";
import type { ArtifactStore } from "../artifacts/types.ts";
import { invalidArgument } from "../errors.ts";
import { type Configuration, readConfiguration } from "../limits/configuration.ts";
import { readEnvironment } from "../limits/environment.ts";
import { checkOptions, definedOnly } from "../limits/options.ts";
import type { ResolvedLimits } from "../limits/resolve.ts";
import type { Strategy } from "../limits/types.ts";
import { isUnasked, queryText } from "../query/query-context.ts";
import type { Redaction } from "../redact/redaction.ts";
import { SecretNumbers } from "../redact/secret-numbers.ts";
import { isObserved } from "../telemetry/telemetry.ts";
import { CallLimits, DEFAULT_TOOL, markersFor, previewStrategy, SMALL_CHARS, wholeWithin } from "./call-limits.ts";
import { type CaptureContext, countsOf, OutputCapture } from "./capture.ts";
import { type Clean, cleanerOf, type Redacted, redactedField } from "./clean.ts";
import { keptCommand } from "./command-line.ts";
import { GateRedaction } from "./gate-redaction.ts";
import { governProcess } from "./govern-process.ts";
import { governStructure, type StructureGate } from "./govern-structure.ts";
import { keep } from "./keep.ts";
import { Ledger } from "./ledger.ts";
import { observeCapture, observeGovern } from "./observe.ts";
import { cleanUp, openConfiguredStore } from "./open-configured-store.ts";
import { GOVERN_CHECKS, SPILLWAY_CHECKS } from "./option-checks.ts";
import { feed, takeOutput } from "./output.ts";
import { resolveReader } from "./reader.ts";
import type { ToolCounters } from "./records.ts";
import { savedBefore } from "./records.ts";
import { checkGoverned } from "./render/notice.ts";
import { tokenCounterFor } from "./token-counter.ts";
import type {
  Capture,
  ExecOptions,
  GateOptions,
  GateSetup,
  Governed,
  GovernProcessOptions,
  KeepOptions,
  Kept,
  Outcome,
  Output,
  ProcessResult,
  Shown,
  Spillway,
  SpillwayOptions,
} from "./types.ts";

const STORE_TIMEOUT_MS = 60_000;

/** Makes a gate: the one boundary that every tool result passes. */
export function createSpillway(options: SpillwayOptions = {}): Spillway {
  return createGate(checkOptions(options, SPILLWAY_CHECKS, "createSpillway()"));
}

/** A gate that can tell at once of a small text that nothing is to be done. */
export interface QuickGate extends Spillway {
  /** Counts a text that is within the limits of its tool where these are known; false says nothing. */
  passes(text: string, tool: string): boolean;
}

/** The same for modules that have another strategy where nothing says one. */
export function createGate(options: GateSetup, defaultStrategy: Strategy = "smart"): QuickGate {
  const { root } = options;
  if (root !== undefined && statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw invalidArgument(`root must be a folder that exists, not ${JSON.stringify(root)}.`);
  }
  return new Gate(options, defaultStrategy);
}

class Gate implements QuickGate {
  readonly root: string;
  readonly store: ArtifactStore;
  readonly #options: GateSetup;
  readonly #ledger: Ledger;
  readonly #environment: ReturnType<typeof readEnvironment>;
  readonly #limits: CallLimits;
  #config: Promise<Configuration> | undefined;
  #localStore: Promise<ArtifactStore> | undefined;
  readonly #redaction: GateRedaction;

  constructor(options: GateSetup, defaultStrategy: Strategy) {
    this.root = path.resolve(options.root ?? process.cwd());
    this.#options = options;
    this.#environment = readEnvironment(options.env ?? process.env);
    this.#redaction = new GateRedaction(options, () => this.config());
    this.#limits = new CallLimits({
      gate: options,
      environment: this.#environment,
      defaultStrategy,
      files: async () => {
        // Whether a small text may pass at once is known with the limits.
        await this.redaction();
        return (await this.config()).files;
      },
    });
    this.#ledger = new Ledger({
      root: this.root,
      surface: options.surface,
      logger: options.logger,
      records: options.records,
    });
    if (options.dir === "") throw invalidArgument("The artifact folder must not be empty.");
    this.store = typeof options.store === "object" ? options.store : new DeferredStore(() => this.#openStore());
  }

  config(): Promise<Configuration> {
    this.#config ??= readConfiguration(this.root, this.#options.config);
    return this.#config;
  }

  async limits(options: GateOptions = {}): Promise<ResolvedLimits> {
    checkOptions(options, GOVERN_CHECKS, "govern()");
    return this.#limits.resolve(options);
  }

  passes(text: string, tool: string): boolean {
    const usual = this.#limits.known({ tool });
    if (usual === undefined || !this.#redaction.leavesSecrets || isObserved()) return false;
    const whole = wholeWithin(usual, text, { tool }, { kind: "success" });
    if (whole !== undefined) this.#ledger.add(whole);
    return whole !== undefined;
  }

  noteRedacted(tool: string, redacted: Redacted): void {
    this.#ledger.addRedacted(tool, redacted);
  }

  redaction(): Promise<Redaction | undefined> {
    return this.#redaction.load();
  }

  async exec(
    command: string,
    args: readonly string[] | ExecOptions = {},
    options: ExecOptions = {},
  ): Promise<ProcessResult> {
    const { exec } = await import("./exec.ts");
    const [argv, asked] = Array.isArray(args) ? [args, options] : [undefined, args as ExecOptions];
    return exec((given) => this.#openClean(given), command, argv, asked);
  }

  async governProcess(child: ChildProcess, options: GovernProcessOptions = {}): Promise<ProcessResult> {
    return governProcess((given) => this.#openClean(given), child, options);
  }

  async capture(options: GateOptions = {}): Promise<Capture> {
    return isObserved() ? observeCapture(options, this.#surface, () => this.#capture(options)) : this.#capture(options);
  }

  async govern(given: Output, asked: GateOptions = {}): Promise<Governed> {
    return isObserved()
      ? observeGovern(asked, this.#surface, () => this.#govern(given, asked))
      : this.#govern(given, asked);
  }

  async #capture(given: GateOptions): Promise<Capture> {
    const options = await this.#redaction.clean(given);
    const redaction = await this.redaction();
    const context = await this.#contextFor(options, "txt");
    if (redaction === undefined) return new OutputCapture(context);
    const clean = cleanerOf(redaction, options.secrets);
    return new OutputCapture({ ...context, redactor: redaction.stream(options.secrets), clean });
  }

  /** A capture, and the redactor for messages about it. */
  async #openClean(given: GateOptions): Promise<readonly [Capture, Clean]> {
    const secrets = given.secrets ?? new SecretNumbers();
    return [await this.capture({ ...given, secrets }), cleanerOf(await this.redaction(), secrets)];
  }

  /** A small text whose limits are known: the fast path for most results. */
  #passSmall(text: string, asked: GateOptions): Governed | undefined {
    const known = this.#redaction.leavesSecrets ? this.#limits.known(asked) : undefined;
    if (known === undefined || asked.redacted !== undefined) return undefined;
    checkOptions(asked, GOVERN_CHECKS, "govern()");
    const whole = wholeWithin(known, text, asked, conclusive(asked.outcome) ?? { kind: "success" });
    if (whole !== undefined && asked.counted !== false) this.#ledger.add(whole);
    return whole;
  }

  async #govern(given: Output, asked: GateOptions): Promise<Governed> {
    const small = typeof given === "string" ? this.#passSmall(given, asked) : undefined;
    if (small !== undefined) return small;
    const { output, says } = takeOutput(given);
    // The caller's outcome wins, except that a plain success does not override the source.
    const outcome = conclusive(asked.outcome) ?? says.outcome;
    const told = { ...says, ...definedOnly(asked), ...(outcome === undefined ? {} : { outcome }) };
    const options = this.#redaction.leavesSecrets ? told : await this.#redaction.clean(told);
    if (typeof output === "object" && "value" in output) return governStructure(this.#insides, output.value, options);
    if (typeof output === "string") return this.#governText(output, options, "txt");
    const capture = await this.#capture(options);
    const ended = await feed(capture, output, options.signal);
    return capture.finish(conclusive(options.outcome) ?? ended);
  }

  stats(): Readonly<Record<string, ToolCounters>> {
    return this.#ledger.counters;
  }

  async keep(given: Output, options: KeepOptions = {}): Promise<Kept> {
    const { store } = this;
    return keep(given, options, { store, storeTimeoutMs: this.#storeTimeoutMs, redaction: () => this.redaction() });
  }

  record(result: Governed, shown?: Shown): void {
    checkGoverned(result, "record()");
    this.#ledger.add(result, shown);
  }

  async flush(): Promise<void> {
    await this.#ledger.flush();
  }

  get #insides(): StructureGate {
    return {
      redaction: () => this.redaction(),
      limits: (options) => this.limits(options),
      contextFor: (options, extension) => this.#contextFor(options, extension),
      governText: (text, options, extension, redacted) => this.#governText(text, options, extension, redacted),
    };
  }

  /** `known` counts redactions that were made before. */
  async #governText(given: string, options: GateOptions, extension: string, known?: Redacted): Promise<Governed> {
    const outcome = options.outcome ?? { kind: "success" };
    const redaction = known === undefined ? await this.redaction() : undefined;
    const small = redaction !== undefined && given.length <= SMALL_CHARS;
    const redactor = small ? undefined : redaction?.stream(options.secrets);
    const { text, counts } = small
      ? await redaction.textInTurns(given, options.secrets)
      : { text: given, counts: undefined };
    const redacted = redactedField(known ?? options.redacted ?? countsOf(counts));
    const whole = redactor === undefined ? wholeWithin(await this.limits(options), text, options, outcome) : undefined;
    if (whole !== undefined) {
      const result = { ...whole, ...redacted };
      if (options.counted !== false) this.#ledger.add(result);
      return result;
    }
    const context = await this.#contextFor(options, extension);
    const capture = new OutputCapture({ ...context, ...redacted, redactor, expectedBytes: text.length });
    await feed(capture, text, options.signal);
    const governed = await capture.finish(outcome);
    if (governed.kind === "bounded" || redactor !== undefined) return governed;
    const { bytes: _, ...rest } = governed;
    return { ...rest, text };
  }

  async #contextFor(options: GateOptions, extension: string): Promise<CaptureContext> {
    const { limits, strategy } = await this.limits(options);
    return {
      tool: options.tool || DEFAULT_TOOL,
      callId: options.callId,
      command: keptCommand(options.commandLine),
      extension: options.extension ?? extension,
      // A file that another program wrote may hold secrets.
      adopt: (await this.redaction()) === undefined ? options.adopt : undefined,
      query: queryText(options.query),
      unasked: isUnasked(options.query),
      limits,
      strategy: previewStrategy(strategy),
      reader: resolveReader(options, this.#options),
      store: options.savedAs === undefined ? this.store : savedBefore(options.savedAs),
      storeTimeoutMs: this.#storeTimeoutMs,
      countTokens:
        limits.maxTokens === Infinity ? undefined : (this.#options.countTokens ?? (await tokenCounterFor(limits))),
      words: this.#options.hint,
      markers: markersFor(options, this.#options, strategy),
      surface: this.#surface,
      onFinish: (result) => {
        if (options.counted !== false) this.#ledger.add(result);
        if (result.kind === "bounded" && options.savedAs === undefined)
          void this.#openStore().then(cleanUp, () => undefined);
      },
    };
  }

  get #storeTimeoutMs(): number {
    return this.#options.storeTimeoutMs ?? STORE_TIMEOUT_MS;
  }

  /** The caller, for records. */
  get #surface(): string {
    return this.#options.surface ?? "sdk";
  }

  #openStore(): Promise<ArtifactStore> {
    if (typeof this.#options.store === "object") return Promise.resolve(this.#options.store);
    this.#localStore ??= this.config().then((config) =>
      openConfiguredStore(this.root, this.#options, this.#environment, config),
    );
    return this.#localStore;
  }
}

/** The caller's outcome, unless it is a plain success, which the source knows better. */
function conclusive(outcome: Outcome | undefined): Outcome | undefined {
  return outcome?.kind === "success" && outcome.cutShort === undefined ? undefined : outcome;
}
