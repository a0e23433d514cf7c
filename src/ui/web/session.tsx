import type { SessionDetail, TimelineEntry } from "../api.ts";
import { Link } from "./link.tsx";
import { exported, readSession } from "./source.ts";
import { useAnswer } from "./use-answer.ts";
import { bytes, count, time, word } from "./words.ts";

interface Part {
  readonly name: string;
  /** Name of a colour of the style sheet. */
  readonly colour: string;
  readonly values: readonly number[];
}

interface StackedBarsProps {
  readonly title: string;
  readonly parts: readonly Part[];
  readonly limit: { readonly name: string; readonly value: number; readonly unit: string };
}

const HEIGHT = 160;
const WIDTH = 800;

/** Bars of several parts each, with a limit above them. */
function StackedBars({ title, parts, limit }: StackedBarsProps) {
  const bars = parts[0]?.values.length ?? 0;
  const sums = Array.from({ length: bars }, (_, at) => parts.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  const highest = Math.max(1, ...sums);
  // A limit far above all bars would flatten them, so it is written instead of drawn.
  const drawn = limit.value <= highest * 4;
  const top = drawn ? Math.max(highest, limit.value) : highest;
  const width = Math.min(40, WIDTH / Math.max(1, bars));
  const y = (value: number) => HEIGHT - (value / top) * HEIGHT;
  const atMost = `${limit.name}: ${count(limit.value)} ${limit.unit}`;
  const told = `${title}: ${sums.map(count).join(", ")}; ${atMost}`;
  return (
    <figure>
      <figcaption>
        {title}
        {parts.map(({ name, colour }) => (
          <span key={name} class={`key ${colour.slice(2)}`}>
            {name}
          </span>
        ))}
        <span class="quiet">{atMost}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={told.slice(0, 1000)} preserveAspectRatio="none">
        {sums.map((_, at) => {
          let base = 0;
          return parts.map(({ name, colour, values }) => {
            const value = values[at] ?? 0;
            const bar = (
              <rect
                key={`${at} ${name}`}
                class={colour.slice(2)}
                x={at * width + 1}
                width={Math.max(1, width - 2)}
                y={y(base + value)}
                height={y(base) - y(base + value)}
              />
            );
            base += value;
            return bar;
          });
        })}
        {drawn && <line x1="0" x2={WIDTH} y1={y(limit.value) + 1} y2={y(limit.value) + 1} class="limit" />}
      </svg>
    </figure>
  );
}

/** One session: the parts of each model request, and the events, turn by turn. */
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
