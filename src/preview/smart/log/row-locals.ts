import type { HashLocals } from "./hash-code.ts";

/** Local variables; addresses unless said otherwise. */
export interface RowLocals extends HashLocals {
  /** The bytes looked through; whether they are the last. */
  readonly from: number;
  readonly to: number;
  readonly last: number;
  /** The state at the start of a line. */
  readonly lineStart: number;
  /** Where the finds end. */
  readonly findsEnd: number;
  /** The next find to look at, the first one of the row, and where the row's numbers go. */
  readonly find: number;
  readonly first: number;
  readonly record: number;
  /** The row's first byte, the one after its last, 0 while it has not ended, and the one after what it shows. */
  readonly row: number;
  readonly rowEnd: number;
  readonly content: number;
  /** The place of a find, and one that is looked at. */
  readonly position: number;
  readonly place: number;
  readonly limit: number;
  /** Numbers and bits. */
  readonly going: number;
  readonly terminated: number;
  readonly mask: number;
  readonly flags: number;
  readonly words: number;
  readonly byte: number;
  readonly seen: number;
  /** Of 16 bytes. */
  readonly bytes: number;
  readonly rules: number;
}
