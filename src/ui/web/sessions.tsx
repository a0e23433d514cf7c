import { Link } from "./link.tsx";
import { listSessions } from "./source.ts";
import { useAnswer } from "./use-answer.ts";
import { time, word } from "./words.ts";

/** A column's name, and for a column of numbers a tooltip. */
export type Column = string | { readonly number: string; readonly title?: string | undefined };

/** The first row of a table. */
export function TableHead({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) =>
          typeof column === "string" ? (
            <th scope="col" key={column}>
              {column}
            </th>
          ) : (
            <th scope="col" class="number" title={column.title} key={column.number}>
              {column.number}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}

/** Every session of the agent below the root, newest first. */
export function SessionsPage() {
  const answer = useAnswer("sessions", listSessions);
  const sessions = answer.value?.sessions ?? [];
  return (
    <>
      <h1>{word("sessions")}</h1>
      {answer.error && <p class="error">{answer.error}</p>}
      {answer.value && sessions.length === 0 && <p class="empty">{word("noSessions")}</p>}
      <ul class="sessions">
        {sessions.map((session) => (
          <li key={session.id} class={session.parent === undefined ? "" : "nested"}>
            <Link to={`/sessions/${session.id}`}>{session.prompt || session.id}</Link>
            <span class="quiet">
              {time(session.at)} · {session.model} · {session.agent ? `${session.agent} · ` : ""}
              {session.state} · {session.events} {word("events")}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
