import type { TruncationRecord } from "../gate/records.ts";
import { savedTokens, WINDOW_TOKENS } from "../gate/records.ts";
import { HOSTS } from "../integrations/hosts/find-host.ts";
import { shownAlone } from "../integrations/hosts/host.ts";
import { countRereads } from "../integrations/hosts/transcripts/find-transcripts.ts";
import type { Savings, SavingsRow } from "./api.ts";
import type { SessionSource } from "./sessions.ts";

/** Number of newest sessions that are searched for later reads. */
const MOST_SESSIONS = 200;
const HOUR_MS = 3_600_000;

export type SavingsKey = "tool" | "surface" | "shape";

/** Sums up the tokens saved, compared with the sizes without Spillway. */
export function savingsOf(
  records: readonly TruncationRecord[],
  by: SavingsKey,
  rereads: ReadonlyMap<TruncationRecord, number> = new Map(),
): Savings {
  const rows = new Map<string, Mutable<SavingsRow>>();
  const series = new Map<string, { at: string; bytes: number; shownBytes: number; savedTokens: number }>();
  const bucket = bucketOf(records);
  for (const record of records) {
    const key = record[by] ?? "other";
    const row = rows.get(key) ?? emptyRow(key);
    rows.set(key, row);
    const baseline = baselineOf(record);
    // Text that is read back from an artifact was not saved after all.
    const reread = rereads.get(record) ?? 0;
    const saved = savedTokens(tokensIn(record, baseline), record.after.tokens, reread);
    row.outputs++;
    row.bytes += record.before.bytes;
    row.shownBytes += record.after.bytes;
    row.baselineBytes += baseline;
    row.savedTokens += saved;
    row.rereadTokens += reread;
    const at = bucket(record.at);
    const point = series.get(at) ?? { at, bytes: 0, shownBytes: 0, savedTokens: 0 };
    series.set(at, point);
    point.bytes += record.before.bytes;
    point.shownBytes += record.after.bytes;
    point.savedTokens += saved;
  }
  return {
    rows: [...rows.values()].sort((left, right) => right.savedTokens - left.savedTokens),
    series: [...series.values()].sort((left, right) => (left.at < right.at ? -1 : 1)),
  };
}

/** The table as CSV. */
export function savingsCsv({ rows }: Savings): string {
  const head = "key,outputs,bytes,shown_bytes,baseline_bytes,saved_tokens,reread_tokens";
  const lines = rows.map((row) =>
    [quote(row.key), row.outputs, row.bytes, row.shownBytes, row.baselineBytes, row.savedTokens, row.rereadTokens].join(
      ",",
    ),
  );
  return `${[head, ...lines].join("\n")}\n`;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

function emptyRow(key: string): Mutable<SavingsRow> {
  return { key, outputs: 0, bytes: 0, shownBytes: 0, baselineBytes: 0, savedTokens: 0, rereadTokens: 0 };
}

/** A name in a spreadsheet must not begin a formula. */
function quote(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The size that the host itself would leave of such a result; otherwise all of it, at most a window. */
function baselineOf({ surface, before, outcome }: TruncationRecord): number {
  const host = HOSTS.find(({ name }) => name === surface);
  const alone = host && shownAlone(host, before, outcome !== "success");
  const windowBytes = Math.round((WINDOW_TOKENS * before.bytes) / Math.max(1, before.tokens));
  return alone ?? Math.min(before.bytes, windowBytes);
}

/** Estimated tokens for this many bytes of an output. */
function tokensIn({ before }: TruncationRecord, bytes: number): number {
  return bytes === before.bytes ? before.tokens : Math.round((bytes * before.tokens) / Math.max(1, before.bytes));
}

/** The totals of records and sessions. */
export interface ToldRecords {
  /** The agent's outputs with the sizes from its session, which include the whole message. */
  readonly records: readonly TruncationRecord[];
  /** Estimated tokens that models were shown again of each output. */
  readonly rereads: ReadonlyMap<TruncationRecord, number>;
}

/** Adds the outputs in agents' transcripts and in our own sessions. */
export async function withSessions(given: readonly TruncationRecord[], sessions: SessionSource): Promise<ToldRecords> {
  const records = [...given];
  const ours = new Map(
    records.flatMap((record, at) =>
      record.surface === "agent" ? [[record.id ?? lostKey(record.callId, record.before), at] as const] : [],
    ),
  );
  const readOf = new Map<string, number>();
  for (const session of ours.size === 0 ? [] : (await sessions.list()).slice(0, MOST_SESSIONS)) {
    if ("damaged" in session) continue;
    const asked = new Map<string, string>();
    for (const event of await sessions.read(session.id)) {
      if (event.type === "tool.call") {
        const said = JSON.stringify(event.input) ?? "";
        const id = [...ours.keys()].find((each) => said.includes(each));
        if (id !== undefined) asked.set(event.callId, id);
      } else if (event.type === "tool.result" || event.type === "user" || event.type === "model") {
        const id = event.type === "tool.result" ? asked.get(event.callId) : undefined;
        if (id !== undefined) readOf.set(id, (readOf.get(id) ?? 0) + (event.after?.tokens ?? 0));
        if (!event.before || !event.after) continue;
        const at = ours.get(event.artifact?.id ?? lostKey("callId" in event ? event.callId : undefined, event.before));
        if (at === undefined) continue;
        const { before, after } = records[at]!;
        records[at] = {
          ...records[at]!,
          before: { ...before, tokens: event.before.tokens },
          after: { ...after, tokens: event.after.tokens },
        };
      }
    }
  }
  const rereads = new Map<TruncationRecord, number>();
  for (const [id, at] of ours) if (readOf.has(id)) rereads.set(records[at]!, readOf.get(id)!);
  for (const host of HOSTS) {
    const own = records.filter(({ surface }) => surface === host.name);
    if (own.length === 0) continue;
    for (const [record, bytes] of (await countRereads(host, own)) ?? [])
      rereads.set(record, (rereads.get(record) ?? 0) + tokensIn(record, bytes));
  }
  return { records, rereads };
}

/** Names an output that no artifact names; free text of a call never holds it. */
function lostKey(callId: string | undefined, { bytes }: { readonly bytes: number }): string {
  return `\0${callId ?? ""} ${bytes}`;
}

/** Days once there is more than two of them, else hours. */
function bucketOf(records: readonly TruncationRecord[]): (at: string) => string {
  const times = records.map(({ at }) => Date.parse(at)).filter((time) => Number.isFinite(time));
  const span = times.length === 0 ? 0 : Math.max(...times) - Math.min(...times);
  return span > 48 * HOUR_MS ? (at) => at.slice(0, 10) : (at) => `${at.slice(0, 13)}:00`;
}
