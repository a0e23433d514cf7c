import { accountSession } from "../agent/accounting.ts";
import type { SessionEvent } from "../agent/events.ts";
import type { DamagedSession, SessionSummary } from "../agent/list-sessions.ts";
import { roughTokens } from "../preview/measure.ts";
import type { RequestSize, SessionDetail, SessionRow, TimelineEntry } from "./api.ts";

const WINDOW_TOKENS = 128_000;
/** Approximate size of a stub. */
const STUB_TOKENS = 60;
const TEXT_CHARS = 4000;

/** Where sessions are, in files or in a database. */
export interface SessionSource {
  /** Newest first, those that cannot be read among them. */
  list(): Promise<readonly (SessionSummary | DamagedSession)[]>;
  read(id: string): Promise<readonly SessionEvent[]>;
}

/** All sessions, newest first. */
export async function sessionRows(sessions: SessionSource): Promise<readonly SessionRow[]> {
  return (await sessions.list()).map((session) => ("damaged" in session ? damagedRow(session) : rowOf(session)));
}

/** One session as a timeline, with the parts of each request. */
export async function sessionDetail(sessions: SessionSource, id: string): Promise<SessionDetail> {
  const all = (await sessions.list()).filter((session) => !("damaged" in session)) as readonly SessionSummary[];
  const summary = all.find((session) => session.id === id);
  const events = await sessions.read(id);
  const children = new Map(
    all.flatMap(({ id: child, parent }) => (parent?.session === id ? [[parent.callId, child]] : [])),
  );
  const account = accountSession(events);
  return {
    row: rowOf(summary ?? { id, startedAt: "", updatedAt: "", model: "", prompt: "", events: events.length }),
    timeline: timelineOf(events, children),
    requests: requestsOf(events),
    windowTokens: windowOf(events),
    savedTokens: account.netSavedTokens,
    stubSavedTokens: account.stubSavedTokens,
    readBackTokens: account.readBackTokens,
  };
}

/** Listed with its error instead of its prompt. */
function damagedRow({ id, damaged }: DamagedSession): SessionRow {
  return { id, at: "", model: "", prompt: `line ${damaged.line}: ${damaged.problem}`, state: "damaged", events: 0 };
}

function rowOf(session: SessionSummary): SessionRow {
  const { id, startedAt, model, prompt, agent, parent, events } = session;
  return {
    id,
    at: startedAt,
    model,
    prompt,
    ...(agent === undefined ? {} : { agent }),
    ...(parent === undefined ? {} : { parent: parent.session }),
    state: session.writer === undefined ? (session.lastEnd ?? "interrupted") : "running",
    events,
  };
}

function windowOf(events: readonly SessionEvent[]): number {
  const learned = events.findLast((event) => event.type === "budget.learned");
  return learned?.type === "budget.learned" ? learned.maxInputTokens : WINDOW_TOKENS;
}

function timelineOf(events: readonly SessionEvent[], children: ReadonlyMap<string, string>): readonly TimelineEntry[] {
  const stubbed = new Set(
    events.flatMap((event) => (event.type === "history.stubbed" ? event.stubs.map(({ callId }) => callId) : [])),
  );
  return events.flatMap((event): TimelineEntry[] => {
    const { at } = event;
    switch (event.type) {
      case "user":
        return [{ at, kind: "user", text: cut(event.text), ...pointer(event.artifact) }];
      case "model":
        return event.text === "" ? [] : [{ at, kind: "model", text: cut(event.text), ...pointer(event.artifact) }];
      case "tool.call": {
        const child = children.get(event.callId);
        const text = cut(JSON.stringify(event.input) ?? "");
        return [{ at, kind: "call", tool: event.tool, callId: event.callId, text, ...(child && { child }) }];
      }
      case "tool.result": {
        const { tool, callId, status, before, after } = event;
        const text = cut(textOf(event.output));
        const late = stubbed.has(callId) ? { stubbed: true } : {};
        return [{ at, kind: "result", tool, callId, status, text, before, after, ...late, ...pointer(event.artifact) }];
      }
      case "notice":
        return [{ at, kind: "remark", text: cut(event.text) }];
      case "history.stubbed":
        return [
          {
            at,
            kind: "remark",
            text: `${event.stubs.length} older results became stubs: ${event.tokensBefore} → ${event.tokensAfter} tokens`,
          },
        ];
      case "history.dropped":
        return [{ at, kind: "remark", text: `messages up to event ${event.throughSeq} are no longer sent` }];
      case "result.shrunk":
        return [{ at, kind: "remark", text: `a result shared its turn: now ${event.after.tokens} tokens` }];
      case "retry":
        return [{ at, kind: "remark", text: `asked again: ${cut(event.reason)}` }];
      case "turn.end":
        return [{ at, kind: "end", text: event.message ? `${event.reason}: ${cut(event.message)}` : event.reason }];
      default:
        return [];
    }
  });
}

/** The parts of each request, collected event by event while the transcript is built. */
function requestsOf(events: readonly SessionEvent[]): readonly RequestSize[] {
  const results = new Map<string, number>();
  const stubs = new Set<string>();
  let text = 0;
  const requests: RequestSize[] = [];
  for (const event of events) {
    if (event.type === "tool.result") results.set(event.callId, event.after.tokens);
    else if (event.type === "result.shrunk") results.set(event.callId, event.after.tokens);
    else if (event.type === "user" || event.type === "notice") text += tokensOf(event.text);
    else if (event.type === "history.stubbed") for (const { callId } of event.stubs) stubs.add(callId);
    else if (event.type === "model") {
      const live = [...results].filter(([callId]) => !stubs.has(callId));
      requests.push({
        results: live.reduce((sum, [, tokens]) => sum + tokens, 0),
        stubs: stubs.size * STUB_TOKENS,
        text,
        input: event.usage.inputTokens,
        output: event.usage.outputTokens,
      });
      text += tokensOf(event.text);
    }
  }
  return requests;
}

function tokensOf(text: string): number {
  return roughTokens({ chars: text.length, bytes: Buffer.byteLength(text) });
}

function textOf(output: Readonly<Record<string, unknown>>): string {
  const text = output.text ?? output.preview;
  return typeof text === "string" ? text : JSON.stringify(output);
}

function pointer(artifact: { readonly id: string } | undefined): { readonly artifact?: string } {
  return artifact === undefined ? {} : { artifact: artifact.id };
}

function cut(text: string): string {
  return text.length > TEXT_CHARS ? `${text.slice(0, TEXT_CHARS)}…` : text;
}
