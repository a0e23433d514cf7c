import { fairShare } from "../../../gate/items/fair-share.ts";
import type { JsonCut } from "../../../gate/render/mcp-facts.ts";
import { completeLimits } from "../../../limits/defaults.ts";
import { createAccumulator } from "../../../preview/accumulator.ts";
import type { LongStrings, SpooledString } from "./result-on-disk.ts";
import { readText } from "./text-source.ts";

export interface Restored {
  readonly value: unknown;
  readonly cuts: readonly JsonCut[];
  /** False when any string was cut. */
  readonly whole: boolean;
}

/** A value in the copy, and where it stands. */
interface Place {
  readonly parent: object;
  readonly key: string;
  readonly pointer: string;
}

/** No string is cut to less than this for the sake of others. */
const LEAST_BYTES = 1000;

/** Puts the strings that are on disk back into a value; those that do not fit into `maxBytes` together, as previews. */
export async function restoreStrings(value: unknown, spooled: LongStrings, maxBytes: number): Promise<Restored> {
  const root = { value };
  const found: { readonly place: Place; readonly string: SpooledString }[] = [];
  const places: Place[] = [{ parent: root, key: "value", pointer: "" }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const item = Reflect.get(place.parent, place.key) as unknown;
    if (typeof item === "object" && item !== null) {
      const copy = Array.isArray(item) ? [...item] : { ...item };
      put(place, copy);
      for (const key of Object.keys(copy)) places.push({ parent: copy, key, pointer: `${place.pointer}/${key}` });
    } else if (typeof item === "string") {
      const string = spooled.resolve(item);
      if (string) found.push({ place, string });
    }
  }
  const cuts: JsonCut[] = [];
  const sizes = found.map(({ string }) => string.escapedBytes);
  const share = Math.max(1, Math.min(LEAST_BYTES, maxBytes), Math.min(maxBytes, fairShare(sizes, maxBytes)));
  // The last place was looked at first.
  for (const { place, string } of found.reverse()) {
    const total = string.escapedBytes;
    const text = total > share ? await previewOf(string, share) : await readText(string, share);
    if (total > share) cuts.push({ pointer: place.pointer, unit: "characters", kept: text.length, total });
    put(place, text);
  }
  return { value: root.value, cuts, whole: cuts.length === 0 };
}

/** What matters of a text on disk, from all of it. */
async function previewOf(string: SpooledString, maxBytes: number): Promise<string> {
  const limits = { ...completeLimits({ maxBytes }), maxLines: Number.POSITIVE_INFINITY };
  const accumulator = createAccumulator({ limits, strategy: "smart" });
  for await (const part of string.read()) accumulator.write(Uint8Array.from(part));
  return accumulator.finish().text;
}

/** A member named `__proto__` is one like any other. */
function put({ parent, key }: Place, value: unknown): void {
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });
}
