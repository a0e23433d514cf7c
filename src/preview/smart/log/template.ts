import { CountTable } from "./count-table.ts";

const TEMPLATE_CHARS = 160;
const MAX_TEMPLATES = 4096;
const SLASH = 47;
const SPACE = 32;
const ZERO = 48;
const NINE = 57;

/**
 * Identifies a line without what changes from one occurrence to the next: numbers and the directories of paths count
 * as one sign each.
 */
export function templateOf(text: string): number {
  const end = Math.min(text.length, TEMPLATE_CHARS);
  let high = 0x811c9dc5;
  let low = 0x1b873593;
  let wordHigh = high;
  let wordLow = low;
  let inNumber = false;
  for (let index = 0; index < end; index++) {
    let unit = text.charCodeAt(index);
    // Most characters are letters, which stand above all that is treated apart.
    if (unit > NINE) inNumber = false;
    else if (unit >= ZERO) {
      if (inNumber) continue;
      inNumber = true;
      unit = ZERO;
    } else {
      inNumber = false;
      if (unit === SLASH) {
        // Forget the directory read so far.
        high = wordHigh;
        low = wordLow;
      }
    }
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low + unit, 0x85ebca6b) ^ (low >>> 13);
    if (unit === SPACE) {
      wordHigh = high;
      wordLow = low;
    }
  }
  return (high >>> 0) * 0x20_0000 + (low >>> 11);
}

/** Counts how often each template came, in bounded memory: beyond the bound a new template counts as unique. */
export class TemplateCounts {
  readonly #counts = new CountTable(MAX_TEMPLATES);

  /** What `add` would give. */
  next(template: number): number {
    return this.#counts.countOf(template) + 1;
  }

  /** Counts one more and gives the number so far. */
  add(template: number): number {
    return this.#counts.add(template, 0);
  }
}
