import { constants } from "node:fs";
import { lstat, mkdir, open, readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { SpillwayError } from "../../errors.ts";
import { parseArtifactName } from "../artifact-name.ts";
import { pathBelow } from "../path-below.ts";
import { errorCode, ignoreMissing, storeFailed } from "../store-failure.ts";

const META_FOLDER = ".meta";
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const META_BYTES = 16 * 1024 * 1024;

/** The folder of a local store: data files, and what is known of them in `.meta`, named by id only. */
export class StoreFolder {
  readonly dir: string;
  readonly root: string;
  #ready: Promise<void> | undefined;

  constructor(dir: string, root: string = process.cwd()) {
    this.root = resolve(root);
    this.dir = resolve(this.root, dir);
  }

  dataPath(name: string): string {
    return join(this.dir, name);
  }

  metaPath(name: string): string {
    return join(this.dir, META_FOLDER, name);
  }

  /** Makes the folder private and ready for writing, once; tries again after a failure. */
  ensure(): Promise<void> {
    this.#ready ??= this.#create().catch((error: unknown) => {
      this.#ready = undefined;
      throw storeFailed(`use the artifact folder ${this.dir}`, error);
    });
    return this.#ready;
  }

  /** Makes it anew when somebody removed it in the meantime. */
  async recreate(): Promise<void> {
    this.#ready = undefined;
    await this.ensure();
  }

  /** Rejects when the folder, its `.meta` or a folder between it and the root is a symbolic link. */
  async refuseLinks(): Promise<void> {
    for (const path of [...this.#foldersBelowRoot(), join(this.dir, META_FOLDER)]) {
      const stats = await ignoreMissing(lstat(path));
      if (stats === undefined || stats.isDirectory()) continue;
      const kind = stats.isSymbolicLink() ? "a symbolic link, which is not followed" : "a file, not a folder";
      throw new SpillwayError("STORE_FAILED", `cannot use the artifact folder ${this.dir}: ${path} is ${kind}`);
    }
  }

  /** File names in the folder, or in `.meta`; none when it does not exist. */
  async names(where: "data" | "meta"): Promise<string[]> {
    return (await ignoreMissing(readdir(where === "data" ? this.dir : join(this.dir, META_FOLDER)))) ?? [];
  }

  async #create(): Promise<void> {
    await this.refuseLinks();
    await makeFolder(join(this.dir, META_FOLDER));
    await this.refuseLinks();
    await writeNew(this.metaPath(".gitignore"), "*\n").catch(ignoreExisting);
    const ignoreFile = join(this.dir, ".gitignore");
    if ((await ignoreMissing(lstat(ignoreFile))) !== undefined) return;
    // In a folder that holds other people's files, a "*" would hide these from git.
    const onlyOurs = (await readdir(this.dir)).every(
      (name) => name === META_FOLDER || name === ".gitignore" || parseArtifactName(name) !== undefined,
    );
    if (onlyOurs) await writeNew(ignoreFile, "*\n").catch(ignoreExisting);
  }

  #foldersBelowRoot(): string[] {
    const parts = pathBelow(this.root, this.dir)?.split("/") ?? [""];
    if (parts[0] === "") return [this.dir];
    return parts.map((_, at) => join(this.root, ...parts.slice(0, at + 1)));
  }
}

/** Creates a private file that must not exist yet, never through a symbolic link. */
export async function writeNew(path: string, content: string | Uint8Array): Promise<void> {
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o600);
  try {
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
}

/** Reads a small file; undefined when it is missing, a symbolic link, or larger than any of ours. */
export async function readSmall(path: string): Promise<Buffer | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY | NO_FOLLOW);
    try {
      const stats = await handle.stat();
      return stats.isFile() && stats.size <= META_BYTES ? await handle.readFile() : undefined;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errorCode(error) ?? "")) return undefined;
    throw error;
  }
}

/** Not `recursive`, which hides why it failed: a read-only file system becomes "no such file". */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) === "EEXIST") return;
    if (errorCode(error) !== "ENOENT" || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 }).catch(ignoreExisting);
  }
}

function ignoreExisting(error: unknown): void {
  if (errorCode(error) !== "EEXIST") throw error;
}
