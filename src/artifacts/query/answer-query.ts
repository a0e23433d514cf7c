import { randomBytes } from "node:crypto";
import { lstat, mkdtemp, open, rename, rm, symlink, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closing, openFileSource } from "../byte-source.ts";
import { checkStatement } from "./check-statement.ts";
import type { Progress } from "./load-tables.ts";
import { buildDatabase, describeTables, openSaved, type QueryAnswer, runQuery } from "./query-database.ts";
import type { TablesInfo } from "./table-writer.ts";

/** A question to one file. */
export interface QueryRequest {
  /** Absolute path of the output. */
  readonly path: string;
  /** Where the database of a large output is kept for further questions; absent if nowhere. */
  readonly savedPath?: string | undefined;
  /** One SELECT; without it only the tables are described. */
  readonly sql?: string | undefined;
  readonly maxRows: number;
  readonly maxBytes: number;
}

export interface AnsweredQuery extends QueryAnswer, TablesInfo {}

/** Smaller outputs are loaded anew for each question, in memory. */
const SAVED_FROM_BYTES = 2 * 1024 * 1024;

/** Loads the tables that a statement needs, or finds them saved, and answers it. */
export async function answerQuery(request: QueryRequest, progress?: Progress): Promise<AnsweredQuery> {
  const { sql } = request;
  const needs = sql === undefined ? { rows: true, lines: false } : checkStatement(sql);
  return withScratch(async (scratch) =>
    closing(await openFileSource(request.path), async (source) => {
      const isLarge = source.size >= SAVED_FROM_BYTES;
      const saved =
        isLarge && request.savedPath !== undefined ? await openLinked(scratch, request.savedPath, needs) : undefined;
      const db = saved ?? (isLarge ? await buildLarge() : await buildDatabase(":memory:", source, needs, progress));
      try {
        const most = { rows: request.maxRows, bytes: request.maxBytes };
        const answer = sql === undefined ? { columns: [], rows: [], more: false } : runQuery(db, sql, most);
        return { ...answer, ...describeTables(db) };
      } finally {
        db.close();
      }

      async function buildLarge() {
        const kept = request.savedPath === undefined ? undefined : await createKept(request.savedPath);
        const path = join(scratch, "new");
        if (kept !== undefined) await symlink(kept, path);
        try {
          const built = await buildDatabase(path, source, needs, progress);
          if (kept !== undefined && request.savedPath !== undefined) await rename(kept, request.savedPath);
          return built;
        } catch (error) {
          if (kept !== undefined) await unlink(kept).catch(() => undefined);
          throw error;
        }
      }
    }),
  );
}

/**
 * Opens a saved database through a link of its own: SQLite's lock then lies in a folder that only this question uses, so
 * questions do not wait for each other, and one that is killed leaves no lock behind.
 */
async function openLinked(scratch: string, path: string, needs: { readonly rows: boolean; readonly lines: boolean }) {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isFile()) return undefined;
  const link = join(scratch, "saved");
  const linked = await symlink(path, link).then(
    () => true,
    () => false,
  );
  return linked ? openSaved(link, needs) : undefined;
}

/** A new private file next to the final one; undefined if none can be created there. */
async function createKept(savedPath: string): Promise<string | undefined> {
  const path = `${savedPath}-${randomBytes(6).toString("hex")}`;
  try {
    await (await open(path, "wx", 0o600)).close();
    return path;
  } catch {
    return undefined;
  }
}

/** Runs work with a private folder that is removed afterwards. */
async function withScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "spillway-query-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
