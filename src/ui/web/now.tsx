import { useEffect, useState } from "preact/hooks";
import type { OutputRow } from "../api.ts";
import { go, Link } from "./link.tsx";
import { TableHead } from "./sessions.tsx";
import { followOutputs, listOutputs } from "./source.ts";
import { isTyping, useAnswer, useKeys } from "./use-answer.ts";
import { bytes, count, percent, time, word } from "./words.ts";

const FILTERS = [
  ["tool", "tools"],
  ["surface", "surfaces"],
  ["shape", "shapes"],
] as const;

const OUTCOMES = ["success", "failure", "timeout", "aborted"];

/** Every bounded output below the root, newest first, and each new one as it happens. */
export function NowPage() {
  const [filter, setFilter] = useState<Readonly<Record<string, string>>>({});
  const [fresh, setFresh] = useState<readonly OutputRow[]>([]);
  const [live, setLive] = useState(false);
  const [chosen, setChosen] = useState(0);
  const [limit, setLimit] = useState(100);
  const answer = useAnswer(JSON.stringify([filter, limit]), () => listOutputs({ ...filter, limit }));
  useEffect(() => followOutputs((row) => setFresh((before) => [row, ...before]), setLive), []);
  const fits = (row: OutputRow) =>
    FILTERS.every(([key]) => !filter[key] || row[key] === filter[key]) &&
    (!filter.outcome || row.outcome === filter.outcome);
  const known = answer.value?.outputs ?? [];
  const seen = new Set(known.map(keyOf));
  const rows = [...fresh.filter((row) => fits(row) && !seen.has(keyOf(row))), ...known];
  useKeys((event) => {
    if (isTyping(event)) return;
    if (event.key === "j") setChosen((at) => Math.min(rows.length - 1, at + 1));
    if (event.key === "k") setChosen((at) => Math.max(0, at - 1));
    const id = rows[chosen]?.id;
    if (event.key === "Enter" && id !== undefined && event.target === document.body) go(`/outputs/${id}`);
  });
  useEffect(() => document.querySelector("tr.chosen")?.scrollIntoView({ block: "nearest" }), [chosen]);
  return (
    <>
      <h1>
        {word("now")}{" "}
        <span
          class={live ? "dot on" : "dot"}
          role="status"
          aria-label={word(live ? "live" : "away")}
          title={word(live ? "live" : "away")}
        />
      </h1>
      <div class="filters">
        {FILTERS.map(([key, list]) => (
          <Choice
            key={key}
            name={word(key === "surface" ? "from" : key)}
            values={answer.value?.[list] ?? []}
            value={filter[key] ?? ""}
            choose={(value) => setFilter({ ...filter, [key]: value })}
          />
        ))}
        <Choice
          name={word("outcome")}
          values={OUTCOMES}
          value={filter.outcome ?? ""}
          choose={(value) => setFilter({ ...filter, outcome: value })}
        />
        <label>
          {word("filter")}
          <input
            type="search"
            value={filter.text ?? ""}
            onInput={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
          />
        </label>
      </div>
      {answer.error && <p class="error">{answer.error}</p>}
      {rows.length === 0 && !answer.waiting ? <Empty /> : <Table rows={rows} chosen={chosen} />}
      {(answer.value?.total ?? 0) > known.length && (
        <button type="button" onClick={() => setLimit(limit + 200)}>
          {count((answer.value?.total ?? 0) - known.length)} {word("older")}
        </button>
      )}
    </>
  );
}

const keyOf = (row: OutputRow) => `${row.at} ${row.id ?? row.callId ?? ""} ${row.bytes}`;

function Table({ rows, chosen }: { readonly rows: readonly OutputRow[]; readonly chosen: number }) {
  return (
    <table class="list stacks">
      <TableHead
        columns={[
          word("time"),
          word("tool"),
          word("from"),
          { number: word("size") },
          { number: word("shown") },
          word("shape"),
          word("strategy"),
          word("outcome"),
        ]}
      />
      <tbody>
        {rows.map((row, at) => (
          <tr key={keyOf(row)} class={at === chosen ? "chosen" : ""}>
            <td>
              {row.id === undefined ? (
                time(row.at)
              ) : (
                <Link to={`/outputs/${row.id}`} label={`${row.tool} ${time(row.at)}`}>
                  {time(row.at)}
                </Link>
              )}
            </td>
            <td class="name" title={row.command}>
              {row.tool}
              {row.command && <code class="command">{row.command}</code>}
            </td>
            <td data-label={word("from")}>{row.surface}</td>
            <td class="number" data-label={word("size")}>
              {bytes(row.bytes)} · {count(row.lines)} {word("maxLines")}
            </td>
            <td class="number" data-label={word("shown")}>
              {row.shown && `${bytes(row.shown.bytes)} · ${percent(row.shown.bytes, row.bytes)}`}
            </td>
            <td data-label={word("shape")}>{row.shape}</td>
            <td data-label={word("strategy")}>{row.strategy}</td>
            <td
              data-label={word("outcome")}
              class={row.outcome === "success" || row.outcome === undefined ? "" : "bad"}
            >
              {row.outcome}
              {row.trouble && <span class="trouble"> {row.trouble}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly values: readonly string[];
  readonly value: string;
  readonly choose: (value: string) => void;
}

function Choice({ name, values, value, choose }: ChoiceProps) {
  return (
    <label>
      {name}
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">{word("all")}</option>
        {values.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}

function Empty() {
  return (
    <div class="empty">
      <p>{word("nothingYet")}</p>
      <p>{word("nothingHint")}</p>
      <pre>npx spillway run -- node examples/noisy-build.mjs</pre>
    </div>
  );
}
