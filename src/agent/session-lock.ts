import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { processExists } from "../artifacts/hold-folder.ts";
import { SpillwayError } from "../errors.ts";

interface Holder {
  readonly pid: number;
  readonly startedAt: string;
  readonly host: string;
}

/**
 * Acquires the lock to write a session, or throws SESSION_BUSY. Locks are numbered; the highest counts, so that of two
 * processes that both find a dead holder only one can create the next number. Returns the function that gives it back.
 */
export function lockSession(dir: string): () => void {
  for (;;) {
    const numbers = lockNumbers(dir);
    const highest = numbers[0] ?? 0;
    if (highest > 0) {
      const holder = readHolder(lockPath(dir, highest));
      if (holder === "gone") continue;
      if (holder === "unreadable" || isAlive(holder)) throw busy(dir, holder, highest);
    }
    const mine = highest + 1;
    if (!createLock(dir, mine)) continue;
    // Someone slower or faster may have cleaned up in between: only the highest number owns.
    if (lockNumbers(dir)[0] !== mine) {
      rmSync(lockPath(dir, mine), { force: true });
      continue;
    }
    for (const stale of numbers) rmSync(lockPath(dir, stale), { force: true });
    return () => rmSync(lockPath(dir, mine), { force: true });
  }
}

/** The process that writes this session now, if any. */
export function sessionHolder(dir: string): number | undefined {
  const highest = lockNumbers(dir)[0];
  const holder = highest === undefined ? "gone" : readHolder(lockPath(dir, highest));
  return typeof holder === "object" && isAlive(holder) ? holder.pid : undefined;
}

function lockNumbers(dir: string): number[] {
  return readdirSync(dir)
    .flatMap((name) => /^lock\.(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);
}

const lockPath = (dir: string, number: number) => join(dir, `lock.${number}`);

/** Errors of file systems without hard links. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/** A hard link creates the lock with its content in one step; without hard links it is written in two. */
function createLock(dir: string, number: number): boolean {
  const holder: Holder = { pid: process.pid, startedAt: processStart(process.pid), host: hostname() };
  const draft = join(dir, `draft.${process.pid}.${randomBytes(4).toString("hex")}`);
  const exclusive = { flag: "wx", mode: 0o600 } as const;
  try {
    writeFileSync(draft, JSON.stringify(holder), exclusive);
    try {
      linkSync(draft, lockPath(dir, number));
    } catch (error) {
      if (!NO_LINKS.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
      writeFileSync(lockPath(dir, number), JSON.stringify(holder), exclusive);
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new SpillwayError("STORE_FAILED", `The session in ${dir} cannot be locked: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    rmSync(draft, { force: true });
  }
}

function readHolder(path: string): Holder | "gone" | "unreadable" {
  try {
    // A named pipe would be waited for.
    if (!lstatSync(path).isFile()) return "unreadable";
    const value = JSON.parse(readFileSync(path, "utf8")) as Holder;
    return typeof value.pid === "number" ? value : "unreadable";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "gone" : "unreadable";
  }
}

/** A process id may have been reused; the start time tells processes apart. */
function isAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  if (!processExists(holder.pid)) return false;
  const startedAt = processStart(holder.pid);
  return startedAt === "" || holder.startedAt === "" || startedAt === holder.startedAt;
}

/** Clock ticks since boot from /proc; empty without /proc. A zombie counts as ended. */
function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "ended" : (fields[19] ?? "");
  } catch {
    return "";
  }
}

function busy(dir: string, holder: Holder | "unreadable", number: number): SpillwayError {
  const who = holder === "unreadable" ? "another process" : `process ${holder.pid} on ${holder.host}`;
  return new SpillwayError(
    "SESSION_BUSY",
    `This session is being written by ${who}. If that process no longer runs, remove ${lockPath(dir, number)}.`,
    { details: { dir, holder } },
  );
}
