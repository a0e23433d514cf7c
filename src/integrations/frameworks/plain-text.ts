/** The text of a message's content: a string, or the texts among its parts. */
export function plainText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((part: unknown) => {
      const text = typeof part === "string" ? part : (part as { readonly text?: unknown } | null)?.text;
      return typeof text === "string" ? [text] : [];
    })
    .join("\n");
}

/** What the user said last; undefined when nobody said anything. */
export function questionIn(messages: unknown, isUser: (message: Readonly<Record<string, unknown>>) => boolean) {
  if (!Array.isArray(messages)) return undefined;
  for (const message of [...messages].reverse() as Readonly<Record<string, unknown>>[]) {
    const text = isUser(message) ? plainText(message.content).trim() : "";
    if (text !== "") return text;
  }
  return undefined;
}
