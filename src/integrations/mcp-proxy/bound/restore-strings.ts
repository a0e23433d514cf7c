import { isObject } from "../../mcp-shared/json-rpc.ts";
import type { LongStrings } from "../spool/spooled-message.ts";
import type { JsonCut } from "./shrink-json.ts";
import { readText } from "./text-source.ts";

export interface Restored {
  readonly value: unknown;
  readonly cuts: readonly JsonCut[];
  /** True when every string is there in full. */
  readonly whole: boolean;
}

/** Puts the strings that are on disk back into a value, each cut to `maxBytes`. */
export async function restoreStrings(value: unknown, spooled: LongStrings, maxBytes: number): Promise<Restored> {
  const cuts: JsonCut[] = [];
  const restore = async (item: unknown, pointer: string): Promise<unknown> => {
    if (typeof item === "string") {
      const string = spooled.resolve(item);
      if (!string) return item;
      const text = await readText(string, maxBytes);
      if (string.escapedBytes > maxBytes)
        cuts.push({ pointer, unit: "characters", kept: text.length, total: string.escapedBytes });
      return text;
    }
    if (Array.isArray(item)) return Promise.all(item.map((child, index) => restore(child, `${pointer}/${index}`)));
    if (!isObject(item)) return item;
    const entries: [string, unknown][] = [];
    for (const [key, child] of Object.entries(item)) entries.push([key, await restore(child, `${pointer}/${key}`)]);
    return Object.fromEntries(entries);
  };
  return { value: await restore(value, ""), cuts, whole: cuts.length === 0 };
}
