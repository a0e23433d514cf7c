import { isObject } from "../bytes/json/is-object.ts";
import type { Storage } from "../gate/types.ts";

type Kind = "text" | "number" | "list" | "object";

/** Fields that every event of a type has. */
const FIELDS: Readonly<Record<SessionEvent["type"], Readonly<Record<string, Kind>>>> = {
  "session.start": { session: "text", root: "text", model: "text", depth: "number" },
  "session.resume": { recoveredBytes: "number" },
  user: { text: "text" },
  model: { text: "text", calls: "list", finish: "text", usage: "object", estimatedTokens: "number" },
  "tool.call": { callId: "text", tool: "text" },
  "tool.result": { callId: "text", tool: "text", status: "text", output: "object", before: "object", after: "object" },
  "result.shrunk": { callId: "text", output: "object", artifact: "object", after: "object" },
  "history.stubbed": { stubs: "list" },
  "history.dropped": { throughSeq: "number" },
  "budget.learned": { maxInputTokens: "number" },
  notice: { text: "text" },
  permission: { callId: "text", tool: "text", action: "text" },
  retry: { attempt: "number", reason: "text" },
  "turn.end": { reason: "text" },
};

/** Checks the events of a session in order, independent of the store, and reports what is wrong with one. */
export class EventCheck {
  #seq = 0;
  readonly #calls = new Set<string>();
  readonly #results = new Set<string>();

  /** A problem, as the end of a sentence that begins with the event; undefined if there is none. */
  problemOf(value: unknown): string | undefined {
    if (!isObject(value)) return "is not an object";
    if (value.v !== SESSION_SCHEMA)
      return `has schema version ${JSON.stringify(value.v)}, this version reads ${SESSION_SCHEMA}`;
    if (value.seq !== this.#seq + 1) return `has seq ${JSON.stringify(value.seq)} where ${this.#seq + 1} has to follow`;
    const type = String(value.type);
    if (!Object.hasOwn(FIELDS, type)) return `has the unknown type ${JSON.stringify(value.type)}`;
    if (this.#seq === 0 && type !== "session.start") return `is ${type}, where session.start has to stand`;
    const fields = { at: "text", ...FIELDS[type as SessionEvent["type"]] } as const;
    const wrong = Object.entries(fields).find(([name, kind]) => !isOf(kind, value[name]));
    if (wrong !== undefined) return `is ${type} without ${article(wrong[1])} ${wrong[1]} as ${wrong[0]}`;
    return this.#follow(value as SessionEvent & Record<string, unknown>);
  }

  /** Checks an event against earlier ones. */
  #follow(event: SessionEvent): string | undefined {
    if (event.type === "tool.result" || event.type === "result.shrunk" || event.type === "permission") {
      if (!this.#calls.has(event.callId))
        return `is ${event.type} of the call ${JSON.stringify(event.callId)}, which was never made`;
    }
    if (event.type === "tool.result") {
      if (this.#results.has(event.callId)) return `is a second result of the call ${JSON.stringify(event.callId)}`;
      this.#results.add(event.callId);
    }
    if (event.type === "tool.call") {
      this.#calls.add(event.callId);
      this.#results.delete(event.callId);
    }
    this.#seq = event.seq;
    return undefined;
  }
}

function isOf(kind: Kind, value: unknown): boolean {
  if (kind === "text") return typeof value === "string";
  if (kind === "number") return typeof value === "number";
  if (kind === "list") return Array.isArray(value);
  return isObject(value);
}

function article(kind: Kind): string {
  return kind === "object" ? "an" : "a";
}

const STEPS = [16_384, 4_096, 1_024, 256, 64, 16];
const MAX_DEPTH = 60;

/**
 * One line for the session, never above MAX_EVENT_BYTES. Callers send large text through the gate first; this is the
 * last resort, which shortens texts that are still too long and says by how much.
 */
export function serializeEvent(event: SessionEvent): { readonly event: SessionEvent; readonly bytes: Buffer } {
  const whole = toLine(event);
  if (whole !== undefined && whole.length <= MAX_EVENT_BYTES) return { event, bytes: whole };
  for (const most of STEPS) {
    const shorter = shorten(event, most, 0) as SessionEvent;
    const bytes = toLine(shorter);
    if (bytes !== undefined && bytes.length <= MAX_EVENT_BYTES) return { event: shorter, bytes };
  }
  const outline = Object.fromEntries(
    Object.entries(event).map(([key, value]) => [
      key,
      typeof value === "object" && value !== null
        ? { shortened: shortenText(JSON.stringify(shorten(value, 16)), 1_000) }
        : shorten(value, 16),
    ]),
  ) as unknown as SessionEvent;
  return { event: outline, bytes: Buffer.from(`${JSON.stringify(outline)}\n`) };
}

/** Shortens strings to `most` characters, lists and objects to `most` entries, nesting to a fixed depth. */
export function shorten(value: unknown, most: number, depth = 0): unknown {
  if (typeof value === "string") return shortenText(value, most);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "[nested deeper]";
  if (Array.isArray(value)) {
    const kept = value.slice(0, most).map((item) => shorten(item, most, depth + 1));
    return value.length > most ? [...kept, `[${value.length - most} more items left out]`] : kept;
  }
  const entries = Object.entries(value);
  const kept = entries
    .slice(0, Math.max(most, 32))
    .map(([key, item]) => [key.length > most ? shortenText(key, most) : key, shorten(item, most, depth + 1)]);
  const left = entries.length - kept.length;
  return Object.fromEntries(left > 0 ? [...kept, ["[left out]", `${left} more keys`]] : kept);
}

function shortenText(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}[… ${text.length - kept.length} more characters left out]`;
}

/** Undefined when the value is nested too deeply for JSON. */
function toLine(event: SessionEvent): Buffer | undefined {
  try {
    return Buffer.from(`${JSON.stringify(event)}\n`);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Version of the session format; a reader refuses a newer one. */
export const SESSION_SCHEMA = 1;

/** Most bytes of one line in `events.jsonl`, the newline included. */
export const MAX_EVENT_BYTES = 200_000;

/** Where the whole of something is that the event holds only in part. */
export interface ArtifactPointer {
  readonly id: string;
  readonly path: string;
}

/** The saved artifact; undefined if it is lost. */
export function pointerTo(storage: Storage): ArtifactPointer | undefined {
  if ("lost" in storage) return undefined;
  const { id, path } = storage.artifact;
  return { id, path };
}

/** Size of a tool's output in UTF-8 bytes and estimated tokens. */
export interface Measure {
  readonly bytes: number;
  readonly tokens: number;
}

export interface SessionStart {
  readonly type: "session.start";
  readonly session: string;
  readonly root: string;
  readonly model: string;
  readonly baseURL?: string | undefined;
  /** Name of the sub-agent; absent in a session that a person started. */
  readonly agent?: string | undefined;
  readonly parent?: { readonly session: string; readonly callId: string } | undefined;
  readonly depth: number;
}

/** Text of the user or the model; over the limit it is a preview with both sizes. */
export interface RecordedText {
  readonly text: string;
  readonly artifact?: ArtifactPointer | undefined;
  readonly before?: Measure | undefined;
  readonly after?: Measure | undefined;
}

export interface UserMessage extends RecordedText {
  readonly type: "user";
}

/** One answer of the model. `calls` names the tool calls that follow as events of their own. */
export interface ModelAnswer extends RecordedText {
  readonly type: "model";
  readonly calls: readonly string[];
  readonly finish: string;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly cachedTokens: number };
  /** Size of the request as estimated before it was sent, in tokens. */
  readonly estimatedTokens: number;
}

export interface ToolCallEvent {
  readonly type: "tool.call";
  readonly callId: string;
  readonly tool: string;
  /** The parameters, long strings shortened when an artifact holds the whole. */
  readonly input: unknown;
  readonly artifact?: ArtifactPointer | undefined;
}

export interface ToolResultEvent {
  readonly type: "tool.result";
  readonly callId: string;
  readonly tool: string;
  readonly status: "success" | "partial" | "error";
  /** The form that is sent to the model: the envelope without its context, or the wrapper. */
  readonly output: Readonly<Record<string, unknown>>;
  readonly artifact?: ArtifactPointer | undefined;
  readonly before: Measure;
  readonly after: Measure;
  readonly timeMs: number;
}

/** A result that had to give room to others of its turn; replaces the output from here on. */
export interface ResultShrunk {
  readonly type: "result.shrunk";
  readonly callId: string;
  readonly output: Readonly<Record<string, unknown>>;
  readonly artifact: ArtifactPointer;
  readonly after: Measure;
}

/** A remark of the runtime to the model, sent like a message of the user. */
export interface Notice {
  readonly type: "notice";
  readonly text: string;
}

/** From here on these results are sent as stubs. */
export interface HistoryStubbed {
  readonly type: "history.stubbed";
  readonly stubs: readonly { readonly callId: string; readonly artifact?: ArtifactPointer | undefined }[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** From here on no message up to this event is sent, except the first one of the user. */
export interface HistoryDropped {
  readonly type: "history.dropped";
  readonly throughSeq: number;
}

/** The provider refused a request as too long; from here on requests stay below this many estimated tokens. */
export interface BudgetLearned {
  readonly type: "budget.learned";
  readonly maxInputTokens: number;
}

export interface PermissionDecided {
  readonly type: "permission";
  readonly callId: string;
  readonly tool: string;
  readonly pattern: string;
  readonly action: "allow" | "deny";
  readonly by: "rule" | "yes" | "user";
}

export interface ModelRetried {
  readonly type: "retry";
  readonly attempt: number;
  readonly reason: string;
  readonly delayMs: number;
}

export type EndReason = "done" | "max_steps" | "loop" | "aborted" | "failed";

export interface TurnEnd {
  readonly type: "turn.end";
  readonly reason: EndReason;
  readonly message?: string | undefined;
}

/** A process resumed the session. Calls without a result get one that says so. */
export interface SessionResumed {
  readonly type: "session.resume";
  readonly recoveredBytes: number;
}

export type SessionFact =
  | SessionStart
  | SessionResumed
  | UserMessage
  | ModelAnswer
  | Notice
  | ToolCallEvent
  | ToolResultEvent
  | ResultShrunk
  | HistoryStubbed
  | HistoryDropped
  | BudgetLearned
  | PermissionDecided
  | ModelRetried
  | TurnEnd;

/** One line of `events.jsonl`. */
export type SessionEvent = SessionFact & {
  readonly v: typeof SESSION_SCHEMA;
  /** Counts up from 1. */
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly at: string;
};

/** How a turn ended. */
export interface TurnOutcome {
  readonly reason: EndReason;
  /** The model's last answer, whole. */
  readonly text: string;
  /** What went wrong, unless the reason is "done". */
  readonly message?: string | undefined;
  readonly steps: number;
}
