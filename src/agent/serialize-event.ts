import { MAX_EVENT_BYTES, type SessionEvent } from "./events.ts";

const STEPS = [16_384, 4_096, 1_024, 256, 64, 16];
const MAX_DEPTH = 60;

/**
 * One line for the session, never above MAX_EVENT_BYTES. Callers send large text through the gate first; this is the
 * last resort, which shortens what is still too long and says by how much.
 */
export function serializeEvent(event: SessionEvent): { readonly event: SessionEvent; readonly bytes: Buffer } {
  const whole = toLine(event);
  if (whole !== undefined && whole.length <= MAX_EVENT_BYTES) return { event, bytes: whole };
  for (const most of STEPS) {
    const shorter = shorten(event, most, 0) as SessionEvent;
    const bytes = toLine(shorter);
    if (bytes !== undefined && bytes.length <= MAX_EVENT_BYTES) return { event: shorter, bytes };
  }
  const outline = Object.fromEntries(
    Object.entries(event).map(([key, value]) => [
      key,
      typeof value === "object" && value !== null
        ? { shortened: shortenText(JSON.stringify(shorten(value, 16)), 1_000) }
        : shorten(value, 16),
    ]),
  ) as unknown as SessionEvent;
  return { event: outline, bytes: Buffer.from(`${JSON.stringify(outline)}\n`) };
}

/** Shortens strings to `most` characters, lists and objects to `most` entries, nesting to a fixed depth. */
export function shorten(value: unknown, most: number, depth = 0): unknown {
  if (typeof value === "string") return shortenText(value, most);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "[nested deeper]";
  if (Array.isArray(value)) {
    const kept = value.slice(0, most).map((item) => shorten(item, most, depth + 1));
    return value.length > most ? [...kept, `[${value.length - most} more items left out]`] : kept;
  }
  const entries = Object.entries(value);
  const kept = entries
    .slice(0, Math.max(most, 32))
    .map(([key, item]) => [key.length > most ? shortenText(key, most) : key, shorten(item, most, depth + 1)]);
  const left = entries.length - kept.length;
  return Object.fromEntries(left > 0 ? [...kept, ["[left out]", `${left} more keys`]] : kept);
}

function shortenText(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}[… ${text.length - kept.length} more characters left out]`;
}

/** Undefined when the value is nested too deeply for JSON. */
function toLine(event: SessionEvent): Buffer | undefined {
  try {
    return Buffer.from(`${JSON.stringify(event)}\n`);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
