import { readFile } from "node:fs/promises";
import { formatBytes } from "../../bytes/format-bytes.ts";
import { parseRecord, type TruncationRecord } from "../../gate/records.ts";
import { HOSTS } from "../../integrations/hosts/find-host.ts";
import { type Host, shownAlone } from "../../integrations/hosts/host.ts";
import { countRereads } from "../../integrations/hosts/transcripts/find-transcripts.ts";
import { formatCount } from "../../preview/omission.ts";
import { writeJson, writeOut } from "../emit.ts";

/** Lines of a table, the first being its head; so many columns stand to the left, numbers to the right. */
export function renderTable(rows: readonly (readonly string[])[], leftColumns: number): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const align = (cell: string, column: number): string =>
    column < leftColumns ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((cells) => cells.map(align).join("  ").trimEnd());
}

/** What one tool of one host came to. */
interface HostRow {
  readonly host: string;
  readonly tool: string;
  readonly bounded: number;
  readonly outputBytes: number;
  readonly shownBytes: number;
  /** What its model read again from artifacts; null where the host keeps no transcript that can be read. */
  readonly rereadBytes: number | null;
  /** What the host would have shown by itself; null where nobody has measured its own cut. */
  readonly aloneBytes: number | null;
}

const HEAD = ["agent", "tool", "bounded", "output", "shown", "read again", "agent alone", "against alone"];

const NOTES = [
  "Only output over a limit is counted: small output passes without a record.",
  "Agent alone: what the agent's own cut would have left of the same outputs, so nothing counts as saved that its model",
  "would not have seen anyway. Read again: what its model read back from saved outputs, according to its transcripts.",
];

/** Prints what Spillway did inside agents, against what each would have shown by itself. */
export async function showHostStats(files: readonly string[], json: boolean): Promise<void> {
  const records = await readRecords(files);
  const rows: HostRow[] = [];
  for (const host of HOSTS) {
    const own = records.filter(({ surface }) => surface === host.name);
    if (own.length === 0) continue;
    const rereads = await countRereads(host, own);
    for (const tool of new Set(own.map((record) => record.tool))) rows.push(sumUp(host, tool, own, rereads));
  }
  if (json) return writeJson({ hosts: rows, notes: NOTES });
  if (rows.length === 0) return writeOut(`Nothing has been bounded inside an agent here yet. ${NOTES[0]}\n`);
  await writeOut(`${[...renderTable([HEAD, ...rows.map(cellsOf)], 2), "", ...NOTES].join("\n")}\n`);
}

function sumUp(
  host: Host,
  tool: string,
  records: readonly TruncationRecord[],
  rereads: ReadonlyMap<TruncationRecord, number> | undefined,
): HostRow {
  const own = records.filter((record) => record.tool === tool);
  const sum = (pick: (record: TruncationRecord) => number): number => own.reduce((all, one) => all + pick(one), 0);
  return {
    host: host.name,
    tool,
    bounded: own.length,
    outputBytes: sum(({ before }) => before.bytes),
    shownBytes: sum(({ after }) => after.bytes),
    rereadBytes: rereads === undefined ? null : sum((record) => rereads.get(record) ?? 0),
    aloneBytes:
      host.ownCut === undefined
        ? null
        : sum(({ before, outcome }) => shownAlone(host, before, outcome !== "success") ?? 0),
  };
}

function cellsOf({ host, tool, bounded, outputBytes, shownBytes, rereadBytes, aloneBytes }: HostRow): string[] {
  return [
    host,
    tool,
    formatCount(bounded),
    formatBytes(outputBytes),
    formatBytes(shownBytes),
    rereadBytes === null ? "not known" : formatBytes(rereadBytes),
    aloneBytes === null ? "not known" : formatBytes(aloneBytes),
    aloneBytes === null ? "not known" : compare(shownBytes + (rereadBytes ?? 0), aloneBytes),
  ];
}

function compare(bytes: number, alone: number): string {
  if (bytes === alone) return "the same";
  return bytes < alone ? `${formatBytes(alone - bytes)} less` : `${formatBytes(bytes - alone)} more`;
}

/** Every truncation that was written down; a line that cannot be read is passed over. */
async function readRecords(files: readonly string[]): Promise<readonly TruncationRecord[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
  return texts
    .join("\n")
    .split("\n")
    .flatMap((line) => parseRecord(line) ?? []);
}
