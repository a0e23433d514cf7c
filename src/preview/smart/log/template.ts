const TEMPLATE_CHARS = 160;
const MAX_TEMPLATES = 4096;

/** A line without what changes from one occurrence to the next: paths, numbers, addresses. */
export function templateOf(text: string): string {
  return text
    .slice(0, TEMPLATE_CHARS)
    .replace(/[\w.@+~-]*[/\\][\w.@+~/\\-]+/g, "/")
    .replace(/0x[0-9a-f]+|\b[0-9a-f]{8,}\b|\d+/gi, "0");
}

/** Counts how often each template came, in bounded memory: beyond the bound a new template counts as unique. */
export class TemplateCounts {
  readonly #counts = new Map<string, number>();

  /** Counts one more and gives the number so far. */
  add(template: string): number {
    const count = (this.#counts.get(template) ?? 0) + 1;
    if (count > 1 || this.#counts.size < MAX_TEMPLATES) this.#counts.set(template, count);
    return count;
  }

  get(template: string): number {
    return this.#counts.get(template) ?? 1;
  }
}
