const PLACEHOLDER = /\[redacted:[a-z0-9][a-z0-9_-]*#\d+\]/g;

/** Numbers the secrets of one session: the same secret has the same placeholder. Secrets stay in memory only. */
export class SecretNumbers {
  readonly #placeholders = new Map<string, string>();
  readonly #secrets = new Map<string, string>();
  #last: number;

  /** Numbers begin after `last`, which an earlier part of the session may have reached. */
  constructor(last = 0) {
    this.#last = last;
  }

  /** True when placeholders of this session may be about. */
  get used(): boolean {
    return this.#last > 0;
  }

  /** What stands in the place of a secret. */
  placeholderOf(kind: string, secret: string): string {
    const known = this.#placeholders.get(secret);
    if (known !== undefined) return known;
    const placeholder = `[redacted:${kind}#${++this.#last}]`;
    this.#placeholders.set(secret, placeholder);
    this.#secrets.set(placeholder, secret);
    return placeholder;
  }

  /** A text with the secrets in the place of their placeholders; `unknown` are those that nothing is known of. */
  restore(text: string): { readonly text: string; readonly unknown: readonly string[] } {
    const unknown = new Set<string>();
    const restored = text.replace(PLACEHOLDER, (placeholder) => {
      const secret = this.#secrets.get(placeholder);
      if (secret === undefined) unknown.add(placeholder);
      return secret ?? placeholder;
    });
    return { text: restored, unknown: [...unknown] };
  }
}

/** The highest number of a placeholder in a text, 0 when there is none. */
export function highestNumber(text: string): number {
  let highest = 0;
  for (const [placeholder] of text.matchAll(PLACEHOLDER))
    highest = Math.max(highest, Number(/\d+(?=\]$)/.exec(placeholder)?.[0]));
  return highest;
}
