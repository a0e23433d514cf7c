import { fieldsOf, isObject } from "../../../bytes/json/is-object.ts";
import { encodeHeaderValue } from "../../mcp-shared/header-value.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";

interface Declaration {
  readonly path: readonly string[];
  readonly header: string;
}

/** Knows which arguments of a tool stand in headers too, as servers of 2026-07-28 may demand, by the lists that pass. */
export class ParamHeaders {
  readonly #declared = new Map<string, readonly Declaration[]>();

  /** Reads a result that may be a page of tools. */
  learn({ tools }: JsonObject): void {
    if (!Array.isArray(tools)) return;
    for (const tool of tools)
      if (isObject(tool)) this.#declared.set(String(tool.name), [...declarationsIn(tool.inputSchema, [])]);
  }

  /** The headers of a call. */
  of(params: JsonObject | undefined): Record<string, string> {
    const declared = this.#declared.get(String(params?.name)) ?? [];
    return Object.fromEntries(
      declared.flatMap(({ path, header }) => {
        const value = path.reduce<unknown>(
          (inner, key) => (isObject(inner) ? inner[key] : undefined),
          params?.arguments,
        );
        return ["string", "number", "boolean"].includes(typeof value)
          ? [[`Mcp-Param-${header}`, encodeHeaderValue(String(value))]]
          : [];
      }),
    );
  }
}

function* declarationsIn(schema: unknown, path: readonly string[]): Generator<Declaration> {
  const properties = fieldsOf(fieldsOf(schema).properties);
  for (const [key, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    const header = property["x-mcp-header"];
    if (typeof header === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(header)) yield { path: [...path, key], header };
    yield* declarationsIn(property, [...path, key]);
  }
}
