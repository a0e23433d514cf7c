/** Deeper than this nothing is indented: that would take more room than all else. */
export const MAX_INDENTED_DEPTH = 200;

interface OpenContainer {
  readonly source: object;
  readonly keys: readonly string[] | undefined;
  readonly items: readonly unknown[];
  next: number;
  written: number;
}

/**
 * What `JSON.stringify` gives, however deep the value is nested: what that cannot reach is written compactly. A cycle
 * becomes "[circular]" and a bigint its digits there.
 */
export function stringifyJson(value: unknown, indent = 0): string {
  try {
    const spaces = indent > 0 && isDeeperThan(value, MAX_INDENTED_DEPTH) ? 0 : indent;
    return JSON.stringify(value, undefined, spaces) ?? String(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return stringifyDeep(value);
  }
}

/** Compact JSON without a call for each level. */
export function stringifyDeep(value: unknown): string {
  const parts: string[] = [];
  const open: OpenContainer[] = [];
  const around = new Set<object>();
  const write = (item: unknown): void => {
    const scalar = around.has(item as object) ? '"[circular]"' : writeScalar(item);
    if (scalar !== undefined) {
      parts.push(scalar);
      return;
    }
    const source = item as object;
    const isArray = Array.isArray(source);
    parts.push(isArray ? "[" : "{");
    around.add(source);
    open.push({
      source,
      keys: isArray ? undefined : Object.keys(source),
      items: isArray ? source : Object.values(source),
      next: 0,
      written: 0,
    });
  };
  write(plainOf(value, ""));
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (top.next === top.items.length) {
      parts.push(top.keys === undefined ? "]" : "}");
      around.delete(top.source);
      open.pop();
      continue;
    }
    const index = top.next++;
    const key = top.keys?.[index];
    const item = plainOf(top.items[index], key ?? String(index));
    if (key !== undefined && isLeftOut(item)) continue;
    if (top.written++ > 0) parts.push(",");
    if (key !== undefined) parts.push(JSON.stringify(key), ":");
    write(isLeftOut(item) ? null : item);
  }
  return parts.join("");
}

function isDeeperThan(value: unknown, levels: number): boolean {
  const open: { readonly item: unknown; readonly depth: number }[] = [{ item: value, depth: 0 }];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const { item, depth } = top;
    if (typeof item !== "object" || item === null) continue;
    if (depth === levels) return true;
    for (const inner of Object.values(item)) open.push({ item: inner, depth: depth + 1 });
  }
  return false;
}

/** Undefined for an object or array. */
function writeScalar(item: unknown): string | undefined {
  if (typeof item === "bigint") return JSON.stringify(String(item));
  return typeof item === "object" && item !== null ? undefined : (JSON.stringify(item) ?? "null");
}

function plainOf(item: unknown, key: string): unknown {
  const { toJSON } = (item ?? {}) as { toJSON?: unknown };
  return spellOut(typeof toJSON === "function" ? toJSON.call(item, key) : item);
}

function isLeftOut(item: unknown): boolean {
  return item === undefined || typeof item === "function" || typeof item === "symbol";
}

/** A Map, a Set or an error with what it holds, of which JSON shows nothing; anything else as it is. */
export function spellOut(value: unknown): unknown {
  if (value instanceof Map) {
    const entries = [...value];
    return entries.every(([key]) => typeof key === "string") ? Object.fromEntries(entries) : entries;
  }
  if (value instanceof Set) return [...value];
  if (!(value instanceof Error)) return value;
  const { name, message, cause } = value;
  return Object.assign({ name, message }, value, cause === undefined ? {} : { cause });
}
