import type { TruncationRecord } from "../gate/records.ts";
import { countRereads } from "../integrations/hosts/count-rereads.ts";
import { shownAlone } from "../integrations/hosts/covers.ts";
import { HOSTS } from "../integrations/hosts/find-host.ts";
import type { Savings, SavingsRow } from "./api.ts";
import type { SessionSource } from "./sessions.ts";

/** No host could have shown more than a context window holds. */
const WINDOW_BYTES = 128_000 * 4;
/** The newest sessions that are looked through for what was read back. */
const MOST_SESSIONS = 200;
const HOUR_MS = 3_600_000;

export type SavingsKey = "tool" | "surface" | "shape";

/** Adds up what was kept out of models' inputs, against what would have been shown without Spillway. */
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
    const perByte = record.before.tokens / Math.max(1, record.before.bytes);
    // What is read back from an artifact is room that the preview did not save after all.
    const reread = Math.round((rereads.get(record) ?? 0) * perByte);
    const saved = Math.round(baseline * perByte) - record.after.tokens - reread;
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

/** What the host itself leaves of such a result; elsewhere all of it, at most a window. */
function baselineOf({ surface, before, outcome }: TruncationRecord): number {
  const host = HOSTS.find(({ name }) => name === surface);
  const alone = host && shownAlone(host, before, outcome !== "success");
  return alone ?? Math.min(before.bytes, WINDOW_BYTES);
}

/** Bytes that models were shown again of each saved output: from agents' transcripts and from our own sessions. */
export async function rereadsOf(
  records: readonly TruncationRecord[],
  sessions: SessionSource,
): Promise<ReadonlyMap<TruncationRecord, number>> {
  const sums = new Map<TruncationRecord, number>();
  const add = (record: TruncationRecord, bytes: number) => sums.set(record, (sums.get(record) ?? 0) + bytes);
  for (const host of HOSTS) {
    const own = records.filter(({ surface }) => surface === host.name);
    if (own.length === 0) continue;
    for (const [record, bytes] of (await countRereads(host, own)) ?? []) add(record, bytes);
  }
  const own = records.filter(({ surface, id }) => surface === "agent" && id !== undefined);
  if (own.length === 0) return sums;
  for (const session of (await sessions.list()).slice(0, MOST_SESSIONS)) {
    if ("damaged" in session) continue;
    const asked = new Map<string, TruncationRecord>();
    for (const event of await sessions.read(session.id)) {
      if (event.type === "tool.call") {
        const said = JSON.stringify(event.input) ?? "";
        const record = own.find(({ id }) => said.includes(id ?? ""));
        if (record !== undefined) asked.set(event.callId, record);
      } else if (event.type === "tool.result") {
        const record = asked.get(event.callId);
        if (record !== undefined) add(record, event.after.bytes);
      }
    }
  }
  return sums;
}

/** Days once there is more than two of them, else hours. */
function bucketOf(records: readonly TruncationRecord[]): (at: string) => string {
  const times = records.map(({ at }) => Date.parse(at)).filter((time) => Number.isFinite(time));
  const span = times.length === 0 ? 0 : Math.max(...times) - Math.min(...times);
  return span > 48 * HOUR_MS ? (at) => at.slice(0, 10) : (at) => `${at.slice(0, 13)}:00`;
}
