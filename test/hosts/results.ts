import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What the model saw of one output. */
export interface Seen {
  readonly bytes: number;
  /** Marked lines among them. */
  readonly marks: number;
}

export interface CaseResult {
  readonly name: string;
  readonly title: string;
  readonly marks: number;
  readonly alone: Seen | undefined;
  readonly spillway: Seen;
  readonly artifactExact: boolean;
  readonly exitKept: boolean;
}

/** What was measured of one agent. */
export interface HostResult {
  readonly title: string;
  readonly version: string;
  readonly cases: readonly CaseResult[];
  /** How long small commands took until the agent sent their results, in ms (median). */
  readonly small?: { readonly alone: number; readonly spillway: number } | undefined;
  /** What else was seen to hold, or not. */
  readonly checks: Readonly<Record<string, boolean>>;
}

export const SMALL_COMMANDS = 15;

/** What the pages show; a run of its own writes elsewhere unless it is told to. */
const FILE = process.env.SPILLWAY_HOSTS_RESULTS ?? fileURLToPath(new URL("results.json", import.meta.url));

export function readResults(): Record<string, HostResult> {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Record<string, HostResult>) : {};
}

/** Keeps what was measured before of other agents, and of cases that this run left out. */
export function keepResult(host: string, result: HostResult): void {
  const all = readResults();
  const old = all[host]?.version === result.version ? all[host] : undefined;
  const cases = [
    ...result.cases,
    ...(old?.cases ?? []).filter(({ name }) => result.cases.every((one) => one.name !== name)),
  ];
  all[host] = { ...result, small: result.small ?? old?.small, cases, checks: { ...old?.checks, ...result.checks } };
  writeFileSync(FILE, `${JSON.stringify(all, null, 2)}\n`);
}

/** The table of one agent, for a page. */
export function renderTable({ title, version, cases, small, checks }: HostResult): string {
  const rows = cases.map(({ title: what, marks, alone, spillway, artifactExact, exitKept }) => {
    const before = alone === undefined ? "not run" : sayShown(alone, marks);
    return `| ${what} | ${before} | ${sayShown(spillway, marks)} | ${artifactExact ? "same bytes" : "DIFFERS"} | ${exitKept ? "kept" : "LOST"} |`;
  });
  const held = Object.entries(checks).map(([name, ok]) => `${name}${ok ? "" : " (NO)"}`);
  return [
    `Measured with ${title} ${version}: bytes sent to the model, and how many of the lines that matter were among them.`,
    "",
    "| output | alone | with Spillway | artifact | exit state |",
    "|---|---|---|---|---|",
    ...rows,
    "",
    ...(small === undefined
      ? []
      : [
          `A small command took ${small.alone} ms alone and ${small.spillway} ms with Spillway (median of ${SMALL_COMMANDS}, until its result was sent, on a busy machine).`,
          "",
        ]),
    `Also checked: ${held.join("; ")}.`,
  ].join("\n");
}

function sayShown({ bytes, marks }: Seen, all: number): string {
  return `${bytes.toLocaleString("en-US")} B, ${marks} of ${all}`;
}

/** One row an agent: the build log alone and with Spillway, failing; the words are the page's. */
export function renderSummary(results: Readonly<Record<string, HostResult>>, head: string, sayOf: string): string {
  const rows = Object.values(results).flatMap(({ title, cases }) => {
    const build = cases.find(({ name }) => name === "build-fails");
    if (build?.alone === undefined) return [];
    const say = ({ bytes, marks }: Seen): string =>
      `${marks} ${sayOf} ${build.marks} (${bytes.toLocaleString("en-US")} B)`;
    return [`| ${title} | ${say(build.alone)} | ${say(build.spillway)} |`];
  });
  return [head, "|---|---|---|", ...rows].join("\n");
}
