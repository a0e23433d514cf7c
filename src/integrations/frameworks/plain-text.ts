import type { QueryContext } from "../../query/query-context.ts";

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

type Fields = Readonly<Record<string, unknown>>;

/** The user's last message, the model's text after it, and the call's arguments; undefined if none is known. */
export function contextIn(
  messages: unknown,
  isUser: (message: Fields) => boolean,
  input?: unknown,
): QueryContext | undefined {
  const all = Array.isArray(messages) ? (messages as readonly Fields[]) : [];
  const hasText = (message: Fields): boolean => plainText(message.content).trim() !== "";
  const asked = all.findLastIndex((message) => isUser(message) && hasText(message));
  const written = all.slice(asked + 1).findLast((message) => isModel(message) && hasText(message));
  const command = commandText(input);
  if (asked === -1 && written === undefined && command === undefined) return undefined;
  return {
    ...(asked !== -1 && { task: plainText(all[asked]?.content).trim() }),
    ...(written && { assistantText: plainText(written.content).trim() }),
    ...(command !== undefined && { command }),
  };
}

/** A call's arguments as one text; undefined without any. */
export function commandText(input: unknown): string | undefined {
  if (input === undefined || input === null) return undefined;
  const text = typeof input === "string" ? input : JSON.stringify(input);
  return text === undefined || text === "" || text === "{}" ? undefined : text;
}

function isModel({ role, type }: Fields): boolean {
  return role === "assistant" || role === "model" || type === "ai";
}
