import { isObject, type JsonObject } from "../mcp-shared/json-rpc.ts";
import { describeReaders, READER_KINDS } from "../mcp-shared/reader-tools.ts";
import type { ReaderNames, StructuredMode } from "./bound/bound-context.ts";

/** What the proxy knows of the upstream's tools, and the reader tools it adds to them. */
export class ToolCatalog {
  readonly #structured: StructuredMode;
  readonly #addReaders: boolean;
  readonly #schemas = new Map<string, JsonObject | undefined>();
  #fresh = true;

  constructor(options: { readonly structured: StructuredMode; readonly readers: boolean }) {
    this.#structured = options.structured;
    this.#addReaders = options.readers;
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
    return this.#structured === "hide-schema" ? undefined : this.#schemas.get(tool);
  }

  /** The readers' names, different from every upstream tool; undefined when they are switched off. */
  get readers(): ReaderNames | undefined {
    if (!this.#addReaders) return undefined;
    const [read, grep, search] = READER_KINDS.map((kind) => {
      let name = `spillway_${kind}`;
      for (let number = 2; this.#schemas.has(name); number += 1) name = `spillway_${kind}_${number}`;
      return name;
    });
    return { read: read!, grep: grep!, search: search! };
  }

  /** Reads the upstream's whole list, for a client that calls tools without listing them. */
  async learn(list: (params: JsonObject) => Promise<JsonObject>): Promise<void> {
    let cursor: unknown;
    try {
      do {
        const page = await list(typeof cursor === "string" ? { cursor } : {});
        this.readPage(page);
        cursor = page.nextCursor;
      } while (typeof cursor === "string");
    } catch {
      // Without a list there is no schema to break.
    }
  }

  /** Learns from a page of the upstream's list; returns the page as the client should see it. */
  readPage(result: JsonObject): JsonObject {
    if (!Array.isArray(result.tools)) return result;
    if (this.#fresh) this.#schemas.clear();
    const more = typeof result.nextCursor === "string";
    this.#fresh = !more;
    let tools: unknown[] = result.tools;
    for (const tool of tools) {
      if (!isObject(tool) || typeof tool.name !== "string") continue;
      this.#schemas.set(tool.name, isObject(tool.outputSchema) ? tool.outputSchema : undefined);
    }
    if (this.#structured === "hide-schema") tools = tools.map(withoutOutputSchema);
    const readers = more ? undefined : this.readers;
    if (readers) tools = [...tools, ...describeReaders(readers)];
    return tools === result.tools ? result : { ...result, tools };
  }
}

function withoutOutputSchema(tool: unknown): unknown {
  if (!isObject(tool) || !("outputSchema" in tool)) return tool;
  const { outputSchema: _, ...rest } = tool;
  return rest;
}
