import { constants } from "node:fs";
import { mkdir, open, readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { cryptoModule } from "../../builtin-modules.ts";
import { isForeign, userFolder } from "../../platform/folders.ts";
import { parseArtifactName } from "../artifact-name.ts";
import { holdFolder, refuseLinks, stepsTo } from "../hold-folder.ts";
import { errorCode, ignoreMissing, storeFailed } from "../store-failure.ts";
import { isIgnoreFileName, writeIgnoreFile } from "../write-ignore-file.ts";

/** The user's state folder: `XDG_STATE_HOME`, or the platform's default. */
export function stateFolder(): string {
  return join(userFolder("state"), "spillway");
}

/** The folder for a root's artifacts that cannot be written below it; one folder per root. */
export function stateArtifactDir(root: string): string {
  const digest = cryptoModule().createHash("sha256").update(root).digest("hex").slice(0, 12);
  const name = basename(root)
    .replaceAll(/[^\w.-]/g, "_")
    .slice(0, 40);
  return join(stateFolder(), "tool-output", name === "" ? digest : `${name}-${digest}`);
}

const META_FOLDER = ".meta";
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const META_BYTES = 16 * 1024 * 1024;

/** The folder of a local store: data files, and their metadata in `.meta`, named by id only. */
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

  /** Throws when the folder, its `.meta` or a folder between it and the root is a symbolic link. */
  refuseLinks(): void {
    refuseLinks([...stepsTo(this.root, this.dir)], "artifact folder");
    refuseLinks([join(this.dir, META_FOLDER)], "artifact folder");
  }

  /** Does something to data files by a path that leads nowhere else, also while names are exchanged for links. */
  inData<T>(use: (path: string) => Promise<T>): Promise<T> {
    return holdFolder(this.root, this.dir, use);
  }

  /** The same for files in `.meta`. */
  inMeta<T>(use: (path: string) => Promise<T>): Promise<T> {
    return holdFolder(this.root, join(this.dir, META_FOLDER), use);
  }

  /** File names in the folder, or in `.meta`; none when it does not exist. */
  async names(where: "data" | "meta"): Promise<string[]> {
    return (await ignoreMissing(readdir(where === "data" ? this.dir : join(this.dir, META_FOLDER)))) ?? [];
  }

  async #create(): Promise<void> {
    this.refuseLinks();
    await makeFolder(join(this.dir, META_FOLDER));
    await this.inMeta(async (path) => writeIgnoreFile(path, "*\n"));
    await this.inData(async (path) => {
      // In a folder that holds other people's files, a "*" would hide these from git.
      const onlyOurs = (await readdir(path)).every(
        (name) => name === META_FOLDER || isIgnoreFileName(name) || parseArtifactName(name) !== undefined,
      );
      if (onlyOurs) writeIgnoreFile(path, "*\n");
    });
  }
}

/** Creates a private file exclusively, never through a symbolic link. */
export async function writeNew(path: string, content: string | Uint8Array): Promise<void> {
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o600);
  try {
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
}

/** Reads a small file; undefined when it is missing, another user's, a symbolic link, or larger than any of ours. */
export async function readSmall(path: string): Promise<Buffer | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY | NO_FOLLOW);
    try {
      const stats = await handle.stat();
      return stats.isFile() && !isForeign(stats) && stats.size <= META_BYTES ? await handle.readFile() : undefined;
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
