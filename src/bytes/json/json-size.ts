interface OpenContainer {
  readonly value: object;
  readonly items: readonly unknown[];
  next: number;
  size: number;
}

/**
 * UTF-8 bytes of a JSON value's compact form, however deep it is nested; a `Map` given along remembers the sizes of its
 * objects and arrays.
 */
export function jsonBytes(value: unknown, sizes: Map<object, number> = new Map()): number {
  let last = knownSize(value, sizes);
  const open: OpenContainer[] = last === undefined ? [openContainer(value as object)] : [];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (last !== undefined) top.size += last;
    last = undefined;
    while (top.next < top.items.length) {
      const item = top.items[top.next++];
      const size = knownSize(item, sizes);
      if (size === undefined) {
        open.push(openContainer(item as object));
        break;
      }
      top.size += size;
    }
    if (top !== open.at(-1)) continue;
    open.pop();
    // The last item has no comma, an empty one has both brackets still.
    last = top.items.length === 0 ? 2 : top.size;
    sizes.set(top.value, last);
  }
  return last as number;
}

/** The key with its colon, and the comma behind its value. */
export function keyBytes(key: string): number {
  return Buffer.byteLength(JSON.stringify(key)) + 2;
}

/** Undefined for an object or array that was not measured yet. */
function knownSize(value: unknown, sizes: ReadonlyMap<object, number>): number | undefined {
  if (typeof value === "string") return Buffer.byteLength(JSON.stringify(value));
  return typeof value === "object" && value !== null ? sizes.get(value) : String(value).length;
}

function openContainer(value: object): OpenContainer {
  if (Array.isArray(value)) return { value, items: value, next: 0, size: 1 + value.length };
  const keys = Object.keys(value).reduce((sum, key) => sum + keyBytes(key), 1);
  return { value, items: Object.values(value), next: 0, size: keys };
}
