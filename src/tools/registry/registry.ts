import { z } from "zod";
import { parseJson } from "../../bytes/json/parse-json.ts";
import { type GovernedResponse, governResponse } from "../../gate/observation.ts";
import { outputAttributes } from "../../gate/observe.ts";
import { renderValue } from "../../gate/output.ts";
import type { ReaderOptions } from "../../gate/reader.ts";
import { renderEnvelope } from "../../gate/render/envelope.ts";
import type { GateOptions } from "../../gate/types.ts";
import { toolParameters } from "../../limits/configuration.ts";
import { checkOptions, kinds } from "../../limits/options.ts";
import { failure, type Reduction, sayPartial, ToolFailure } from "../../protocol/builder.ts";
import { fromLegacy } from "../../protocol/from-legacy.ts";
import type { ToolResponse } from "../../protocol/types.ts";
import { checkQuery, type Query } from "../../query/query-context.ts";
import { redactValue, restoreValue } from "../../redact/redact-value.ts";
import { SecretNumbers } from "../../redact/secret-numbers.ts";
import { inSpan, isObserved, measure, secondsSince } from "../../telemetry/telemetry.ts";
import { Sandbox } from "../sandbox/sandbox.ts";
import type { CapturedResult, ToolDefinition, ToolEnvironment } from "./define-tool.ts";
import { createAdvice, failureOf } from "./define-tool.ts";
import { ToolRun } from "./tool-run.ts";

const OPERATION = "execute_tool";

/** Calls a tool inside a span, by the conventions for generative AI. */
async function observeCall(
  tool: string,
  callId: string | undefined,
  work: () => Promise<GovernedResponse>,
): Promise<GovernedResponse> {
  const startedAt = performance.now();
  const named = { "gen_ai.operation.name": OPERATION, "gen_ai.tool.name": tool };
  const attributes = { ...named, "gen_ai.tool.type": "function", "gen_ai.tool.call.id": callId };
  return inSpan(`${OPERATION} ${tool}`, { attributes }, async (span) => {
    const answer = await work();
    const { error } = answer.response;
    if (answer.governed !== undefined) span?.set(outputAttributes(answer.governed));
    span?.set({ "spillway.status": answer.response.status });
    if (error) span?.fail(error.code, error.message);
    measure("gen_ai.execute_tool.duration", secondsSince(startedAt), { ...named, "error.type": error?.code });
    return answer;
  });
}

/** Tools end by themselves when aborted; one that has not after this long is abandoned. */
const GRACE_MS = 800;

/** Waits for a tool, but not longer than a moment after the signal. */
async function endWith<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  let timer: NodeJS.Timeout | undefined;
  let onAbort: () => void = () => {};
  const late = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(new ToolFailure("EXECUTION_ERROR", "The call was aborted.")), GRACE_MS);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

export interface ToolRegistryOptions extends ToolEnvironment {
  /** Paths must lie below it. @default the gate's root */
  readonly root?: string | undefined;
  /** The tools that can be called. */
  readonly tools: readonly ToolDefinition[];
  /** Names of the tools that may be called. @default all */
  readonly allow?: readonly string[] | undefined;
  /** Who reads the results, for hints. @default one that can call these tools */
  readonly reader?: ReaderOptions | undefined;
  /** The session's numbers for secrets, where the gate takes them out. @default numbers of this registry */
  readonly secrets?: SecretNumbers | undefined;
}

export interface ToolCallOptions {
  /** The call's id; the saved output can be found by it. */
  readonly callId?: string | undefined;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
  /** The reader's question, for the smart preview. */
  readonly query?: Query | undefined;
}

/** A tool as the model sees it. */
export interface ToolListing {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  /** JSON Schema of the parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly readOnly: boolean;
}

export interface ToolRegistry {
  /** Runs a tool by name or alias. Always gives a correct, bounded envelope; rejects only for a wrong config file. */
  call(name: string, params: unknown, options?: ToolCallOptions): Promise<GovernedResponse>;
  /** True for the name or alias of a tool that can be called. */
  has(name: string): boolean;
  list(): readonly ToolListing[];
}

const REGISTRY_CHECKS = {
  spillway: kinds.object,
  root: kinds.text,
  tools: kinds.list,
  allow: kinds.texts,
  reader: kinds.object,
  secrets: kinds.object,
  ripgrep: kinds.any,
  allowPrivateAddresses: kinds.flag,
} satisfies Record<keyof ToolRegistryOptions, unknown>;

const CALL_CHECKS = {
  callId: kinds.text,
  signal: kinds.object,
  query: checkQuery,
} satisfies Record<keyof ToolCallOptions, unknown>;

/** Other names under which older callers give a path. */
export const PATH_ALIASES: readonly string[] = ["file_path", "repo_path"];

/** Brings tools together behind one boundary: parameters are checked before, results are bounded after. */
export function createToolRegistry(options: ToolRegistryOptions): ToolRegistry {
  const { spillway } = checkOptions(options, REGISTRY_CHECKS, "createToolRegistry()", { needs: ["spillway", "tools"] });
  const root = options.root ?? spillway.root;
  const tools = options.tools.filter((tool) => options.allow === undefined || options.allow.includes(tool.name));
  const byName = new Map(tools.flatMap((tool) => [tool.name, ...(tool.aliases ?? [])].map((name) => [name, tool])));
  const seen = new Map<string, string>();
  const reader = { tools: tools.map((tool) => tool.name), byId: byName.get("Read")?.findsArtifacts, ...options.reader };
  const advise = createAdvice(options.tools.filter((tool) => !tools.includes(tool)));
  const secrets = options.secrets ?? new SecretNumbers();
  let sandbox: Sandbox | undefined;

  async function call(given: string, params: unknown, callOptions: ToolCallOptions = {}): Promise<GovernedResponse> {
    const name = typeof given === "string" ? given : `(${typeof given})`;
    checkOptions(callOptions, CALL_CHECKS, "call()");
    const work = () => perform(name, params, callOptions);
    return isObserved() ? observeCall(name, callOptions.callId, work) : work();
  }

  async function perform(name: string, params: unknown, callOptions: ToolCallOptions): Promise<GovernedResponse> {
    const tool = byName.get(name);
    if (tool === undefined) {
      const redaction = await spillway.redaction();
      const told = redaction === undefined ? params : redactValue(redaction, params, secrets).value;
      return { response: unknownTool(name, told, tools) };
    }
    const paramsInput = describeParams(params, tool.redact);
    const govern: GateOptions = {
      tool: name,
      callId: callOptions.callId,
      signal: callOptions.signal,
      query: callOptions.query,
      aliases: [tool.name, ...(tool.aliases ?? [])],
      toolLimits: tool.limits,
      secrets,
      ...reader,
    };
    const redaction = await spillway.redaction();
    const startedAt = performance.now();
    let result: unknown;
    try {
      sandbox ??= await Sandbox.create(root);
      const defaults = toolParameters(await spillway.config(), [name, tool.name]);
      const restores = (redaction !== undefined || secrets.used) && !keepsPlaceholders(tool);
      const given = restores ? restoreParams(tool, params, secrets) : params;
      const args = parseParams(tool, given, defaults);
      const run = new ToolRun({ sandbox, environment: options, calledAs: name, paramsInput, govern, seen, advise });
      const running = tool.execute(args, run);
      // A tool that changes something finishes, and then reports the actual result.
      result = await (tool.readOnly ? endWith(callOptions.signal, running) : running);
      if (isCaptured(result)) {
        const response = render(result, run, spillway.root);
        const shown = redaction ? (redactValue(redaction, response, secrets).value as ToolResponse) : response;
        return { response: shown, governed: result.governed };
      }
    } catch (thrown) {
      result = failureOf(thrown, tool, root, advise);
    }
    const timeMs = Math.round(performance.now() - startedAt);
    // A tool written for an older interface may return values that its types do not allow.
    const response = fromLegacy(result, { timeMs, context: { cwd: ".", params_input: paramsInput } });
    return governResponse(spillway, name, response, { ...govern, echoesParams: true });
  }

  return { call, has: (name) => byName.has(name), list: () => tools.map(listing) };
}

/** A reader may search saved output for the placeholder itself; a permission prompt must not show the secret. */
function keepsPlaceholders(tool: ToolDefinition): boolean {
  return tool.readOnly || tool.asksModel === true;
}

/** The parameters with the session's secrets in them: a placeholder must never reach a file or a command. */
function restoreParams(tool: ToolDefinition, params: unknown, secrets: SecretNumbers): unknown {
  const { value, unknown } = restoreValue(params, secrets);
  if (unknown.length === 0) return value;
  throw new ToolFailure(
    "CONFLICT",
    `${tool.name}: what ${unknown.slice(0, 5).join(", ")} ${unknown.length === 1 ? "stands" : "stand"} for is not known in this session; nothing was done.`,
    { next: "Read the secret's source again, or let the user put it there.", data: { applied: false } },
  );
}

function isCaptured(result: unknown): result is CapturedResult {
  return typeof result === "object" && result !== null && "governed" in result;
}

function render(result: CapturedResult, run: ToolRun, root: string): ToolResponse {
  const { governed, data = {}, stats = {}, cwd, pathResolved, error, incomplete } = result;
  const next = incomplete && run.advise(incomplete.next);
  const reduced = { ...data, truncated: incomplete?.cut ?? true } as Reduction;
  const text =
    incomplete === undefined
      ? result.text
      : sayPartial({ data: reduced, text: result.text, because: incomplete.because, next: next ?? "" });
  const envelope = renderEnvelope(governed, {
    root,
    text,
    data,
    stats: run.stats(stats),
    context: run.context({
      ...(cwd === undefined ? {} : { cwd }),
      ...(pathResolved === undefined ? {} : { path_resolved: pathResolved }),
    }),
    ...(error === undefined ? {} : { error }),
    ...(result.next === undefined ? {} : { next: run.advise(result.next) }),
  });
  if (incomplete === undefined || envelope.status !== "success") return envelope;
  return { ...envelope, status: "partial", data: { ...envelope.data, truncated: incomplete.cut ?? true } };
}

function listing(tool: ToolDefinition): ToolListing {
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.parameters, { io: "input" });
  const { name, aliases = [], description, readOnly } = tool;
  return { name, aliases, description, parameters, readOnly };
}

function parseParams(tool: ToolDefinition, params: unknown, defaults: Readonly<Record<string, unknown>> = {}): never {
  const given: unknown = params === undefined || params === null ? {} : params;
  const isObject = typeof given === "object" && !Array.isArray(given);
  const known = Object.keys(tool.parameters.shape);
  const fitting = Object.fromEntries(Object.entries(defaults).filter(([key]) => known.includes(key)));
  const candidate = isObject ? { ...fitting, ...withPath(given as Record<string, unknown>, known) } : given;
  const parsed = tool.parameters.safeParse(candidate);
  if (parsed.success) return parsed.data as never;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "parameters"}: ${message}`);
  throw new ToolFailure("INVALID_PARAM", `${tool.name}: ${problems.join("; ")}.`, {
    next: `Correct it; ${tool.name} takes ${known.join(", ")}.`,
  });
}

function withPath(given: Record<string, unknown>, known: readonly string[]): Record<string, unknown> {
  const alias = PATH_ALIASES.find((name) => name in given);
  if (alias === undefined || !known.includes("path") || "path" in given) return given;
  const { [alias]: path, ...rest } = given;
  return { ...rest, path };
}

function unknownTool(name: string, params: unknown, tools: readonly ToolDefinition[]): ToolResponse {
  return failure("NOT_FOUND", `There is no tool ${name.slice(0, 200)}.`, {
    next: `Call one of these: ${tools.map((tool) => tool.name).join(", ")}.`,
    stats: { time_ms: 0 },
    context: { cwd: ".", params_input: describeParams(params, undefined) },
  });
}

type Redact = (params: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/** The value of `context.params_input`: the parameters as given, with secrets replaced by the tool's mark. */
function describeParams(params: unknown, redact: Redact | undefined): unknown {
  if (params === undefined || params === null) return {};
  const isObject = typeof params === "object" && !Array.isArray(params);
  const told = isObject && redact !== undefined ? redact(params as Record<string, unknown>) : params;
  return isJson(told) ? told : (parseJson(renderValue(told)) ?? renderValue(told));
}

/** True for JSON values; cycles, big integers and functions are converted to text instead. */
function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined && !holdsOther(value);
  } catch {
    return false;
  }
}

function holdsOther(value: unknown): boolean {
  if (typeof value !== "object" || value === null)
    return !["string", "number", "boolean", "object"].includes(typeof value);
  const plain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
  return !plain || Object.values(value).some((item) => item !== undefined && holdsOther(item));
}
