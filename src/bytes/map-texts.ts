/** A value with every text in it replaced, one after the other; the very same where nothing came of it. */
export async function mapTexts(value: unknown, replace: (text: string) => Promise<unknown>): Promise<unknown> {
  if (typeof value === "string") return replace(value);
  if (typeof value !== "object" || value === null) return value;
  const entries: [string, unknown][] = [];
  let changed = false;
  for (const [key, item] of Object.entries(value)) {
    const mapped = await mapTexts(item, replace);
    changed ||= mapped !== item;
    entries.push([key, mapped]);
  }
  if (!changed) return value;
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}
