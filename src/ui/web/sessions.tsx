import { time } from "./format.ts";
import { Link } from "./link.tsx";
import { listSessions } from "./source.ts";
import { useAnswer } from "./use-answer.ts";
import { word } from "./words.ts";

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
