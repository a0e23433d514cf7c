import { parseJson } from "../bytes/json/parse-json.ts";
import type { Strategy } from "../limits/types.ts";
import type { Outcome } from "../protocol/outcome.ts";

/** One truncation, as the log and `stats.jsonl` have it. */
export interface TruncationRecord {
  readonly schema: 1;
  readonly at: string;
  readonly surface: string;
  readonly tool: string;
  readonly callId?: string | undefined;
  readonly strategy: Strategy;
  readonly before: { readonly lines: number; readonly bytes: number; readonly tokens: number };
  readonly after: { readonly lines: number; readonly bytes: number; readonly tokens: number };
  readonly artifact?: string | undefined;
  /** Id of the artifact. */
  readonly id?: string | undefined;
  readonly lost?: string | undefined;
  /** What the content looks like, where that was asked. */
  readonly shape?: string | undefined;
  /** How the tool ended. */
  readonly outcome: Outcome["kind"];
  /** How many secrets of each kind were replaced. */
  readonly redacted?: Readonly<Record<string, number>> | undefined;
}

/** The record in a line of `stats.jsonl`; undefined for a line that holds another or cannot be read. */
export function parseRecord(line: string): TruncationRecord | undefined {
  if (!line.includes('"before"')) return undefined;
  const value = parseJson(line) as TruncationRecord | undefined;
  const ok = typeof value?.at === "string" && typeof value.tool === "string" && typeof value.before?.bytes === "number";
  return ok && typeof value.after?.bytes === "number" ? value : undefined;
}

export interface ToolCounters {
  readonly calls: number;
  readonly truncated: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** How many secrets of each kind were replaced; absent when none was. */
  readonly redacted?: Readonly<Record<string, number>> | undefined;
}

/** Where truncation records and counters of many machines come together. */
export interface RecordSink {
  addRecords(root: string, records: readonly object[]): Promise<void>;
}
