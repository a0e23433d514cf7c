import { lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { processExists } from "../../../artifacts/hold-folder.ts";
import { stateFolder } from "../../../artifacts/local/store-folder.ts";

/** Process ids mean something only on their own host, and hosts may share a home folder. */
const NAME = /^(.+)-(\d+)-[^-]+$/;
const HOST = hostname().replaceAll(/[^A-Za-z0-9.]/g, "_");

/**
 * Makes a private folder for messages that are too large for memory, and removes those of processes that were killed.
 * Spools lie below the user's state folder. Only if that cannot be used does one go to the temporary folder, which other
 * users share: nothing is ever removed there except by the process that made it.
 */
export async function openSpoolFolder(): Promise<string> {
  const name = `${HOST}-${process.pid}-`;
  const base = join(stateFolder(), "spool");
  try {
    await mkdir(base, { recursive: true, mode: 0o700 });
    if (await isPrivate(base)) {
      await removeLeftovers(base);
      return await mkdtemp(join(base, name));
    }
  } catch {
    // A home folder that cannot be written, or is full.
  }
  return mkdtemp(join(tmpdir(), `spillway-spool-${name}`));
}

async function removeLeftovers(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const [, host, pid] = NAME.exec(name) ?? [];
    const path = join(base, name);
    if (host !== HOST || processExists(Number(pid))) continue;
    // `rm` removes links, never what they point to. Another proxy may be removing the same folder.
    if (await isPrivate(path)) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** True for a real folder of this user that nobody else can write to. Windows has neither owner nor mode to ask for. */
async function isPrivate(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isDirectory()) return false;
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
}
