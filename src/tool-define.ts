import { isObject } from "./bytes/json/is-object.ts";
import type { PermissionRule } from "./gate/permissions.ts";
import { outcomeOfResponse } from "./gate/verdict.ts";
import { checkOptions, kinds, pickStrategy } from "./limits/options.ts";
import type { Outcome } from "./protocol/outcome.ts";
import { TRUNCATE_LIMIT_CHECKS, type TruncateAgent, type TruncateOptions, truncateOutput } from "./truncate.ts";

/** What a tool is set up with. */
export interface ToolInitContext {
  readonly agent?: { readonly permission?: readonly PermissionRule[] | undefined } | undefined;
}

/** What hosts usually pass to a tool beside its parameters; yours may pass anything else. */
export interface ToolCallContext {
  /** The call's id, part of the saved file's name. */
  readonly callID?: string | undefined;
  readonly sessionID?: string | undefined;
  readonly messageID?: string | undefined;
  readonly abort?: AbortSignal | undefined;
  /** Whatever else the host says, such as the agent, for `Truncate.output`. */
  readonly extra?: { readonly agent?: TruncateAgent | undefined; readonly [key: string]: unknown } | undefined;
}

/** What a tool of `Tool.define` gives: `output` is the text that is bounded. */
export interface TextToolResult<Metadata extends Record<string, unknown> = Record<string, unknown>> {
  readonly title: string;
  readonly output: string;
  readonly metadata: Metadata;
}

/** The part of a zod schema that is needed here, so that this module loads no zod. */
export interface ParameterSchema<Parameters> {
  parse(value: unknown): Parameters;
}

/** The limits of a definition rank below the config file's `tools.ID`. */
export interface TextToolDefinition<Parameters, Metadata extends Record<string, unknown>, Context>
  extends Omit<TruncateOptions, "tool" | "callId"> {
  readonly description: string;
  readonly parameters: ParameterSchema<Parameters>;
  execute(parameters: Parameters, context: Context): Promise<TextToolResult<Metadata>> | TextToolResult<Metadata>;
}

/** A definition whose results are validated, executed and bounded. */
export interface DefinedTool<Parameters, Context> {
  readonly description: string;
  readonly parameters: ParameterSchema<Parameters>;
  execute(parameters: Parameters, context: Context): Promise<TextToolResult>;
}

export interface ToolInfo<Parameters, Context> {
  readonly id: string;
  init(context?: ToolInitContext): Promise<DefinedTool<Parameters, Context>>;
}

/** Defines a tool whose output is bounded by itself; one that sets `metadata.truncated` has done its own. */
function define<Parameters, Metadata extends Record<string, unknown>, Context = ToolCallContext>(
  id: string,
  definition:
    | TextToolDefinition<Parameters, Metadata, Context>
    | ((
        context?: ToolInitContext,
      ) =>
        | Promise<TextToolDefinition<Parameters, Metadata, Context>>
        | TextToolDefinition<Parameters, Metadata, Context>),
): ToolInfo<Parameters, Context> {
  if (typeof definition !== "function") checkDefinition(definition);
  return {
    id,
    async init(initContext) {
      const tool = typeof definition === "function" ? checkDefinition(await definition(initContext)) : definition;
      return {
        ...tool,
        async execute(given, context) {
          const result = await tool.execute(tool.parameters.parse(given), context);
          kinds.having("{ title, output, metadata }", "output")(result, `What the tool ${id} gives`);
          if (result.metadata?.truncated !== undefined) return result;
          const call = { tool: id, callId: callIdOf(context) };
          const outcome = outcomeOfMetadata(result.metadata);
          const { content, ...facts } = await truncateOutput(result.output, call, initContext?.agent, tool, outcome);
          return { ...result, output: content, metadata: { ...result.metadata, ...facts } };
        },
      };
    },
  };
}

/** How the call ended, by what tools usually say of it. */
function outcomeOfMetadata(metadata: Readonly<Record<string, unknown>> = {}): Outcome {
  const { error, isError } = metadata;
  const message = typeof error === "string" ? error : isObject(error) ? String(error.message ?? "") : "";
  if (isError === true || error === true || message !== "") return { kind: "failure", message };
  return outcomeOfResponse({ data: metadata });
}

const DEFINITION_CHECKS = {
  ...TRUNCATE_LIMIT_CHECKS,
  description: kinds.text,
  parameters: kinds.object,
  execute: kinds.call,
};

function checkDefinition<T extends Pick<TruncateOptions, "strategy" | "direction">>(definition: T): T {
  pickStrategy(checkOptions(definition, DEFINITION_CHECKS, "Tool.define()", { ownFields: true }));
  return definition;
}

function callIdOf(context: unknown): string | undefined {
  const fields = typeof context === "object" && context !== null ? (context as Record<string, unknown>) : {};
  const id = fields.callID ?? fields.callId;
  return typeof id === "string" ? id : undefined;
}

export const Tool = { define } as const;

/** The types of the module by its own names. */
export declare namespace Tool {
  export type Context = ToolCallContext;
  export type Info<Parameters = unknown, CallContext = ToolCallContext> = ToolInfo<Parameters, CallContext>;
}
