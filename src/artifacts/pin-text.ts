import { cryptoModule } from "../builtin-modules.ts";
import { fieldsOf } from "../bytes/json/is-object.ts";
import { parseJson } from "../bytes/json/parse-json.ts";
import { DAY_MS } from "./keeping-rules.ts";

/** A pin expires if its owner does not renew it for this long. */
export const PIN_MS = 30 * DAY_MS;

/** How the names of pins begin. */
export const PIN_PREFIX = "pins-";

/** The name of the pin file of `owner`. */
export function pinName(owner: string): string {
  return `${PIN_PREFIX}${cryptoModule().createHash("sha256").update(owner).digest("hex").slice(0, 32)}.json`;
}

/** The pins of `owner` as text. */
export function renderPin(owner: string, ids: readonly string[]): string {
  return JSON.stringify({ schema: 1, owner, ids });
}

/** The ids of a pin; none when it is missing or damaged. */
export function parsePin(text: Buffer | undefined): string[] {
  const { ids } = fieldsOf(parseJson(text?.toString("utf8")));
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}
