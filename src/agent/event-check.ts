import { isObject } from "../bytes/json/is-object.ts";
import { SESSION_SCHEMA, type SessionEvent } from "./events.ts";

type Kind = "text" | "number" | "list" | "object";

/** What every event of a type holds. */
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

/** Looks at the events of a session in their order, wherever they are kept, and says what is wrong with one. */
export class EventCheck {
  #seq = 0;
  readonly #calls = new Set<string>();
  readonly #results = new Set<string>();

  /** A problem, as the rest of a sentence that begins with the event; undefined when there is none. */
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

  /** What an event says of those before it. */
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
