import { z } from "zod";
import { queryArtifact, queryPath } from "../artifacts/query/query-artifact.ts";
import { renderSchema, renderWithin } from "../artifacts/query/render-answer.ts";
import { isSpillwayError } from "../errors.ts";
import { defineTool, type ToolDefinition } from "./registry/define-tool.ts";
import { findArtifact } from "./sandbox/artifact-path.ts";

const MOST_ROWS = 5000;
const MOST_BYTES = 100_000;

/** Answers SQL questions about a saved output or a file below the root. */
export const artifactQueryTool: ToolDefinition = defineTool({
  name: "ArtifactQuery",
  description:
    "Answers one SQL SELECT (SQLite) about one file or saved output: exact counts, filters, the largest. Records (JSON, CSV, tables, key=value lines, access logs, search and test results, findings) are the table rows, every text is lines(n, text). Without sql: the tables and their columns.",
  parameters: z.object({
    path: z.string().describe("File or artifact id"),
    sql: z.string().optional().describe("SELECT status, count(*) FROM rows GROUP BY status"),
  }),
  readOnly: true,
  async execute({ path, sql }, run) {
    const options = { maxRows: MOST_ROWS, maxBytes: MOST_BYTES };
    const artifact = await findArtifact(run, path);
    try {
      const answer =
        artifact === undefined
          ? await queryPath((await run.sandbox.resolve(path)).real, sql, options)
          : await queryArtifact(run.environment.spillway.store, artifact.id, sql, options);
      const content = sql === undefined ? renderSchema(answer) : renderWithin(answer, MOST_BYTES);
      const rows = `${answer.rows.length}${answer.more ? " or more" : ""}`;
      return run.success(
        { content },
        sql === undefined ? `Tables of ${path}.` : `The query on ${path} gave ${rows} rows.`,
      );
    } catch (error) {
      if (!isSpillwayError(error) || error.code !== "INVALID_ARGUMENT") throw error;
      return run.failure("INVALID_PARAM", error.message, { next: "Call it without sql to see tables and columns." });
    }
  },
});
