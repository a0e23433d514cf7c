import { isObject } from "../../../bytes/json/is-object.ts";
import { type JsonObject, readMeta } from "../../mcp-shared/json-rpc.ts";
import { describeReader, READER_NAME } from "../../mcp-shared/reader-tool.ts";

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
