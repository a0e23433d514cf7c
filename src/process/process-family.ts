import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { PLATFORM } from "../platform/platform.ts";

const POLL_MS = 20;

interface Entry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Grows with time; tells two processes of one number apart. */
  readonly startedAt: number;
}

/**
 * A child that shares our terminal and process group, with its descendants, including those in the group
 * whose parents are gone. Other processes of the group, such as the next command of a pipeline, are left alone.
 */
export class ProcessFamily {
  readonly #pid: number;
  readonly #seen = new Map<number, number>();
  #bornAt: number | undefined;

  constructor(pid: number) {
    this.#pid = pid;
    // Asking for all processes would take longer than many a command.
    if (PLATFORM.hasProc) this.#bornAt = readEntry(String(pid))?.startedAt;
  }

  /** Those that still run. */
  members(): readonly number[] {
    const entries = listProcesses();
    this.#bornAt ??= entries.find(({ pid }) => pid === this.#pid)?.startedAt;
    const byId = new Map(entries.map((entry) => [entry.pid, entry]));
    const own = byId.get(process.pid);
    const isOrphan = ({ group, parent, startedAt }: Entry): boolean =>
      own !== undefined &&
      group === own.group &&
      this.#bornAt !== undefined &&
      startedAt >= this.#bornAt &&
      parent !== own.parent &&
      byId.get(parent)?.group !== group;
    const isKnown = ({ pid, startedAt }: Entry): boolean => this.#seen.get(pid) === startedAt;
    // Oldest first, so that parents are known before their children.
    for (const entry of entries.sort((left, right) => left.startedAt - right.startedAt || left.pid - right.pid)) {
      const parent = byId.get(entry.parent);
      const isChild = entry.parent === this.#pid || (parent !== undefined && isKnown(parent));
      if (entry.pid !== process.pid && (entry.pid === this.#pid || isChild || isOrphan(entry)))
        this.#seen.set(entry.pid, entry.startedAt);
    }
    return entries.filter(isKnown).map(({ pid }) => pid);
  }

  signal(signal: NodeJS.Signals): void {
    for (const pid of new Set([this.#pid, ...this.members()])) {
      try {
        process.kill(pid, signal);
      } catch {
        // It ended in the meantime.
      }
    }
  }

  /** Asks all to end; insists after `graceMs`. */
  async end(graceMs: number): Promise<void> {
    if (this.members().length === 0) return;
    this.signal("SIGTERM");
    for (const end = performance.now() + graceMs; performance.now() < end; await sleep(POLL_MS)) {
      if (this.members().length === 0) return;
    }
    this.signal("SIGKILL");
  }
}

/** Every process that has not ended; none where that cannot be known. */
export function listProcesses(): Entry[] {
  if (PLATFORM.hasProc) return listFromProc();
  if (!PLATFORM.hasProcessGroups) return [];
  try {
    const table = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat=,lstart="], { encoding: "utf8" });
    return table.split("\n").flatMap((line) => {
      const [, pid, parent, group, state, started] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      if (pid === undefined || state?.startsWith("Z")) return [];
      return [{ pid: Number(pid), parent: Number(parent), group: Number(group), startedAt: Date.parse(started ?? "") }];
    });
  } catch {
    return [];
  }
}

function listFromProc(): Entry[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (readEntry(name) ?? []) : []));
}

function readEntry(pid: string): Entry | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    const [state, parent, group] = fields;
    if (state === "Z" || state === "X") return undefined;
    return { pid: Number(pid), parent: Number(parent), group: Number(group), startedAt: Number(fields[19]) };
  } catch {
    return undefined;
  }
}
