import { queryArtifact } from "../../artifacts/query/query-artifact.ts";
import { renderSchema, renderWithin } from "../../artifacts/query/render-answer.ts";
import type { ArtifactStore } from "../../artifacts/types.ts";
import { fieldsOf } from "../../bytes/json/is-object.ts";
import { invalidArgument, isSpillwayError } from "../../errors.ts";
import { renderMcpError, textBlock } from "../../gate/render/mcp-notice.ts";
import type { JsonObject } from "./json-rpc.ts";
import { findArtifact } from "./read-artifact.ts";
import { readerRoom } from "./reader-tool.ts";

/** The tool that answers SQL questions about saved outputs. */
export const QUERY_NAME = "spillway_query";

const TITLE = "Query a saved output";

export const QUERY_DESCRIPTION =
  "Answers one SQL SELECT (SQLite) about a saved output: exact counts, filters, the largest. Records (JSON, CSV, tables, key=value lines, access logs, search and test results, findings) are the table rows, every text is lines(n, text). Without sql: the tables and their columns.";

/** Its parameters as JSON Schema. */
export const QUERY_SCHEMA = {
  type: "object" as const,
  properties: {
    id: { type: "string", description: "Artifact id from the truncated result" },
    sql: { type: "string", description: "SELECT status, count(*) FROM rows GROUP BY status" },
  },
  required: ["id"],
  additionalProperties: false as const,
};

/** Rows read from the database for one answer; far more than fit. */
const MOST_ROWS = 5000;

/** The tool as `tools/list` shows it, under the given name. */
export function describeQuery(name: string): JsonObject {
  return {
    name,
    title: TITLE,
    description: QUERY_DESCRIPTION,
    inputSchema: QUERY_SCHEMA,
    annotations: {
      title: TITLE,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

/** Answers a query; errors are returned to the model as an error result. */
export async function callQuery(
  args: unknown,
  store: ArtifactStore,
  { maxBytes }: { readonly maxBytes?: number | undefined } = {},
): Promise<JsonObject> {
  try {
    return { content: [textBlock(await answerQuestion(fieldsOf(args), store, readerRoom(maxBytes)))] };
  } catch (error) {
    if (!isSpillwayError(error)) throw error;
    return renderMcpError(error.message);
  }
}

async function answerQuestion({ id, sql }: JsonObject, store: ArtifactStore, room: number): Promise<string> {
  if (typeof id !== "string" || id === "") throw invalidArgument("id must be a text that is not empty.");
  if (sql !== undefined && typeof sql !== "string") throw invalidArgument("sql must be a text.");
  const artifact = await findArtifact(id, store);
  const answer = await queryArtifact(store, artifact.id, sql, { maxRows: MOST_ROWS, maxBytes: room });
  return sql === undefined ? renderSchema(answer) : renderWithin(answer, room);
}
