import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, link, mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { stateFolder } from "../../../artifacts/local/store-folder.ts";
import { isObject } from "../../../bytes/json/is-object.ts";
import { parseJson } from "../../../bytes/json/parse-json.ts";
import { SpillwayError } from "../../../errors.ts";
import { PLATFORM } from "../../../platform/platform.ts";

/** The saved data of a login to a remote server. */
export interface Credentials {
  readonly client?: StoredOAuthClientInformation | undefined;
  /** Where the client was registered to be called back. */
  readonly redirectUrl?: string | undefined;
  readonly tokens?: StoredOAuthTokens | undefined;
  readonly discovery?: OAuthDiscoveryState | undefined;
}

/** The form of a server's address under which its login is kept. */
export function loginKey(url: string | URL): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, "")}${search}`;
}

/** The system's own place for secrets. */
interface Keychain {
  readonly name: string;
  read(account: string): Promise<string | undefined>;
  /** Never puts the secret where other processes can see it, such as arguments. */
  write(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
}

const SERVICE = "spillway-mcp";
/** A keychain without an answer in this time waits for an absent user. */
const PATIENCE_MS = 5000;

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** The system's keychain when it can be used from here: the Secret Service on Linux, the keychain of macOS. */
async function findKeychain(): Promise<Keychain | undefined> {
  if (PLATFORM.keychain === "macos") return macosKeychain();
  if (PLATFORM.keychain === undefined || !process.env.DBUS_SESSION_BUS_ADDRESS) return undefined;
  const keychain = secretService();
  const probe = await run("secret-tool", ["search", "service", `${SERVICE}-probe`], "").catch(() => undefined);
  return probe?.code === 0 || (probe?.code === 1 && probe.output === "") ? keychain : undefined;
}

function secretService(): Keychain {
  const attributes = (account: string): string[] => ["service", SERVICE, "account", account];
  return {
    name: "the keychain (Secret Service)",
    read: async (account) => {
      const { code, output } = await run("secret-tool", ["lookup", ...attributes(account)], "");
      return code === 0 && output !== "" ? output : undefined;
    },
    write: async (account, secret) => {
      const label = `Spillway: login to ${account}`;
      const { code, output } = await run("secret-tool", ["store", "--label", label, ...attributes(account)], secret);
      if (code !== 0) throw new Error(`secret-tool store failed: ${output.trim()}`);
    },
    remove: async (account) => {
      await run("secret-tool", ["clear", ...attributes(account)], "");
    },
  };
}

function macosKeychain(): Keychain {
  const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
  return {
    name: "the keychain",
    read: async (account) => {
      const { code, output } = await run("security", ["find-generic-password", "-s", SERVICE, "-a", account, "-w"], "");
      return code === 0 ? Buffer.from(output.trim(), "base64").toString("utf8") : undefined;
    },
    write: async (account, secret) => {
      const encoded = Buffer.from(secret).toString("base64");
      // Commands on standard input are not in the process list.
      const line = `add-generic-password -U -s ${SERVICE} -a ${quoted(account)} -w ${quoted(encoded)}\n`;
      const { code, output } = await run("security", ["-i"], line);
      if (code !== 0) throw new Error(`security failed: ${output.trim()}`);
    },
    remove: async (account) => {
      await run("security", ["delete-generic-password", "-s", SERVICE, "-a", account], "");
    },
  };
}

async function run(program: string, args: readonly string[], input: string): Promise<Ran> {
  const child = spawn(program, [...args], { stdio: ["pipe", "pipe", "pipe"], timeout: PATIENCE_MS });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output: code === 0 ? output : `${output}${complaint}` };
}

/** Upper bound for refreshing a token. */
const LOCK_MS = 30_000;

/** Keeps the login to one server: in the system's keychain where there is one, else in a file that only the user can read. */
export class LoginStore {
  readonly url: string;
  readonly #file: string;
  #keychain: Promise<Keychain | undefined> | undefined;

  constructor(url: string | URL, folder = join(stateFolder(), "mcp-logins")) {
    this.url = loginKey(url);
    this.#file = join(folder, `${createHash("sha256").update(this.url).digest("hex").slice(0, 32)}.json`);
  }

  /** Where it is kept, in words. */
  async place(): Promise<string> {
    return (await this.#findKeychain())?.name ?? this.#file;
  }

  async read(): Promise<Credentials | undefined> {
    const saved = parseJson(await readFile(this.#file, "utf8").catch(() => undefined));
    if (!isObject(saved)) return undefined;
    if (saved.in !== "keychain") return isObject(saved.credentials) ? saved.credentials : undefined;
    const keychain = await this.#findKeychain();
    if (!keychain)
      throw new SpillwayError(
        "UPSTREAM_FAILED",
        `The login to ${this.url} is in the system's keychain, which cannot be reached from here.`,
      );
    const found = parseJson(await keychain.read(this.url));
    return isObject(found) ? found : undefined;
  }

  /** Saves the login; a keychain that refuses, because it is locked and nobody can unlock it, is not used again. */
  async write(credentials: Credentials): Promise<void> {
    const text = JSON.stringify(credentials);
    const keychain = await this.#findKeychain();
    const kept = await keychain?.write(this.url, text).then(
      async () => (await keychain.read(this.url)) === text,
      () => false,
    );
    if (!kept) this.#keychain = Promise.resolve(undefined);
    await this.#writeFile(kept ? { url: this.url, in: "keychain" } : { url: this.url, credentials });
  }

  /** Forgets the login; false when there was none. */
  async remove(): Promise<boolean> {
    const there = await stat(this.#file).then(
      () => true,
      () => false,
    );
    await (await this.#findKeychain())?.remove(this.url);
    await rm(this.#file, { force: true });
    return there;
  }

  /** Runs exclusively among all processes of this user: a refresh token may be valid only once. */
  async alone<T>(task: () => Promise<T>): Promise<T> {
    const lock = `${this.#file}.lock`;
    await mkdir(join(lock, ".."), { recursive: true, mode: 0o700 });
    for (;;) {
      try {
        await (await open(lock, "wx", 0o600)).close();
        break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        if (!(await removeStale(lock))) await sleep(50);
      }
    }
    const own = await stat(lock).catch(() => undefined);
    try {
      return await task();
    } finally {
      const now = await stat(lock).catch(() => undefined);
      // After a task that took too long, the lock may be another process's.
      if (now !== undefined && now.ino === own?.ino) await rm(lock, { force: true });
    }
  }

  #findKeychain(): Promise<Keychain | undefined> {
    this.#keychain ??= findKeychain();
    return this.#keychain;
  }

  async #writeFile(content: unknown): Promise<void> {
    const folder = join(this.#file, "..");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    const draft = `${this.#file}.${process.pid}`;
    await writeFile(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
    await rename(draft, this.#file);
  }
}

/**
 * Removes a lock whose owner is gone; one from the future counts too, since a clock was wrong. Of several processes that
 * find it stale, only one removes it: what the others then move aside is a fresh lock, which they put back.
 */
async function removeStale(lock: string): Promise<boolean> {
  const seen = await stat(lock).catch(() => undefined);
  if (seen === undefined) return true;
  if (Math.abs(Date.now() - seen.mtimeMs) <= LOCK_MS) return false;
  const aside = `${lock}.${randomUUID()}`;
  const moved = await rename(lock, aside).then(
    () => stat(aside),
    () => undefined,
  );
  if (moved !== undefined && moved.ino !== seen.ino) await link(aside, lock).catch(() => {});
  await rm(aside, { force: true });
  return true;
}
