import { PIN_MS, PIN_PREFIX, parsePin, pinName } from "../pin-text.ts";
import type { Bucket, ListedObject } from "./bucket.ts";
import type { S3Layout } from "./s3-layout.ts";

/** The object with the pins of `owner`. */
export function pinKey(layout: S3Layout, owner: string): string {
  return `${layout.meta}${pinName(owner)}`;
}

/** All pinned ids; removes pins that expired. */
export async function readPinnedIds(
  bucket: Bucket,
  layout: S3Layout,
  objects: readonly ListedObject[],
): Promise<Set<string>> {
  const pins = objects.filter(({ key }) => key.startsWith(`${layout.meta}${PIN_PREFIX}`));
  const lapsed = pins.filter(({ modified }) => Date.now() - modified > PIN_MS);
  if (lapsed.length > 0) await bucket.remove(lapsed.map(({ key }) => key));
  const pinned = new Set<string>();
  for (const pin of pins) {
    if (lapsed.includes(pin)) continue;
    for (const id of parsePin(await bucket.get(pin.key))) pinned.add(id);
  }
  return pinned;
}
