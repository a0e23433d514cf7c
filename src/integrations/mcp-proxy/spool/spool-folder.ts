import { mkdtemp, readdir, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { processExists } from "../../../artifacts/process-exists.ts";

/** Whose folder it is: process ids mean something only on their own host, and hosts may share a temporary folder. */
const NAME = /^spillway-spool-(.+)-(\d+)-[^-]+$/;
const HOST = hostname().replaceAll(/[^A-Za-z0-9.]/g, "_");

/** Makes a private folder for what is too large for memory, and removes those of processes that were killed. */
export async function openSpoolFolder(): Promise<string> {
  await removeLeftovers();
  return mkdtemp(join(tmpdir(), `spillway-spool-${HOST}-${process.pid}-`));
}

async function removeLeftovers(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    const [, host, pid] = NAME.exec(name) ?? [];
    // One that is another user's, or goes at the same time elsewhere, stays as it is.
    if (host === HOST && !processExists(Number(pid)))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}
