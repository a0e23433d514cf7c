import { SpillwayError } from "../../errors.ts";
import { SESSION_SCHEMA, type SessionEvent, type SessionFact, type SessionStart, serializeEvent } from "../events.ts";
import { PROMPT_CHARS } from "../list-sessions.ts";
import type { EventListener, OpenSession } from "../session-store.ts";
import type { Database } from "./postgres-sessions.ts";

/** Most characters of one row, so that it stays below 64 KB whatever they are. */
const PART_CHARS = 15_000;

export interface Lease {
  readonly id: string;
  /** Grows with each lease; writes with an older one are refused. */
  readonly fence: string;
  readonly leaseMs: number;
}

/** One statement: the lease is checked and renewed, the numbers follow on, and all rows are there or none. */
const APPEND = `with held as (
  update spillway_sessions set
    last_seq = last_seq + $4::int,
    updated_at = now(),
    lease_until = now() + $5::int * interval '1 millisecond',
    prompt = case when prompt = '' then $6 else prompt end,
    last_end = case when $7 = 'unchanged' then last_end else nullif($7, '') end
  where id = $1 and fence = $2::bigint and last_seq = $3::int
  returning id
)
insert into spillway_events (session, seq, part, text)
select held.id, row.seq, row.part, row.text
from held, unnest($8::text::int[], $9::text::int[], $10::text::text[]) as row (seq, part, text)
returning seq`;

const RENEW = `update spillway_sessions set lease_until = now() + $3::int * interval '1 millisecond'
where id = $1 and fence = $2::bigint returning id`;

const GIVE_BACK = "update spillway_sessions set lease_until = null, holder = null where id = $1 and fence = $2::bigint";

const DISCARD = "delete from spillway_sessions where id = $1 and fence = $2::bigint";

/** A session that this process holds the lease of; a heartbeat renews it until `close`. */
export class PostgresSession implements OpenSession {
  readonly id: string;
  readonly path: string;
  readonly events: SessionEvent[];
  readonly #database: Database;
  readonly #lease: Lease;
  readonly #onEvent: EventListener | undefined;
  readonly #heartbeat: NodeJS.Timeout;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(database: Database, lease: Lease, events: readonly SessionEvent[], onEvent?: EventListener) {
    this.id = lease.id;
    this.path = `session ${lease.id} in PostgreSQL`;
    this.events = [...events];
    this.#database = database;
    this.#lease = lease;
    this.#onEvent = onEvent;
    this.#heartbeat = setInterval(() => {
      // A failure shows with the next append.
      database.query(RENEW, [lease.id, lease.fence, lease.leaseMs]).catch(() => undefined);
    }, lease.leaseMs / 3).unref();
  }

  get start(): SessionStart {
    const [first] = this.events;
    if (first?.type === "session.start") return first;
    throw new SpillwayError("SESSION_DAMAGED", `Session ${this.id} does not begin with session.start.`);
  }

  append(...facts: readonly SessionFact[]): Promise<readonly SessionEvent[]> {
    const appending = this.#queue.then(() => this.#append(facts));
    this.#queue = appending.catch(() => undefined);
    return appending;
  }

  close(): Promise<void> {
    return this.#endWith(GIVE_BACK);
  }

  discard(): Promise<void> {
    return this.#endWith(DISCARD);
  }

  /** Stops renewing the lease, as a killed process would. */
  abandon(): void {
    clearInterval(this.#heartbeat);
  }

  async #endWith(statement: string): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#queue;
    await this.#database.query(statement, [this.id, this.#lease.fence]);
  }

  async #append(facts: readonly SessionFact[]): Promise<readonly SessionEvent[]> {
    const last = this.events.length;
    const at = new Date().toISOString();
    const added = facts.map(
      (fact, index) => serializeEvent({ v: SESSION_SCHEMA, seq: last + index + 1, at, ...fact }).event,
    );
    const rows = added.flatMap((event) =>
      splitText(JSON.stringify(event)).map((text, part) => ({ seq: event.seq, part, text })),
    );
    const { id, fence, leaseMs } = this.#lease;
    const prompt = added.find((event) => event.type === "user")?.text.slice(0, PROMPT_CHARS + 1) ?? "";
    const ending = added.findLast((event) => event.type === "turn.end" || event.type === "user");
    const lastEnd = ending === undefined ? "unchanged" : ending.type === "turn.end" ? ending.reason : "";
    const written = await this.#database
      .query(APPEND, [
        id,
        fence,
        last,
        added.length,
        leaseMs,
        // A text of PostgreSQL's holds no NUL.
        prompt.replaceAll("\0", "\ufffd").toWellFormed(),
        lastEnd,
        `{${rows.map(({ seq }) => seq).join(",")}}`,
        `{${rows.map(({ part }) => part).join(",")}}`,
        `{${rows.map(({ text }) => `"${text.replaceAll(/[\\"]/g, "\\$&")}"`).join(",")}}`,
      ])
      .catch((cause: Error) => {
        throw new SpillwayError("STORE_FAILED", `The session cannot be written: ${cause.message}`, { cause });
      });
    if (rows.length > 0 && written.length === 0) {
      clearInterval(this.#heartbeat);
      throw new SpillwayError(
        "SESSION_BUSY",
        `Session ${id} was taken over by another worker; nothing more is written here.`,
      );
    }
    this.events.push(...added);
    for (const event of added) this.#onEvent?.(event, id);
    return added;
  }
}

/** JSON in pieces of bounded size; no pair of surrogates is split, since JSON of well-formed texts escapes lone ones. */
function splitText(json: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < json.length; ) {
    let end = Math.min(json.length, at + PART_CHARS);
    const code = json.charCodeAt(end - 1);
    if (end < json.length && code >= 0xd800 && code <= 0xdbff) end -= 1;
    parts.push(json.slice(at, end));
    at = end;
  }
  return parts;
}
