import { fieldsOf, isObject } from "../../../bytes/json/is-object.ts";
import type { QueryContext } from "../../../query/query-context.ts";
import { type JsonObject, readMeta } from "../../mcp-shared/json-rpc.ts";
import { describeReader, READER_NAME } from "../../mcp-shared/reader-tool.ts";

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

export interface ToolCatalogOptions {
  /** Whether the proxy adds its reader. */
  readonly reader: boolean;
  /** Whether clients are told what results look like. */
  readonly schemas: () => boolean;
  /** What a tool's definition should say besides, in `_meta`. */
  readonly metaOf: (tool: string) => Promise<JsonObject | undefined>;
}

/** What the proxy knows of the upstream's tools, and the reader that it adds to them. */
export class ToolCatalog {
  readonly #options: ToolCatalogOptions;
  readonly #schemas = new Map<string, JsonObject | undefined>();
  #fresh = true;

  constructor(options: ToolCatalogOptions) {
    this.#options = options;
  }

  /** The upstream's tools changed: what is known counts only until the next list. */
  expire(): void {
    this.#fresh = true;
  }

  knows(tool: string): boolean {
    return this.#schemas.has(tool);
  }

  /** The schema that clients validate this tool's results against. */
  outputSchema(tool: string): JsonObject | undefined {
    return this.#options.schemas() ? this.#schemas.get(tool) : undefined;
  }

  /** The reader's name, different from every upstream tool; undefined when there is none. */
  get reader(): string | undefined {
    if (!this.#options.reader) return undefined;
    let name = READER_NAME;
    for (let number = 2; this.#schemas.has(name); number += 1) name = `${READER_NAME}_${number}`;
    return name;
  }

  /** Reads the upstream's whole list, for a client that calls tools without listing them. */
  async learn(list: (params: JsonObject) => Promise<JsonObject>): Promise<void> {
    let cursor: unknown;
    try {
      do {
        const page = await list(typeof cursor === "string" ? { cursor } : {});
        await this.readPage(page);
        cursor = page.nextCursor;
      } while (typeof cursor === "string");
    } catch {
      // Without a list there is no schema to break.
    }
  }

  /** Learns from a page of the upstream's list; returns the page as the client should see it. */
  async readPage(result: JsonObject): Promise<JsonObject> {
    if (!Array.isArray(result.tools)) return result;
    if (this.#fresh) this.#schemas.clear();
    const more = typeof result.nextCursor === "string";
    this.#fresh = !more;
    let tools: unknown[] = result.tools;
    for (const tool of tools) {
      if (!isObject(tool) || typeof tool.name !== "string") continue;
      this.#schemas.set(tool.name, isObject(tool.outputSchema) ? tool.outputSchema : undefined);
    }
    if (!this.#options.schemas()) tools = tools.map(withoutOutputSchema);
    tools = await this.#addMeta(tools);
    const reader = more ? undefined : this.reader;
    if (reader !== undefined) tools = [...tools, describeReader(reader)];
    return tools === result.tools ? result : { ...result, tools };
  }

  async #addMeta(tools: unknown[]): Promise<unknown[]> {
    const added = await Promise.all(
      tools.map((tool) => (isObject(tool) ? this.#options.metaOf(String(tool.name)) : undefined)),
    );
    if (added.every((meta) => meta === undefined)) return tools;
    return tools.map((tool, at) =>
      isObject(tool) && added[at] ? { ...tool, _meta: { ...added[at], ...readMeta(tool) } } : tool,
    );
  }
}

function withoutOutputSchema(tool: unknown): unknown {
  if (!isObject(tool) || !("outputSchema" in tool)) return tool;
  const { outputSchema: _, ...rest } = tool;
  return rest;
}
