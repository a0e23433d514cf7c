import { createHash, randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { mkdir, open, readdir, readFile, realpath, rename, rm, rmdir, stat, unlink } from "node:fs/promises";
import path, { dirname, join } from "node:path";
import { stateFolder } from "../../artifacts/local/store-folder.ts";

/** One edit of another program's file, with everything needed to restore it byte for byte. */
interface EditRecord {
  readonly name: string;
  /** Base64; null when there was no file. */
  readonly before: string | null;
  /** Of the file as the edit left it. */
  readonly afterSha256: string;
  /** Folders that were made for it, outermost first. */
  readonly madeFolders: readonly string[];
}

interface EditHistory {
  readonly schema: 1;
  readonly file: string;
  /** Oldest first. */
  readonly edits: readonly EditRecord[];
}

/** Writes a file, and keeps its old content under `name` for `undoEdit`. */
export async function applyEdit(file: string, name: string, after: string): Promise<void> {
  const before = await readIfThere(file);
  const madeFolders = missingFolders(dirname(file));
  await mkdir(dirname(file), { recursive: true });
  await replaceFile(file, after);
  const edits = before === undefined ? [] : await readEdits(file);
  const edit = {
    name,
    before: before?.toString("base64") ?? null,
    afterSha256: sha256(Buffer.from(after)),
    madeFolders,
  };
  await writeEdits(file, [...edits, edit]);
}

/**
 * Restores the file as it was before the edit `name`, byte for byte, if nobody changed it since; removes a file that the
 * edit created. Returns false, and leaves the file alone, if it was changed or the edit is unknown.
 */
export async function undoEdit(file: string, name: string): Promise<boolean> {
  const edits = await readEdits(file);
  const last = edits.at(-1);
  const now = await readIfThere(file);
  if (last?.name !== name || now === undefined || sha256(now) !== last.afterSha256) return false;
  if (last.before === null) {
    await rm(file);
    // Fails, as it should, if the folder holds something else now.
    for (const folder of last.madeFolders.toReversed()) await rmdir(folder).catch(() => undefined);
  } else await replaceFile(file, Buffer.from(last.before, "base64"));
  await writeEdits(file, edits.slice(0, -1));
  return true;
}

/** The files with edits of ours that were not undone. */
export async function editedFiles(): Promise<readonly string[]> {
  const folder = join(stateFolder(), "edits");
  const names = await readdir(folder).catch(() => []);
  const files = names.map(async (name) => {
    try {
      return [(JSON.parse(await readFile(join(folder, name), "utf8")) as EditHistory).file];
    } catch {
      return [];
    }
  });
  return (await Promise.all(files)).flat();
}

function missingFolders(folder: string): string[] {
  return existsSync(folder) ? [] : [...missingFolders(dirname(folder)), folder];
}

async function readEdits(file: string): Promise<readonly EditRecord[]> {
  try {
    const history = JSON.parse(await readFile(recordPath(file), "utf8")) as EditHistory;
    return history.file === file ? history.edits : [];
  } catch {
    return [];
  }
}

/** A state folder that cannot be written is no failure: the entry can be removed without a record. */
async function writeEdits(file: string, edits: readonly EditRecord[]): Promise<void> {
  const record = recordPath(file);
  if (edits.length === 0) return rm(record, { force: true }).catch(() => undefined);
  const history: EditHistory = { schema: 1, file, edits };
  try {
    await mkdir(dirname(record), { recursive: true, mode: 0o700 });
    await replaceFile(record, `${JSON.stringify(history, null, 2)}\n`, 0o600);
  } catch {
    return;
  }
}

function recordPath(file: string): string {
  return join(stateFolder(), "edits", `${sha256(Buffer.from(file)).slice(0, 32)}.json`);
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Replaces a file atomically. Its mode stays, and a link to it (dotfiles often are links) stays a link. */
export async function replaceFile(file: string, content: string | Uint8Array, newMode = 0o644): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const mode = await stat(target).then(
    (stats) => stats.mode & 0o777,
    () => newMode,
  );
  const draft = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const handle = await open(draft, "wx", mode);
    try {
      await handle.writeFile(content);
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, target);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
}

/**
 * Why a file cannot be replaced, as the end of a sentence that begins with its path; undefined if it can. Mode bits count
 * for root too: a file without a write bit is managed by another tool.
 */
export function whyReadOnly(file: string): string | undefined {
  const target = existsSync(file) ? realpathSync(file) : file;
  const linked = target === file ? "" : ` (a link to ${target})`;
  let folder = path.dirname(target);
  while (!existsSync(folder)) folder = path.dirname(folder);
  if (existsSync(target) && !isWritable(target)) return `is read-only${linked}`;
  if (!statSync(folder).isDirectory()) return `cannot be created: ${folder} is not a folder`;
  return isWritable(folder) ? undefined : `lies in ${folder}, which is read-only${linked}`;
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return (statSync(file).mode & 0o222) !== 0;
  } catch {
    return false;
  }
}
