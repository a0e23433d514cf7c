import { statSync } from "node:fs";
import type { TruncationRecord } from "../../gate/records.ts";
import type { Host } from "./host.ts";
import { readCalls, TRANSCRIPTS } from "./transcripts/find-transcripts.ts";

/**
 * How many bytes a host's model was shown again of each saved output, by calls that name it, whichever tool they are of;
 * undefined where no transcript can be read.
 */
export async function countRereads(
  { name }: Host,
  records: readonly TruncationRecord[],
): Promise<ReadonlyMap<TruncationRecord, number> | undefined> {
  const place = TRANSCRIPTS.find(({ host }) => host === name);
  const saved = records.flatMap((record) => (record.id === undefined ? [] : [{ record, id: record.id }]));
  const first = Math.min(...records.map(({ at }) => Date.parse(at)));
  const files =
    place?.files().filter((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= first) ?? [];
  if (place === undefined || files.length === 0) return undefined;
  const sums = new Map<TruncationRecord, number>();
  for (const file of files) {
    try {
      for await (const { input, shown } of readCalls(place, file)) {
        const asked = JSON.stringify(input);
        for (const { record, id } of saved)
          if (asked.includes(id)) sums.set(record, (sums.get(record) ?? 0) + Buffer.byteLength(shown));
      }
    } catch {
      return undefined;
    }
  }
  return sums;
}
