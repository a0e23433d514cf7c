/** What the model says: calls of tools, side by side, or a text that ends the turn. */
export type Reply = { readonly calls: readonly ReplyCall[] } | { readonly text: string };

export interface ReplyCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One result as the model was sent it. */
export interface SeenResult {
  readonly text: string;
  /** As the protocol marks it; undefined where it has no mark. */
  readonly failed: boolean | undefined;
}

export interface Answer {
  readonly contentType: string;
  readonly body: string;
}

/** A request's JSON; every protocol knows its own fields. */
export type Body = Readonly<Record<string, unknown>>;

/** One of the ways in which agents talk to models. */
export interface Protocol {
  readonly matches: (path: string) => boolean;
  readonly offered: (body: Body) => readonly string[];
  readonly results: (body: Body) => readonly SeenResult[];
  readonly answer: (reply: Reply, request: { body: Body; path: string; id: string; inputTokens: number }) => Answer;
}

export const OUTPUT_TOKENS = 20;

/** The list under a key; empty where there is none. */
export function listOf(body: unknown, key: string): readonly Body[] {
  const value = (body as Body | undefined)?.[key];
  return Array.isArray(value) ? (value as Body[]) : [];
}

/** A text, or the texts of a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined ? "" : JSON.stringify(content);
  return content.map((part) => (typeof part === "string" ? part : String((part as Body).text ?? ""))).join("");
}

/** Server-sent events, each with its name where the protocol gives one. */
export function eventStream(events: readonly (readonly [name: string | undefined, data: unknown])[]): Answer {
  const rows = events.map(
    ([name, data]) =>
      `${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`,
  );
  return { contentType: "text/event-stream", body: rows.join("") };
}

/** The id of a call in an answer: the answer's own for the first. */
export function callIdOf(id: string, at: number): string {
  return at === 0 ? id : `${id}_${at + 1}`;
}

export function json(value: unknown): Answer {
  return { contentType: "application/json", body: JSON.stringify(value) };
}
