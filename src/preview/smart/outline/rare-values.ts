import { copyText } from "../../lines/line-drawing.ts";

const MOST_NAMES = 64;
const MOST_VALUES = 8;
const VALUE_CHARS = 80;
/** So many values of a name have to be known before one of them can stand out, and at most this share does. */
const KNOWN = 20;
const RARE_SHARE = 0.03;

/** Counts the values of names that have one of a few, such as a state, and tells those that hardly any other has. */
export class RareValues {
  readonly #values = new Map<string, Map<string, number> | undefined>();

  count(name: string, value: string): void {
    let values = this.#values.get(name);
    if (values === undefined) {
      if (this.#values.has(name) || this.#values.size >= MOST_NAMES) return;
      values = new Map();
      this.#values.set(copyText(name), values);
    }
    const known = values.get(value);
    // A name with too many values, or long ones, has no state.
    if (value.length > VALUE_CHARS || (known === undefined && values.size >= MOST_VALUES))
      this.#values.set(name, undefined);
    else values.set(known === undefined ? copyText(value) : value, (known ?? 0) + 1);
  }

  /** True for a value that hardly any other of its name equals, by all that was counted. */
  isRare(name: string, value: string): boolean {
    const values = this.#values.get(name);
    if (values === undefined) return false;
    const total = [...values.values()].reduce((sum, count) => sum + count, 0);
    return total > KNOWN && (values.get(value) ?? 0) < RARE_SHARE * total;
  }
}
