import type { JsonObject } from "../mcp-shared/json-rpc.ts";

/** Tools whose call reaches beyond the root and this machine. */
const OPEN_WORLD = new Set(["WebFetch", "Bash"]);
/** Writers for which the same call twice leaves the same state. */
const IDEMPOTENT_WRITERS = new Set(["Write"]);

/** What is true of a tool, in MCP's words. */
export function annotate(name: string, readOnly: boolean): JsonObject {
  return {
    title: name,
    readOnlyHint: readOnly,
    destructiveHint: !readOnly,
    idempotentHint: readOnly || IDEMPOTENT_WRITERS.has(name),
    openWorldHint: OPEN_WORLD.has(name),
  };
}
