import { cleanLine, isRewritten } from "../../clean.ts";
import type { Candidate, Row } from "./row.ts";

/** Collects the first rows. Of a long line that is rewritten, such as a progress bar, only the rows of its last state. */
export class HeadRows {
  readonly rows: Row[] = [];
  bytes = 0;
  #pending: Row[] = [];
  #pendingBytes = 0;

  add(row: Row, maxBytes: number): void {
    if (!row.continues && !row.inLine) {
      this.#push(row);
      return;
    }
    if (isRewritten(row.raw)) this.#drop();
    this.#pending.push(row);
    this.#pendingBytes += row.bytes;
    if (!row.continues || (this.#pendingBytes > maxBytes && !this.#pending.some(({ raw }) => isRewritten(raw)))) {
      for (const held of this.#pending) this.#push(held);
      this.#drop();
    } else if (this.#pendingBytes > 2 * maxBytes) this.#drop();
  }

  #push(row: Row): void {
    this.bytes += row.bytes;
    this.rows.push(row);
  }

  #drop(): void {
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

/** Replaces the segments of each long line that is rewritten by its last state, as far as the candidates hold it. */
export function showLastStates(candidates: readonly Candidate[]): readonly Candidate[] {
  if (!candidates.some(({ row }) => (row.continues || row.inLine) && isRewritten(row.raw))) return candidates;
  const kept: Candidate[] = [];
  let line: Candidate[] = [];
  const close = (): void => {
    kept.push(...lastStateOf(line));
    line = [];
  };
  for (const candidate of [...candidates].sort((a, b) => a.row.byte - b.row.byte)) {
    const { row } = candidate;
    if (line[0]?.row.line !== row.line) close();
    if (row.continues || row.inLine) line.push(candidate);
    else kept.push(candidate);
  }
  close();
  return kept;
}

function lastStateOf(line: readonly Candidate[]): readonly Candidate[] {
  const last = line.findLastIndex(({ row }) => isRewritten(row.raw));
  if (last < 0) return line;
  const state = line.slice(last);
  const rows = state.map(({ row }) => row);
  const [first] = rows as [Row];
  const end = rows.at(-1) as Row;
  const touching = rows.every(
    (row, at) => at === 0 || row.byte === (rows[at - 1] as Row).byte + (rows[at - 1] as Row).bytes,
  );
  if (end.continues || !touching) return [];
  const raw = rows.map((row) => row.raw).join("");
  const sum = (sizeOf: (row: Row) => number): number => rows.reduce((total, row) => total + sizeOf(row), 0);
  const row: Row = {
    ...first,
    bytes: sum(({ bytes }) => bytes),
    chars: sum(({ chars }) => chars),
    continues: false,
    raw,
    text: cleanLine(raw),
    ascii: false,
  };
  return [{ ...state.reduce((best, other) => (other.value > best.value ? other : best)), row }];
}
