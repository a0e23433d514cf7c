import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { TableHead } from "./sessions.tsx";
import "uplot/dist/uPlot.min.css";
import type { Savings, SavingsRow } from "../api.ts";
import { addressOf, readSavings } from "./source.ts";
import { useAnswer } from "./use-answer.ts";
import { bytes, count, word } from "./words.ts";

const WAYS = [
  ["tool", "tool", "byTool"],
  ["surface", "from", "byOrigin"],
  ["shape", "shape", "byShape"],
] as const;

/** Saved tokens by tool, host and shape, over time. */
export function SavingsPage() {
  const [by, setBy] = useState("tool");
  const answer = useAnswer(by, () => readSavings(by));
  const rows = answer.value?.rows ?? [];
  const names = [
    word("outputs"),
    word("size"),
    word("baseline"),
    word("shown"),
    `${word("reread")} (${word("tokens")})`,
    `${word("saved")} (${word("tokens")})`,
  ];
  const total = rows.reduce((sum, { savedTokens }) => sum + savedTokens, 0);
  return (
    <>
      <h1>{word("savings")}</h1>
      <p class="big">
        ~{count(total)} {word("tokens")} <span class="quiet">({word("estimated")})</span>
      </p>
      <div class="tools">
        {WAYS.map(([key, , name]) => (
          <button type="button" key={key} aria-pressed={by === key} onClick={() => setBy(key)}>
            {word(name)}
          </button>
        ))}
        <a class="button" href={addressOf("savings", { by, format: "csv" })} download>
          {word("exportCsv")}
        </a>
        <a class="button" href={addressOf("savings", { by })} download={`spillway-savings-by-${by}.json`}>
          {word("exportJson")}
        </a>
      </div>
      {answer.error && <p class="error">{answer.error}</p>}
      {answer.value && answer.value.series.length > 1 && <Chart series={answer.value.series} />}
      <table class="list stacks">
        <TableHead
          columns={[
            word(WAYS.find(([key]) => key === by)?.[1] ?? "tool"),
            ...names.map((number) => ({
              number,
              title: number === word("baseline") ? word("baselineHint") : undefined,
            })),
          ]}
        />
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <td class="name">{row.key}</td>
              {numbersOf(row).map((text, at) => (
                <td class="number" key={names[at]} data-label={names[at]}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">
        {word("baseline")}: {word("baselineHint")}.
      </p>
    </>
  );
}

const numbersOf = (row: SavingsRow) => [
  count(row.outputs),
  bytes(row.bytes),
  bytes(row.baselineBytes),
  bytes(row.shownBytes),
  count(row.rereadTokens),
  count(row.savedTokens),
];

function Chart({ series }: { readonly series: Savings["series"] }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null || series.length === 0) return;
    const style = getComputedStyle(element);
    const ink = style.getPropertyValue("--ink");
    const times = series.map(({ at }) => Date.parse(at.length > 10 ? `${at}:00Z` : `${at}T00:00:00Z`) / 1000);
    let sum = 0;
    const saved = series.map(({ savedTokens }) => {
      sum += savedTokens;
      return sum;
    });
    const axis = { stroke: ink, grid: { stroke: style.getPropertyValue("--line") } };
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height: 200,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: true } },
        axes: [axis, { ...axis, size: 80, values: (_, ticks) => ticks.map((tick) => count(tick)) }],
        series: [
          {},
          {
            stroke: style.getPropertyValue("--accent"),
            width: 2,
            points: { show: series.length < 60 },
            label: word("saved"),
          },
        ],
      },
      [times, saved],
      element,
    );
    return () => chart.destroy();
  }, [series]);
  return (
    <div
      ref={box}
      class="chart"
      role="img"
      aria-label={`${word("saved")}: ${series
        .map(({ at, savedTokens }) => `${at} ${count(savedTokens)}`)
        .join(", ")
        .slice(0, 1000)}`}
    />
  );
}
