import { unitAt } from "../../../bytes/unit-at.ts";
import { copyText } from "../../lines/line-drawing.ts";
import { formatPlural } from "../../omission.ts";
import { type Grammar, type LineRole, PLAIN_LINE } from "../items/item.ts";
import { OddValues } from "./odd-values.ts";

const TELLING = /^(?:version|description|summary|subject|title|status|state|from|section)[^:]*:\s*\S/i;
const MOST_KEY_CHARS = 61;
const MOST_TELLING = 3;
const VALUE_CHARS = 100;
const MOST_ODD = 4;
const RECORD: LineRole = { opens: true, rank: 1 };
const TOLD: LineRole = { opens: false, rank: 0.4 };
/** Above that of the line which names a record. */
const ODD: LineRole = { opens: false, rank: 1.3 };

/** Reads records of `Key: value` lines with blank lines between, such as descriptions of packages. */
export class RecordsGrammar implements Grammar {
  readonly noun = "record";
  readonly firstCounts = false;
  #records = 0;
  #key: string | undefined;
  #afterBlank = true;
  #lines = 0;
  #fields = 0;
  #parts: string[] = [];
  /** What tells the record that ended last. */
  #ended: readonly string[] | undefined;
  readonly #odd = new OddValues();
  #odds = 0;

  get wrong(): boolean {
    return this.#lines > 40 && this.#fields < 0.1 * this.#lines;
  }

  read(text: string): LineRole {
    this.#lines++;
    if (text === "") {
      this.#afterBlank = true;
      return PLAIN_LINE;
    }
    const colon = fieldEnd(text);
    const afterBlank = this.#afterBlank;
    this.#afterBlank = false;
    if (colon < 0) return PLAIN_LINE;
    this.#fields++;
    this.#key ??= copyText(text.slice(0, colon));
    if (afterBlank) {
      this.end();
      this.#records++;
      this.#parts = [part(text)];
      this.#odds = 0;
      return RECORD;
    }
    if (this.#odd.take(text.slice(0, colon), text.slice(colon + 1)) && this.#odds < MOST_ODD) {
      this.#odds++;
      this.#parts.push(part(text));
      return ODD;
    }
    if (this.#parts.length - this.#odds <= MOST_TELLING && TELLING.test(text)) {
      this.#parts.push(part(text));
      return TOLD;
    }
    return PLAIN_LINE;
  }

  end(): void {
    if (this.#records > 0) this.#ended = this.#parts;
  }

  label(): string | undefined {
    return this.#ended?.join(" · ");
  }

  title(lines: number): string {
    const by = this.#key === undefined ? "" : ` by ${this.#key}`;
    return `records: ${formatPlural(this.#records, "record")}${by}, ${formatPlural(lines, "line")}`;
  }
}

/** The colon after the key of a line `Key: value`; -1 for another line. */
function fieldEnd(text: string): number {
  if (!isLetter(unitAt(text, 0))) return -1;
  let end = 1;
  while (isKeyUnit(unitAt(text, end))) end++;
  if (end > MOST_KEY_CHARS || text.charAt(end) !== ":") return -1;
  return end + 1 === text.length || /\s/.test(text.charAt(end + 1)) ? end : -1;
}

function isLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
}

function isKeyUnit(unit: number): boolean {
  return isLetter(unit) || (unit >= 48 && unit <= 57) || unit === 95 || unit === 45;
}

function part(text: string): string {
  return text.length <= VALUE_CHARS ? text : text.slice(0, VALUE_CHARS).replace(/[\ud800-\udbff]$/, "");
}

/** True for records of `Key: value` lines. `lines` include blank ones. */
export function looksLikeRecords(lines: readonly string[]): boolean {
  const firsts = new Map<string, number>();
  let fields = 0;
  let others = 0;
  let afterBlank = true;
  let stanzas = 0;
  let small = 0;
  for (const line of lines) {
    if (line === "") {
      afterBlank = true;
      continue;
    }
    const colon = fieldEnd(line);
    const key = colon < 0 ? undefined : line.slice(0, colon);
    if (/^[a-z]/.test(line)) small++;
    if (key !== undefined) fields++;
    else if (!/^[ \t]\S/.test(line)) others++;
    if (afterBlank) {
      stanzas++;
      if (key !== undefined) firsts.set(key, (firsts.get(key) ?? 0) + 1);
    }
    afterBlank = false;
  }
  const same = Math.max(0, ...firsts.values());
  // Settings are written small too, but do not begin again and again with the same.
  if (small > 0.5 * fields && (same < 4 || same < 0.95 * stanzas)) return false;
  return fields >= 4 && others <= 0.05 * fields && same >= 2 && same >= 0.8 * stanzas && fields >= 2.5 * stanzas;
}
