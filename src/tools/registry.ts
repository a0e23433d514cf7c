import { z } from "zod";
import { governResponse } from "../gate/observation.ts";
import type { ReaderOptions } from "../gate/reader.ts";
import { renderEnvelope } from "../gate/render/envelope.ts";
import type { GovernOptions } from "../gate/types.ts";
import { failure, type Reduction, sayPartial } from "../protocol/builder.ts";
import { fromLegacy } from "../protocol/from-legacy.ts";
import { ToolFailure } from "../protocol/tool-failure.ts";
import type { ToolResponse } from "../protocol/types.ts";
import { createAdvice } from "./advice.ts";
import type { CapturedResult, ToolDefinition, ToolEnvironment } from "./define-tool.ts";
import { describeParams } from "./describe-params.ts";
import { failureOf } from "./failure-of.ts";
import { Sandbox } from "./sandbox.ts";
import { ToolRun } from "./tool-run.ts";

export interface ToolRegistryOptions extends ToolEnvironment {
  /** Paths must lie below it. @default the gate's root */
  readonly root?: string | undefined;
  readonly tools: readonly ToolDefinition[];
  /** Names of the tools that may be called. @default all */
  readonly allow?: readonly string[] | undefined;
  /** Who reads the results, for hints. @default one that can call these tools */
  readonly reader?: ReaderOptions | undefined;
}

export interface ToolCallOptions {
  readonly callId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The reader's question, for the smart preview. */
  readonly query?: string | undefined;
}

/** A tool as a model is told of it. */
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
  call(name: string, params: unknown, options?: ToolCallOptions): Promise<ToolResponse>;
  /** True for the name or alias of a tool that can be called. */
  has(name: string): boolean;
  list(): readonly ToolListing[];
}

/** Other names under which older callers give a path. */
const PATH_ALIASES = ["file_path", "repo_path"];

/** Brings tools together behind one boundary: parameters are checked before, results are bounded after. */
export function createToolRegistry(options: ToolRegistryOptions): ToolRegistry {
  const { spillway } = options;
  const root = options.root ?? spillway.root;
  const tools = options.tools.filter((tool) => options.allow === undefined || options.allow.includes(tool.name));
  const byName = new Map(tools.flatMap((tool) => [tool.name, ...(tool.aliases ?? [])].map((name) => [name, tool])));
  const seen = new Map<string, string>();
  const reader = { tools: tools.map((tool) => tool.name), byId: byName.get("Read")?.findsArtifacts, ...options.reader };
  const advise = createAdvice(options.tools.filter((tool) => !tools.includes(tool)));
  let sandbox: Sandbox | undefined;

  async function call(name: string, params: unknown, callOptions: ToolCallOptions = {}): Promise<ToolResponse> {
    const tool = byName.get(name);
    if (tool === undefined) return unknownTool(name, params, tools);
    const paramsInput = describeParams(params, tool.redact);
    const govern: GovernOptions = {
      tool: name,
      callId: callOptions.callId,
      signal: callOptions.signal,
      query: callOptions.query,
      aliases: [tool.name, ...(tool.aliases ?? [])],
      toolLimits: tool.limits,
      ...reader,
    };
    const startedAt = performance.now();
    let result: unknown;
    try {
      sandbox ??= await Sandbox.create(root);
      const configured = (await spillway.config())?.tools;
      const args = parseParams(tool, params, (configured?.[name] ?? configured?.[tool.name])?.parameters);
      const run = new ToolRun({ sandbox, environment: options, calledAs: name, paramsInput, govern, seen, advise });
      result = await tool.execute(args, run);
      if (isCaptured(result)) return render(result, run, spillway.root);
    } catch (thrown) {
      result = failureOf(thrown, tool, root, advise);
    }
    const timeMs = Math.round(performance.now() - startedAt);
    // A tool written for an older form may return what the types do not allow.
    const response = fromLegacy(result, { timeMs, context: { cwd: ".", params_input: paramsInput } });
    return governResponse(spillway, name, response, govern);
  }

  return { call, has: (name) => byName.has(name), list: () => tools.map(listing) };
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
    next: `${tool.name} takes ${known.join(", ")}.`,
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
    next: `Tools: ${tools.map((tool) => tool.name).join(", ")}.`,
    stats: { time_ms: 0 },
    context: { cwd: ".", params_input: describeParams(params, undefined) },
  });
}
