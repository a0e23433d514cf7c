import { fieldsOf, isObject } from "../../../bytes/json/is-object.ts";
import type { QueryContext } from "../../../query/query-context.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";

/** Key of `_meta` under which a client may say why it makes a call: a question, or the fields of a `QueryContext`. */
const META_KEY = "spillway/query";
const META_FIELDS = ["question", "task", "assistantText"] as const;

/** Arguments in which models ask for something in words. */
const QUESTIONS =
  /^(?:query|q|question|search|search_?(?:query|terms?|text)|keywords?|topic|prompt|task|goal|instructions?)$/i;
/** Arguments in which models say why they make a call. */
const REASONS = /^(?:description|reason|reasoning|explanation|justification|purpose|intent|thoughts?|rationale)$/i;
const SECRETS = /pass(?:word|phrase|wd)?$|secret|token|credential|authorization|api_?key|private_?key|cookie/i;
/** SQL, GraphQL, JSON and the like: what is to be done, not what is asked. */
const CODE =
  /^\s*(?:[{[(<]|select\b|with\b|insert\b|update\b|delete\b|create\b|explain\b|query\b|mutation\b|match\s*\()/i;
const MOST_DEPTH = 4;
/** The beginning of a longer argument is what tells something: the rest is content. */
const MOST_CHARS = 2_000;
const MOST_TEXTS = 50;

/** What a `tools/call` says of why it is made; undefined if nothing. */
export function queryOfCall({ arguments: args, _meta }: JsonObject = {}): QueryContext | undefined {
  const found: Record<"question" | "assistantText" | "command", string[]> = {
    question: [],
    assistantText: [],
    command: [],
  };
  collect("", args, 0, (key, text) => {
    const part = text.slice(0, MOST_CHARS).toWellFormed?.() ?? text.slice(0, MOST_CHARS);
    found.command.push(part);
    if (REASONS.test(key)) found.assistantText.push(part);
    else if (QUESTIONS.test(key) && !CODE.test(part)) found.question.push(part);
    return found.command.length < MOST_TEXTS;
  });
  const said = fieldsOf(_meta)[META_KEY];
  const given: JsonObject = typeof said === "string" ? { question: said } : fieldsOf(said);
  const query = Object.fromEntries([
    ...Object.entries(found).map(([field, texts]) => [field, texts.join("\n")]),
    ...META_FIELDS.flatMap((field) => (typeof given[field] === "string" ? [[field, given[field]]] : [])),
  ]) as Record<string, string>;
  const known = Object.entries(query).filter(([, text]) => text.trim() !== "");
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** Hands on the texts of a call's arguments, each with the name of the argument it stands in; false ends it. */
function collect(key: string, value: unknown, depth: number, take: (key: string, text: string) => boolean): boolean {
  if (SECRETS.test(key) || depth > MOST_DEPTH) return true;
  if (typeof value === "string") return value.trim() === "" || take(key, value);
  if (Array.isArray(value)) return value.every((each) => collect(key, each, depth + 1, take));
  return !isObject(value) || Object.entries(value).every(([name, each]) => collect(name, each, depth + 1, take));
}
