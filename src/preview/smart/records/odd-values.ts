import { copyText } from "../../lines/line-drawing.ts";

interface FieldValues {
  total: number;
  /** Undefined once there were too many different ones. */
  values: Map<string, number> | undefined;
}

const MOST_FIELDS = 64;
const MOST_VALUES = 8;
const VALUE_CHARS = 60;
/** So many records have to be known before one of them can stand out, and at most this share does. */
const KNOWN = 20;
const ODD_SHARE = 0.03;

/** Follows the fields that hold one of a few values, such as a state, and tells the values that hardly any record has. */
export class OddValues {
  readonly #fields = new Map<string, FieldValues>();

  /** Counts a value; true when it stands out among those before it. */
  take(key: string, value: string): boolean {
    const field = this.#fields.get(key) ?? this.#add(key);
    if (field?.values === undefined) return false;
    const { values } = field;
    const known = values.get(value);
    if (value.length > VALUE_CHARS || (known === undefined && values.size >= MOST_VALUES)) {
      field.values = undefined;
      return false;
    }
    field.total++;
    values.set(known === undefined ? copyText(value) : value, (known ?? 0) + 1);
    return field.total > KNOWN && (known ?? 0) < ODD_SHARE * field.total;
  }

  #add(key: string): FieldValues | undefined {
    if (this.#fields.size >= MOST_FIELDS) return undefined;
    const field: FieldValues = { total: 0, values: new Map() };
    this.#fields.set(copyText(key), field);
    return field;
  }
}
