import { createWriteStream } from "node:fs";
import { lstat, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { invalidArgument, SpillwayError } from "../../errors.ts";
import { checkOptions, kinds } from "../../limits/options.ts";
import { isForeign } from "../../platform/folders.ts";
import type { ArtifactStore } from "../types.ts";
import type { AnsweredQuery } from "./answer-query.ts";
import { queryFile } from "./query-file.ts";

export type { AnsweredQuery } from "./answer-query.ts";
export type { QueryAnswer } from "./query-database.ts";
export type { ColumnInfo, SqlValue, TableInfo, TablesInfo } from "./table-writer.ts";

export interface QueryOptions {
  /** Most rows of the answer. @default 10000 */
  readonly maxRows?: number | undefined;
  /** Most bytes of the answer's values. @default 10000000 */
  readonly maxBytes?: number | undefined;
  /** Loading and answering together are stopped after this time. @default 120000 */
  readonly timeoutMs?: number | undefined;
  /** Called while a large output is loaded. */
  readonly onProgress?: ((readBytes: number, totalBytes: number) => void) | undefined;
}

const STORE = kinds.having("an artifact store", "find", "read");
const CHECKS = { maxRows: kinds.above0, maxBytes: kinds.above0, timeoutMs: kinds.above0, onProgress: kinds.call };
const MOST_ROWS = 10_000;
const MOST_BYTES = 10_000_000;
const TIMEOUT_MS = 120_000;

/**
 * Answers one SQL SELECT about a saved output: table `rows` has its records, `lines(n, text)` every line. Without SQL only
 * the tables are described. A large output's database is kept next to the artifact and removed with it.
 */
export async function queryArtifact(
  store: ArtifactStore,
  reference: string,
  sql?: string,
  options: QueryOptions = {},
): Promise<AnsweredQuery> {
  STORE(store, "The store for queryArtifact()");
  kinds.text(reference, "The id, path or call id for queryArtifact()");
  if (sql !== undefined) kinds.text(sql, "The SQL for queryArtifact()");
  const found = await store.find(reference);
  if (found === undefined) throw new SpillwayError("ARTIFACT_NOT_FOUND", `there is no artifact ${reference}`);
  if (isAbsolute(found.path)) return queryPath(found.path, sql, options, await savedPathOf(found.path, found.id));
  const folder = await mkdtemp(join(tmpdir(), "spillway-query-"));
  try {
    const copy = join(folder, "output");
    await pipeline(store.read(found.id), createWriteStream(copy, { mode: 0o600, flags: "wx" }));
    return await queryPath(copy, sql, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same for any file. */
export function queryPath(
  path: string,
  sql: string | undefined,
  options: QueryOptions = {},
  savedPath?: string,
): Promise<AnsweredQuery> {
  const {
    maxRows = MOST_ROWS,
    maxBytes = MOST_BYTES,
    timeoutMs = TIMEOUT_MS,
    onProgress,
  } = checkOptions(options, CHECKS, "queryArtifact()");
  if (!isAbsolute(path)) throw invalidArgument(`${path} must be an absolute path.`);
  return queryFile({ path, savedPath, sql, maxRows, maxBytes }, timeoutMs, onProgress);
}

/** The database of an artifact lies in the store's private folder; undefined if there is none that only this user can write. */
export async function savedPathOf(path: string, id: string): Promise<string | undefined> {
  const folder = join(dirname(path), ".meta");
  const stats = await lstat(folder).catch(() => undefined);
  return stats?.isDirectory() && !isForeign(stats) ? join(folder, `${id}.rows`) : undefined;
}
