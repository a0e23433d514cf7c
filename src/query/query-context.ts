import { invalidArgument } from "../errors.ts";

/** What is known of why a call was made. */
export interface QueryContext {
  /** What the reader of the result wants to know. */
  readonly question?: string | undefined;
  /** The user's prompt, whole. */
  readonly task?: string | undefined;
  /** What the model wrote before the call, or the call's own description. */
  readonly assistantText?: string | undefined;
  /** The call's own text or arguments. */
  readonly command?: string | undefined;
}

/** A question, or everything that is known of why a call was made. */
export type Query = string | QueryContext;

const FIELDS = ["question", "assistantText", "task", "command"] as const;
type Field = (typeof FIELDS)[number];
const ASKING = ["question", "assistantText", "task"] as const;
/** A longer part keeps its beginning and end; ranking by more takes time and adds nothing. */
const MOST_PART_CHARS = 16_000;
const BEGINNING_CHARS = 120;

/** The one text that previews are ranked by, the most specific part first; undefined if nothing is known. */
export function queryText(query: Query | undefined): string | undefined {
  if (typeof query === "string" || query === undefined) return query;
  const textsOf = (fields: readonly Field[]): string[] =>
    fields.map((field) => shorten(query[field]?.trim() ?? "")).filter((text) => text !== "");
  const said = textsOf(ASKING);
  // Words of the command stand in most lines of its output, so they rank only where nothing else is known.
  const texts = said.length > 0 ? said : textsOf(["command"]);
  if (texts.length === 0) return undefined;
  // Ranking weighs what comes first most, and each part begins with what it is about.
  const parts = [...new Set(texts)].map(splitBeginning);
  return [...parts.map(([beginning]) => beginning), ...parts.flatMap(([, rest]) => rest)].join("\n");
}

function splitBeginning(text: string): [beginning: string, rest: readonly string[]] {
  const end = text.length <= BEGINNING_CHARS ? -1 : text.lastIndexOf(" ", BEGINNING_CHARS);
  return end <= 0 ? [text, []] : [text.slice(0, end), [text.slice(end + 1)]];
}

/** True if no more is known than the command, which asks for nothing. */
export function isUnasked(query: Query | undefined): boolean {
  return typeof query === "object" && ASKING.every((field) => (query[field] ?? "").trim() === "");
}

/** The same context with each text replaced. */
export function mapQuery(query: Query, change: (text: string) => string): Query {
  if (typeof query === "string") return change(query);
  const known = FIELDS.flatMap((field) => (query[field] === undefined ? [] : [[field, change(query[field])] as const]));
  return Object.fromEntries(known);
}

/** Accepts a text or an object with texts under the known names. */
export function checkQuery(value: unknown, name: string): void {
  if (typeof value === "string") return;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalidArgument(`${name} must be a text or { ${FIELDS.join(", ")} }.`);
  for (const [key, part] of Object.entries(value)) {
    if (!FIELDS.includes(key as Field))
      throw invalidArgument(`${name} has no field ${JSON.stringify(key)}; known: ${FIELDS.join(", ")}.`);
    if (part !== undefined && typeof part !== "string") throw invalidArgument(`${name}.${key} must be a text.`);
  }
}

function shorten(text: string): string {
  if (text.length <= MOST_PART_CHARS) return text;
  return `${text.slice(0, MOST_PART_CHARS / 2)}\n${text.slice(-MOST_PART_CHARS / 2)}`.toWellFormed();
}
