import { invalidArgument } from "../errors.ts";
import { kinds } from "../limits/options.ts";
import type { AnyErrorCode, ToolContext, ToolResponse, ToolStats } from "./types.ts";
import { validateToolResponse } from "./validate.ts";

export interface ToolFailureOptions {
  /** The next step as a sentence; names calls that work. */
  readonly next?: string | undefined;
  /** Facts that are known despite the failure. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** The original error. */
  readonly cause?: unknown;
}

/** Thrown inside a tool to end it with status "error"; it becomes an envelope, it never leaves the tool. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly code: AnyErrorCode;
  readonly next: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: AnyErrorCode, message: string, options: ToolFailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.next = options.next;
    this.data = options.data ?? {};
  }
}

interface EnvelopeParts {
  readonly stats: ToolStats;
  readonly context: ToolContext;
}

/** Data of a complete result: whatever makes a result partial cannot be written here. */
export interface CompleteData {
  readonly truncated?: false;
  readonly fallback?: never;
  readonly applied?: true;
  readonly failed_items?: never;
  readonly [key: string]: unknown;
}

/** Why a result is less than requested: at least one of these is in `data`. */
export type Reduction =
  | { readonly truncated: true }
  | { readonly fallback: string }
  | { readonly applied: false }
  | { readonly failed_items: readonly [unknown, ...unknown[]] };

export interface SuccessParts extends EnvelopeParts {
  readonly data: CompleteData;
  /** What was done, and with which result. */
  readonly text: string;
}

export interface PartialParts extends EnvelopeParts {
  readonly data: Readonly<Record<string, unknown>> & Reduction;
  /** What was done, and with which result. */
  readonly text: string;
  /** Why the result is not complete. */
  readonly because: string;
  /** The next call. */
  readonly next: string;
}

export interface FailureParts extends EnvelopeParts {
  /** What is known all the same. @default {} */
  readonly data?: Readonly<Record<string, unknown>>;
  /** What was tried, and with what result. @default the message */
  readonly text?: string;
  /** What to call next. @default none */
  readonly next?: string | undefined;
}

/** An envelope for a complete, unreduced result. */
export function success(parts: SuccessParts): ToolResponse {
  checkParts(parts, "success()", ["data", "text"]);
  return checked({ status: "success", data: { ...parts.data }, text: parts.text, ...copyOf(parts) });
}

/** An envelope for a usable result that is less than requested; `text` gets the reason and the next step. */
export function partial(parts: PartialParts): ToolResponse {
  checkParts(parts, "partial()", ["data", "text", "because", "next"]);
  return checked({ status: "partial", data: { ...parts.data }, text: sayPartial(parts), ...copyOf(parts) });
}

/** What was done, why it is partial in the protocol's own word, and the next step. */
export function sayPartial({ data, text, because, next }: Omit<PartialParts, keyof EnvelopeParts>): string {
  const reason = because.replace(/\.$/, "");
  // Quoted text is a name or pattern of the caller.
  const said = `${text.replaceAll(/'.*'/gs, "")} ${reason}`;
  const unsaid = REDUCTIONS.filter(
    ([word, applies]) => applies(data) && !new RegExp(`\\b${word}\\b`, "i").test(said),
  ).map(([word]) => word);
  const why = unsaid.length === 0 ? reason : `${unsaid.join(", ")}: ${uncapitalize(reason)}`;
  return sentences(text, `(${capitalize(why)}.)`, next);
}

const REDUCTIONS: readonly (readonly [string, (data: Readonly<Record<string, unknown>>) => boolean])[] = [
  ["truncated", (data) => data.truncated === true],
  ["fallback", ({ fallback = false }) => fallback !== null && fallback !== false],
  ["dry-run", (data) => data.applied === false],
  ["failed", (data) => Array.isArray(data.failed_items) && data.failed_items.length > 0],
];

/** True if something in `data` makes the result less than requested. */
export function isReduced(data: Readonly<Record<string, unknown>>): boolean {
  return REDUCTIONS.some(([, applies]) => applies(data));
}

/** An envelope for a call that has no useful result. */
export function failure(code: AnyErrorCode, message: string, parts: FailureParts): ToolResponse {
  kinds.text(code, "The code for failure()");
  kinds.text(message, "The message for failure()");
  checkParts(parts, "failure()", []);
  const text = sentences(parts.text ?? message, parts.next);
  return checked({ status: "error", data: { ...parts.data }, text, error: { code, message }, ...copyOf(parts) });
}

function copyOf(parts: EnvelopeParts): Pick<ToolResponse, "stats" | "context"> {
  return { stats: { ...parts.stats }, context: { ...parts.context, params_input: parts.context.params_input ?? null } };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Names and shouted words stay as they are. */
function uncapitalize(text: string): string {
  return /^[A-Z][a-z]* [a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

function sentences(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

function checked(envelope: ToolResponse): ToolResponse {
  const result = validateToolResponse(envelope);
  if (result.ok) return envelope;
  const what = result.issues.map(({ rule, path }) => `${path || "envelope"} breaks ${rule}`).join("; ");
  throw invalidArgument(`Not a correct envelope: ${what}.`, {
    details: { issues: result.issues },
  });
}

function checkParts(parts: object, place: string, needed: readonly string[]): void {
  kinds.object(parts, `The parts of ${place}`);
  for (const name of [...needed, "stats", "context"]) {
    const check = ["text", "because", "next"].includes(name) ? kinds.text : kinds.object;
    check((parts as Readonly<Record<string, unknown>>)[name], `${name} of ${place}`);
  }
}
