import type { Row } from "./row.ts";
import type { RowScanner } from "./row-scanner.ts";

/** A place in a file that is not named: "  12:5  error …", " 12 | ERROR | …". */
const PLACE_ALONE = /^\s{0,8}\d{1,6}(?::\d{1,5}\b|\s+\|\s)/;
const FILE_ALONE = /^(?:FILE: |== )?(?:[A-Za-z]:)?[^\s:|][^:|]{0,300}\.\w{1,10}(?: ==)?\s*$/;
const REACH_BYTES = 12_288;

/** Finds the file that linters name once, above all that they say of it. */
export class FileAbove {
  #file: Row | undefined;
  /** Rows that were read when it was looked for last. */
  #count = 0;

  /** The row that names the file of the latest row, when that says only a place in it. */
  find(scanner: RowScanner): Row | undefined {
    if (!PLACE_ALONE.test(scanner.latestText())) return undefined;
    // What stands above the row that was asked for last is known.
    const since = scanner.count - this.#count;
    this.#count = scanner.count;
    const reach = Math.min(scanner.reach(REACH_BYTES), since) - 1;
    for (let ago = 1; ago <= reach; ago++) {
      const row = scanner.row(ago);
      if (!FILE_ALONE.test(row.text)) continue;
      this.#file = row;
      return row;
    }
    if (reach < since - 1) this.#file = undefined;
    return this.#file;
  }
}
