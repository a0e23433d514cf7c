import type { z } from "zod";
import { ownValue } from "../../bytes/own-value.ts";
import { messageOf } from "../../errors.ts";
import { relativeTo } from "../../gate/render/hint-text.ts";
import type { Governed, Spillway } from "../../gate/types.ts";
import { checkOptions, kinds, LIMIT_CHECKS } from "../../limits/options.ts";
import type { LimitOptions } from "../../limits/types.ts";
import { ToolFailure } from "../../protocol/builder.ts";
import { errorCodeOf } from "../../protocol/error-code.ts";
import type { ToolError, ToolResponse } from "../../protocol/types.ts";
import type { ToolRun } from "./tool-run.ts";

/** Removes advice that names unavailable tools. */
export type Advice = (next: string) => string;

/** Makes advice that never sends a model to the hidden tools. */
export function createAdvice(hidden: readonly ToolDefinition[]): Advice {
  if (hidden.length === 0) return (next) => next;
  const names = new Set(hidden.flatMap((tool) => [tool.name, ...(tool.aliases ?? [])]));
  const isHidden = (text: string) => text.split(/[^\w-]+/).some((word) => names.has(word));
  return (next) => {
    if (!isHidden(next)) return next;
    const kept = next.split(/(?<=[.;]) /).filter((clause) => !isHidden(clause));
    return kept.join(" ").replace(/;$/, ".");
  };
}

/** The page of a list that a tool shows, from a 1-based offset. */
export interface ShownPage {
  readonly offset: number;
  readonly limit: number;
  readonly shown: number;
  readonly total: number;
  /** True when all of the list would be shown whole. */
  readonly fits: boolean;
}

/** The call for the remaining items: all of them, or the next page, or the first. */
export function nextPage(tool: string, params: object, { offset, limit, shown, total, fits }: ShownPage): string {
  const end = offset - 1 + shown;
  const call = (more: object): string => `${tool} ${JSON.stringify({ ...params, ...more })}`;
  if (fits) return `${call({ limit: total })} shows all`;
  return end < total ? `${call({ offset: end + 1, limit })} shows the next` : `${call({ limit })} shows the first`;
}

const NEXT: Readonly<Record<string, string>> = {
  NOT_FOUND: 'See what is there with LS {"path":"."}.',
  PERMISSION_DENIED: "Use what this user may access, or change the permissions first.",
  TIMEOUT: "Narrow the request, or give it more time.",
  EXECUTION_ERROR: "Find out what the system lacks before trying again.",
  INTERNAL_ERROR: "This is a fault of the tool; try another way.",
};

/** Converts an exception to a failure with a next step, without paths of this machine. */
export function failureOf(thrown: unknown, tool: ToolDefinition, root: string, advise: Advice): ToolFailure {
  const isFailure = thrown instanceof ToolFailure;
  const code = isFailure ? thrown.code : errorCodeOf(thrown);
  const own = `Check the parameters of ${tool.name}.`;
  const next = advise((isFailure ? thrown.next : ownValue(NEXT, code)) ?? own) || own;
  const message = isFailure ? thrown.message : plainMessage(thrown, root);
  return new ToolFailure(code, message, { next, data: isFailure ? thrown.data : {}, cause: thrown });
}

function plainMessage(thrown: unknown, root: string): string {
  const message = messageOf(thrown);
  const [, errno, words, action] = /^(E[A-Z0-9]+): (.*?), (\w+)/.exec(message) ?? [];
  if (errno !== undefined && words !== undefined) {
    const { path } = thrown as NodeJS.ErrnoException;
    const of = path === undefined || /^\/(?:proc|dev)\//.test(path) ? "" : `: '${relativeTo(root, path)}'`;
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}${of} (${errno} on ${action}).`;
  }
  const plain = message.replaceAll(`${root}/`, "").trim() || "The tool failed without saying why.";
  return /[.!?]$/.test(plain) ? plain : `${plain}.`;
}

/** A result that was streamed through the gate; the registry renders it. */
export interface CapturedResult {
  readonly governed: Governed;
  /** The result in words; the outcome is appended unless it succeeded. */
  readonly text: string;
  /** The next step after a failure. */
  readonly next?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly stats?: Readonly<Record<string, number | string>>;
  /** Working directory relative to the root. @default "." */
  readonly cwd?: string | undefined;
  readonly pathResolved?: string | undefined;
  readonly error?: ToolError | undefined;
  /** Set when the tool could do less than asked: the result is partial also when it is within the limits. */
  readonly incomplete?:
    | {
        readonly because: string;
        readonly next: string;
        /** False when nothing is missing, and `data` says in which other way it was done. @default true */
        readonly cut?: boolean;
      }
    | undefined;
}

/** A tool. It needs no truncation code: every result passes the gate. */
export interface ToolDefinition<Parameters extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** Other names of the tool; limits in the configuration may use these. */
  readonly aliases?: readonly string[];
  /** For the model: short, with its limits. */
  readonly description: string;
  readonly parameters: Parameters;
  /** Limits that apply unless the config file says otherwise. */
  readonly limits?: LimitOptions;
  /** True when a call can change nothing. */
  readonly readOnly: boolean;
  /** True for a tool that gives its parameters to a model; placeholders of secrets in them stay. @default false */
  readonly asksModel?: boolean;
  /** True for a reader of files that takes the id of a saved output for a path; hints then name the id. @default false */
  readonly findsArtifacts?: boolean;
  /** What stands in `context.params_input` instead of the parameters; must not throw. @default the parameters */
  readonly redact?: (params: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** Returns an envelope or a captured result; whatever it throws becomes an error envelope. */
  execute(args: z.output<Parameters>, run: ToolRun): Promise<ToolResponse | CapturedResult>;
}

const DEFINITION_CHECKS = {
  name: kinds.text,
  aliases: kinds.texts,
  description: kinds.text,
  parameters: kinds.having("a zod object", "shape", "safeParse"),
  limits: (value: unknown, name: string) => void checkOptions(value as object, LIMIT_CHECKS, `${name} of defineTool()`),
  readOnly: kinds.flag,
  asksModel: kinds.flag,
  findsArtifacts: kinds.flag,
  redact: kinds.call,
  execute: kinds.call,
} satisfies Record<keyof ToolDefinition, unknown>;

/** Defines a tool; the types of `execute` follow from the parameters. */
export function defineTool<Parameters extends z.ZodObject>(definition: ToolDefinition<Parameters>): ToolDefinition {
  const needs = ["name", "description", "parameters", "execute"] as const;
  checkOptions(definition, DEFINITION_CHECKS, "defineTool()", { needs });
  return definition as unknown as ToolDefinition;
}

/** State shared by the tools of one registry. */
export interface ToolEnvironment {
  /** The gate that results pass. */
  readonly spillway: Spillway;
  /** Path of ripgrep; null to search in JavaScript. @default the one that comes with the package */
  readonly ripgrep?: string | null | undefined;
  /** Lets WebFetch reach loopback, private and link-local addresses. @default false */
  readonly allowPrivateAddresses?: boolean | undefined;
}
