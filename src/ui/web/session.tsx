import type { SessionDetail, TimelineEntry } from "../api.ts";
import { bytes, count, time } from "./format.ts";
import { Link } from "./link.tsx";
import { exported, readSession } from "./source.ts";
import { StackedBars } from "./stacked-bars.tsx";
import { useAnswer } from "./use-answer.ts";
import { word } from "./words.ts";

/** One session: what each request to the model was made of, and what happened, turn by turn. */
export function SessionPage({ id }: { readonly id: string }) {
  const answer = useAnswer(id, () => readSession(id));
  if (answer.error) return <p class="error">{answer.error}</p>;
  if (answer.value === undefined) return <p class="quiet">{word("reading")}</p>;
  const { row, timeline, savedTokens, readBackTokens } = answer.value;
  return (
    <>
      <h1>{row.prompt || row.id}</h1>
      <p class="quiet">
        {time(row.at)} · {row.model} · {row.state} · {word("saved")}: ~{count(savedTokens)} {word("tokens")} ·{" "}
        {word("reread")}: ~{count(readBackTokens)} {word("tokens")}
        {row.parent && (
          <>
            {" · "}
            <Link to={`/sessions/${row.parent}`}>{row.parent}</Link>
          </>
        )}
      </p>
      <Requests detail={answer.value} />
      <ol class="timeline">
        {timeline.map((entry, index) => (
          <Entry key={index} entry={entry} />
        ))}
      </ol>
    </>
  );
}

function Requests({ detail }: { readonly detail: SessionDetail }) {
  const { requests, windowTokens } = detail;
  if (requests.length === 0) return null;
  const parts = [
    { name: word("results"), colour: "--part-1", values: requests.map(({ results }) => results) },
    { name: word("words"), colour: "--part-2", values: requests.map(({ text }) => text) },
    { name: word("stubs"), colour: "--part-3", values: requests.map(({ stubs }) => stubs) },
  ];
  return (
    <StackedBars
      title={`${word("requests")} (${word("estimated")})`}
      parts={parts}
      limit={{ name: word("window"), value: windowTokens, unit: word("tokens") }}
    />
  );
}

function Entry({ entry }: { readonly entry: TimelineEntry }) {
  const { kind, tool, text, status, before, after, artifact, child } = entry;
  return (
    <li class={`entry ${kind}`}>
      <span class="quiet">{time(entry.at)}</span>
      <div>
        {tool && (
          <strong>
            {kind === "call" ? "→" : "←"} {tool}
          </strong>
        )}
        {status && <span class={status === "success" ? "good" : "bad"}> {status}</span>}
        {before && after && (
          <span class="quiet">
            {" "}
            {bytes(before.bytes)} → {bytes(after.bytes)} (~{count(after.tokens)} {word("tokens")})
          </span>
        )}
        {artifact && exported === undefined && (
          <>
            {" "}
            <Link to={`/outputs/${artifact}`}>{word("whole")}</Link>
          </>
        )}
        {child && (
          <>
            {" "}
            <Link to={`/sessions/${child}`}>{word("subAgent")}</Link>
          </>
        )}
        {entry.stubbed && <span class="stub"> {word("turnedStub")}</span>}
        <p tabIndex={text.length > 400 ? 0 : undefined}>{text}</p>
      </div>
    </li>
  );
}
