import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stateFolder } from "../../../artifacts/local/state-folder.ts";
import { isObject } from "../../../bytes/json/is-object.ts";
import type { ServerEntry } from "./server-entry.ts";
import { LIST_KINDS, type ServerLists } from "./server-lists.ts";

/** What a server said of itself the last time it ran. */
export interface KnownServer {
  readonly lists: ServerLists;
  readonly instructions?: string | undefined;
}

/** Older lists are asked for again. */
const LONGEST_AGE_MS = 24 * 60 * 60_000;
const LARGEST_BYTES = 4 * 1024 * 1024;

/** Keeps what servers offer in the user's state folder, so that one is started only when it is called. */
export class ListCache {
  readonly #folder = join(stateFolder(), "mcp-servers");
  readonly #root: string;

  /** What servers offer may depend on the folder they run in. */
  constructor(root: string) {
    this.#root = root;
  }

  async read({ digest }: ServerEntry): Promise<KnownServer | undefined> {
    try {
      const found: unknown = JSON.parse(await readFile(this.#path(digest), "utf8"));
      if (!isObject(found) || !isObject(found.lists) || typeof found.savedAt !== "number") return undefined;
      const { lists } = found;
      const age = Date.now() - found.savedAt;
      if (age < 0 || age > LONGEST_AGE_MS || !LIST_KINDS.every((kind) => Array.isArray(lists[kind]))) return undefined;
      const { instructions } = found;
      return {
        lists: lists as unknown as ServerLists,
        instructions: typeof instructions === "string" ? instructions : undefined,
      };
    } catch {
      return undefined;
    }
  }

  /** Saves for the next time; a folder that cannot be written only means that servers start sooner. */
  async write({ digest, name }: ServerEntry, known: KnownServer): Promise<void> {
    const text = JSON.stringify({ name, savedAt: Date.now(), ...known });
    if (text.length > LARGEST_BYTES) return;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await chmod(this.#folder, 0o700);
      const draft = `${this.#path(digest)}.${process.pid}`;
      await writeFile(draft, text, { mode: 0o600 });
      await rename(draft, this.#path(digest));
    } catch {}
  }

  #path(digest: string): string {
    const key = createHash("sha256").update(`${digest} ${this.#root}`).digest("hex").slice(0, 32);
    return join(this.#folder, `${key}.json`);
  }
}
