import { fieldsOf, isObject } from "../../../bytes/json/is-object.ts";
import type { QueryContext } from "../../../query/query-context.ts";
import { type JsonObject, readMeta } from "../../mcp-shared/json-rpc.ts";
import { describeQuery, QUERY_NAME } from "../../mcp-shared/query-tool.ts";
import { describeReader, READER_NAME } from "../../mcp-shared/reader-tool.ts";

/** Key of `_meta` under which a client may say why it makes a call: a question, or the fields of a `QueryContext`. */
const META_KEY = "spillway/query";
const META_FIELDS = ["question", "task", "assistantText"] as const;

/** Arguments in which models ask a question in words. */
const QUESTIONS =
  /^(?:query|q|question|search|search_?(?:query|terms?|text)|keywords?|topic|prompt|task|goal|instructions?)$/i;
/** Arguments in which models give the reason for a call. */
const REASONS = /^(?:description|reason|reasoning|explanation|justification|purpose|intent|thoughts?|rationale)$/i;
const SECRETS = /pass(?:word|phrase|wd)?$|secret|token|credential|authorization|api_?key|private_?key|cookie/i;
/** SQL, GraphQL, JSON and the like: instructions rather than a question. */
const CODE =
  /^\s*(?:[{[(<]|select\b|with\b|insert\b|update\b|delete\b|create\b|explain\b|query\b|mutation\b|match\s*\()/i;
const MOST_DEPTH = 4;
/** Only the beginning of a longer argument is used: the rest is content. */
const MOST_CHARS = 2_000;
const MOST_TEXTS = 50;

/** The stated reasons of a `tools/call`; undefined if there are none. */
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

/** Visits the texts of a call's arguments with the argument's name; stops at false. */
function collect(key: string, value: unknown, depth: number, take: (key: string, text: string) => boolean): boolean {
  if (SECRETS.test(key) || depth > MOST_DEPTH) return true;
  if (typeof value === "string") return value.trim() === "" || take(key, value);
  if (Array.isArray(value)) return value.every((each) => collect(key, each, depth + 1, take));
  return !isObject(value) || Object.entries(value).every(([name, each]) => collect(name, each, depth + 1, take));
}

export interface ToolCatalogOptions {
  /** Whether the proxy adds its reader. */
  readonly reader: boolean;
  /** Whether clients are sent output schemas. */
  readonly schemas: () => boolean;
  /** Additions to a tool's definition, in `_meta`. */
  readonly metaOf: (tool: string) => Promise<JsonObject | undefined>;
}

/** The upstream's tools, and the reader tool that the proxy adds. */
export class ToolCatalog {
  readonly #options: ToolCatalogOptions;
  readonly #schemas = new Map<string, JsonObject | undefined>();
  #fresh = true;

  constructor(options: ToolCatalogOptions) {
    this.#options = options;
  }

  /** The upstream's tools changed: the known ones are valid only until the next list. */
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

  /** The reader's name, distinct from every upstream tool; undefined if there is no reader. */
  get reader(): string | undefined {
    return this.#options.reader ? this.#unusedName(READER_NAME) : undefined;
  }

  /** The same for the tool that answers queries. */
  get query(): string | undefined {
    return this.#options.reader ? this.#unusedName(QUERY_NAME) : undefined;
  }

  #unusedName(own: string): string {
    let name = own;
    for (let number = 2; this.#schemas.has(name); number += 1) name = `${own}_${number}`;
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
    const { reader, query } = this;
    if (!more && reader !== undefined && query !== undefined)
      tools = [...tools, describeReader(reader), describeQuery(query)];
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
