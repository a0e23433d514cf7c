import { eventKindOf } from "./event-kind.ts";
import type { Candidate, Row } from "./row.ts";

/** How rows of a log of events begin, whatever program writes it. */
const DATED =
  /^\W{0,4}(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d[-/.:]\d\d[-/.:]\d\d|(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]\d \d\d:|\d{6} \d{6} |\d{10,13}\b|[\d.]{7,15} \S+ \S+ \[\d)/;
const LEAST_HEAD = 5;
const DATED_SHARE = 0.9;
/** Where more of the rows are of a kind of their own, none of them is rare. */
const KINDS_SHARE = 0.2;
const KINDS_FREE = 24;
const MOST_KINDS = 1024;
/** Rows that are looked at; what comes later is known by its words only. */
const WATCHED = 30_000;
const LEAST_ROWS = 100;
/** A kind is rare when at most one of so many rows is of it. */
const RARE_AMONG = 200;
const RARE_VALUE = 57;
const COMMON_VALUE = 36;

interface Event {
  readonly row: Row;
  count: number;
}

/** Keeps the first row of each kind of event of a dated log, as long as its kinds are few. */
export class RareEvents {
  readonly #kinds = new Map<number, Event>();
  #rows = 0;
  #watching: boolean;

  /** `head` tells whether this is such a log. */
  constructor(head: readonly Row[]) {
    const dated = head.filter(({ text }) => DATED.test(text)).length;
    this.#watching = head.length >= LEAST_HEAD && dated >= DATED_SHARE * head.length;
    const encoder = new TextEncoder();
    for (const row of this.#watching ? head : []) {
      const bytes = encoder.encode(row.raw);
      this.add(eventKindOf(bytes, 0, bytes.length), () => row);
    }
  }

  /** False once no further row need be told. */
  get watching(): boolean {
    return this.#watching;
  }

  add(kind: number, row: () => Row): void {
    this.#rows++;
    const known = this.#kinds.get(kind);
    if (known !== undefined) known.count++;
    else this.#kinds.set(kind, { row: row(), count: 1 });
    if (this.#rows >= WATCHED) this.#watching = false;
    if (this.#kinds.size <= Math.min(MOST_KINDS, KINDS_FREE + KINDS_SHARE * this.#rows)) return;
    this.#watching = false;
    this.#kinds.clear();
  }

  /** One row of each kind, rare ones first. */
  candidates(): readonly Candidate[] {
    if (this.#rows < LEAST_ROWS) return [];
    return [...this.#kinds.values()].map(({ row, count }) => {
      const rare = count * RARE_AMONG <= Math.max(this.#rows, RARE_AMONG);
      const value = rare ? RARE_VALUE - Math.min(8, count) : COMMON_VALUE;
      return { row, value, reason: rare ? "rare event" : "kind of event" };
    });
  }
}
