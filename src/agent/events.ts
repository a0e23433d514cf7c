import type { Storage } from "../gate/types.ts";

/** Version of the session format; a reader refuses a newer one. */
export const SESSION_SCHEMA = 1;

/** Most bytes of one line in `events.jsonl`, the newline included. */
export const MAX_EVENT_BYTES = 200_000;

/** Where the whole of something is that the event holds only in part. */
export interface ArtifactPointer {
  readonly id: string;
  readonly path: string;
}

/** The pointer to what the gate saved; undefined when that is lost. */
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

/** What the user or the model wrote; a text over the limit is a preview with both sizes. */
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
  /** What the model is sent: the envelope without its context, or the wrapper. */
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

/** A process took the session up again. Calls it found without a result get one that says so. */
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
