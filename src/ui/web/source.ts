import { useEffect, useState } from "preact/hooks";
import type {
  CleanAnswer,
  ExportedPage,
  GrepPage,
  Health,
  LinesPage,
  OutputDetail,
  OutputList,
  OutputRow,
  PreviewAnswer,
  Savings,
  SearchPage,
  SessionDetail,
  SessionRow,
  VerifyStep,
} from "../api.ts";

/** A value that parts of the page share. */
export interface Signal<T> {
  value: T;
  subscribe(listener: () => void): () => void;
}

/** A shared value; whoever uses it by `useSignal` is drawn again when it changes. */
export function signal<T>(first: T): Signal<T> {
  let current = first;
  const listeners = new Set<() => void>();
  return {
    get value() {
      return current;
    },
    set value(next) {
      if (next === current) return;
      current = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value now, and a drawing whenever it changes. */
export function useSignal<T>(shared: Signal<T>): T {
  const [, draw] = useState(0);
  useEffect(() => shared.subscribe(() => draw((count) => count + 1)), [shared]);
  return shared.value;
}

/** The data of an exported page; undefined if a server answers. */
export const exported: ExportedPage | undefined = readExported();

function readExported(): ExportedPage | undefined {
  const text = document.getElementById("exported")?.textContent;
  return text ? (JSON.parse(text) as ExportedPage) : undefined;
}

type Query = Readonly<Record<string, string | number | undefined>>;

async function get<T>(path: string, query: Query = {}, method = "GET"): Promise<T> {
  const response = await fetch(addressOf(path, query), { method, headers: { Accept: "application/json" } });
  if (response.ok) return (await response.json()) as T;
  throw new Error(await messageOf(response));
}

async function messageOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => ({}))) as { readonly error?: string };
  return body.error ?? `${response.status} ${response.statusText}`;
}

/** Where the API answers something. */
export function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const words = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return `/api/v1/${path}${given.length > 0 ? `?${words}` : ""}`;
}

const outputPath = (id: string, part = "") => `outputs/${encodeURIComponent(id)}${part}`;

export const listOutputs = (query: Query) => get<OutputList>("outputs", query);
export const searchOutputs = (q: string) => get<SearchPage>("search", { q });
export const listSessions = () => get<{ readonly sessions: readonly SessionRow[] }>("sessions");
export const readSavings = (by: string) => get<Savings>("savings", { by });
export const readHealth = () => get<Health>("health");
export const clean = (dryRun: boolean) => get<CleanAnswer>("clean", { dry_run: dryRun ? 1 : undefined }, "POST");

export async function readOutput(id: string): Promise<OutputDetail> {
  return exported?.output?.detail ?? get(outputPath(id));
}

export async function readPreview(id: string, query: Query): Promise<PreviewAnswer> {
  return exported?.output?.preview ?? get(outputPath(id, "/preview"), query);
}

export async function readSession(id: string): Promise<SessionDetail> {
  return exported?.session ?? get(`sessions/${encodeURIComponent(id)}`);
}

/** Lines of an output; of an exported page those that are in it. */
export async function readLines(id: string, from: number, limit: number): Promise<LinesPage> {
  const output = exported?.output;
  if (output === undefined) return get(outputPath(id, "/lines"), { from, limit });
  const at = (line: number) => {
    const run = output.runs.find((each) => line >= each.from && line < each.from + each.lines.length);
    return run?.lines[line - run.from] ?? "⋯";
  };
  const count = Math.max(0, Math.min(limit, output.totalLines - from + 1));
  return {
    from,
    totalLines: output.totalLines,
    lines: Array.from({ length: count }, (_, index) => at(from + index)),
    lastCut: false,
  };
}

/** The full text of an output, because long lines arrive cut; of an exported page, the included part. */
export async function readText(id: string): Promise<string> {
  if (exported?.output) return (await readLines(id, 1, exported.output.totalLines)).lines.join("\n");
  const response = await fetch(addressOf(outputPath(id, "/raw")));
  if (response.ok) return response.text();
  throw new Error(await messageOf(response));
}

/** Matching lines; in an exported page by plain text. */
export async function grepOutput(id: string, pattern: string, fixed: boolean): Promise<GrepPage> {
  const output = exported?.output;
  if (output === undefined)
    return get(outputPath(id, "/grep"), { pattern, ignore_case: 1, fixed: fixed ? 1 : undefined });
  const wanted = pattern.toLowerCase();
  const matches = output.runs.flatMap(({ from, lines }) =>
    lines.flatMap((text, index) => (text.toLowerCase().includes(wanted) ? [{ line: from + index, text }] : [])),
  );
  return { total: matches.length, complete: true, matches };
}

/** Tells of every output as it happens, until it is ended. */
export function followOutputs(tell: (row: OutputRow) => void, connected: (is: boolean) => void): () => void {
  const feed = new EventSource(addressOf("feed"));
  feed.addEventListener("output", (event) => tell(JSON.parse((event as MessageEvent<string>).data) as OutputRow));
  feed.addEventListener("open", () => connected(true));
  feed.addEventListener("error", () => connected(false));
  return () => feed.close();
}

/** Checks every artifact, step by step. */
export async function verifyAll(tell: (step: VerifyStep) => void): Promise<void> {
  const response = await fetch(addressOf("verify"), { method: "POST" });
  if (!response.ok || response.body === null) throw new Error(await messageOf(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (data !== undefined) tell(JSON.parse(data) as VerifyStep);
    }
  }
}
